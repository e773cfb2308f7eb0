#pragma once

#include <map>
#include <string>

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/methods/mpm/cpu_stages.h"
#include "phyxel/methods/skeleton/heat_state.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// Heat of material points and what melts and freezes by it: the heat stage that all methods share,
/// with neighbour rows of its own. Heat is slow beside sound, so that rows are made and powers
/// found every hundredth of a second at most; in between enthalpies wait for the time that has
/// passed.
class Heat {
 public:
  void declare(OwnColumns& own);
  bool is_active() const { return stage_.active; }
  /// What materials do with heat now. Throws InputError where a material cannot turn into another.
  void refresh(const Environment& environment, const std::vector<AnyLaw>& laws,
               const std::vector<Real>& density);
  /// By material, the smallest density of all that it may become, kg/m^3: cells do not change as it
  /// melts.
  const std::vector<Real>& least_densities() const { return least_density_; }

  /// At the start of a frame, with all particles in columns: enthalpies of new ones, and materials.
  void begin(ParticleStore& store, const Points& points);
  /// Powers, where they are not known.
  void start(const Environment& environment, ParticleStore& store);

  /// Before grid to particles: rows of what melts and freezes get the state of their new law. True
  /// where there are any.
  bool change_materials(ParticleStore& store, const StepContext& with, Stages& stages);
  /// The heat of the step that `with` describes.
  void advance(const Environment& environment, ParticleStore& store, const StepContext& with,
               Stages& stages);

  StableStep limit() const { return stage_.active ? heat_limit(stage_) : StableStep{}; }
  /// Of the materials that others turn into, fresh: squared speed of pressure waves, m^2/s^2.
  double largest_wave_speed_squared() const { return wave_speed_squared_; }

  void save(std::map<std::string, double>& numbers) const { save_heat(stage_, numbers); }
  void load(const std::map<std::string, double>& numbers, std::size_t particles);

 private:
  struct Becomes {
    Index melted = -1, frozen = -1;  // materials; -1: it does not
  };

  void set_phases(const HostParticles& p);
  std::uint8_t phase_of(Index material) const;
  void read_changes(const Environment& environment);
  void measure_densities();
  Index material_after(Index material, double enthalpy) const;
  Index change(Index i, HostParticles& p);
  void renew(Index from, Index to, Real mass, Mat3& f, Real& memory, Real& volume) const;
  void look_for_changes(const HostParticles& p);
  void find(const Environment& environment, HostParticles& p);
  void hold(const Environment& environment, HostParticles& p);
  void take(const Environment& environment, HostParticles& p);

  HeatStage stage_;
  std::vector<AnyLaw> laws_;
  std::vector<Real> density_, least_density_;  // by material, kg/m^3
  SharedColumn<std::uint8_t> phase_;           // 1: liquid; where a material turns into another
  bool has_phases_ = false;
  std::vector<Becomes> becomes_;   // by material
  double wave_speed_squared_ = 0;  // m^2/s^2
  double pending_ = 0;             // s, whose heat is not yet in the enthalpies
  bool changes_ = false;

  // Particles in the order of cells, where powers are found.
  Particles near_;
  CellTable cells_;
  NeighbourRows rows_;
  KernelColliders colliders_;
  std::vector<PinView> pins_;
  KernelTable<PinView> pin_table_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
