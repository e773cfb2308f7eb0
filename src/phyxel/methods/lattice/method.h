#pragma once

#include <map>

#include "phyxel/methods/lattice/assignments.h"
#include "phyxel/methods/lattice/material.h"
#include "phyxel/methods/lattice/passes.h"
#include "phyxel/methods/skeleton/neighbour_method.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// Solids without stored connectivity after Wicke et al. 2006: neighbours find their places on a
/// lattice anew in every step. Bodies are objects: between them there is contact only.
class Solver final : public NeighbourMethod {
 public:
  Solver();
  void begin(const Environment& environment) override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void refresh_laws(const Environment& environment) override;
  void build_neighbours(const Environment& environment) override;
  void advance(const Environment& environment, Real dt) override;
  StableStep limit_of_step(const Environment& environment) override;
  void refresh_liquids(const Environment& environment);
  void add_new_particles(const Environment& environment);
  template <int Dim>
  void orient_new_particles(std::size_t old);
  template <int Dim>
  void take_step(const Environment& environment, Real dt);
  template <int Dim>
  StepView<Dim> view(const Environment& environment);
  template <int Dim>
  void refresh_rows(const Environment& environment);
  void measure_deformation();
  Real reach() const;

  SharedColumn<Mat3> a_;        // takes the lattice to the neighbours
  SharedColumn<Mat3> plastic_;  // what has flowed
  SharedColumn<Vec3> torque_;   // that friction owes, N m
  SharedColumn<std::uint8_t> phase_;
  SharedColumn<Index> object_;  // body that a particle bonds with; contact with all others
  SharedColumn<SlotRates> rates_;
  SharedColumn<SlotIds> slot_ids_;
  SharedColumn<SlotRests> rests_;  // these three only where matter freezes
  SharedColumn<Real> contact_offset_;
  SharedColumn<Index> frozen_in_step_;

  std::map<Index, Mat3> initial_lattice_;  // by body, how its lattice lay at the start
  HostColumn<Mat3> deformation_;           // since then

  std::vector<Index> used_;    // materials of this method
  std::vector<Real> mass_;     // by material, of its heaviest particle, kg; 0: not in use
  std::vector<Solid> solids_;  // by material
  KernelTable<Solid> solid_table_;
  sph::SmoothingKernel kernel_;  // of liquids
  KernelTable<sph::WallTable> wall_table_;
  Real self_ = 0;
  bool has_liquid_ = false;  // some material may be liquid
  bool freezes_ = false;     // some material freezes, or did
  bool yields_ = false;      // some material flows plastically, or did
  Column<Real>& energy_ = own_.scratch(&StepPointers::energy);
  Column<std::uint8_t>& calm_ = own_.scratch(&StepPointers::calm);
  Assignments assignments_;
  bool phases_changed_ = true;  // since calm particles were found
  Real moved_ = 0;              // m, at most, since rows were built
  bool assignments_valid_ = false;
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
