#pragma once

#include <functional>
#include <map>
#include <string>

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/matter/heat_stage.h"
#include "phyxel/methods/mpm/kernels.h"

namespace phyxel::mpm {

/// What a particle is made of, in the columns of the method.
struct Constitution {
  HostParticles& particles;
  HostColumn<Mat3>& deformation;
  HostColumn<Real>& memory;
  HostColumn<Real>& volume;
};

/// Heat of material points and what melts and freezes by it: the heat stage that all methods share,
/// with neighbour rows of its own. Heat is slow beside sound, so that rows are made and powers
/// found every hundredth of a second at most; in between enthalpies wait for the time that has
/// passed.
class Heat {
 public:
  bool is_active() const { return stage_.active; }
  /// What materials do with heat now. Throws InputError where a material cannot turn into another.
  void refresh(const Environment& environment, const std::vector<AnyLaw>& laws);

  /// At the start of a frame, with all particles in columns: enthalpies of new ones, and materials.
  void begin(const Constitution& matter);
  void reorder(const Exec& exec, const Column<Index>& order);
  /// Powers, where they are not known.
  void start(const Environment& environment, HostParticles& p);

  /// After a step of dt. `write_positions` puts them into the columns.
  void advance(const Environment& environment, Real dt, bool frame_ends, HostParticles& p,
               const std::function<void()>& write_positions);

  /// Whether materials of particles have to change before the next grid to particles.
  bool changes() const { return changes_; }
  void change_rows(HostParticles& p, HostColumn<Real>& volume, Rows& rows);

  /// Largest step, s.
  double stable_dt() const;
  /// Of the materials that others turn into, fresh: squared speed of pressure waves, m^2/s^2.
  double largest_wave_speed_squared() const { return wave_speed_squared_; }
  /// The smallest density of all that a material may become, kg/m^3: cells do not change as it
  /// melts.
  Real least_density(Index material) const { return least_density_[material]; }

  void add_columns(std::vector<ColumnView>& views);
  void save(std::map<std::string, double>& numbers) const;
  void load(const std::map<std::string, double>& numbers, std::size_t particles);

 private:
  struct Becomes {
    Index melted = -1, frozen = -1;  // materials; -1: it does not
  };

  void read_changes(const Environment& environment);
  void measure_densities();
  Index material_after(Index material, double enthalpy) const;
  Index change(Index i, HostParticles& p);
  void renew(Index from, Index to, Real mass, Mat3& f, Real& memory, Real& volume) const;
  void look_for_changes(const HostParticles& p);
  void find(const Environment& environment, HostParticles& p);
  void take(const Environment& environment, HostParticles& p);

  HeatStage stage_;
  std::vector<AnyLaw> laws_;
  std::vector<Real> density_, least_density_;  // by material, kg/m^3
  std::vector<Becomes> becomes_;               // by material
  double wave_speed_squared_ = 0;              // m^2/s^2
  double pending_ = 0;                         // s, whose heat is not yet in the enthalpies
  bool changes_ = false;

  // Particles in the order of cells, where powers are found.
  Particles near_;
  CellTable cells_;
  NeighbourRows rows_;
  KernelColliders colliders_;
  std::vector<PinView> pins_;
  KernelTable<PinView> pin_table_;
  Column<double> double_scratch_;
  Column<Real> real_scratch_;
};

}  // namespace phyxel::mpm
