#pragma once

#include <map>

#include "phyxel/methods/lattice/material.h"
#include "phyxel/methods/lattice/passes.h"
#include "phyxel/methods/lattice/warmth.h"
#include "phyxel/methods/skeleton/neighbour_method.h"
#include "phyxel/methods/skeleton/own_columns.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// Solids without stored connectivity after Wicke et al. 2006: neighbours find their places on a
/// lattice anew in every step. Bodies are objects: between them there is contact only.
class Solver final : public NeighbourMethod {
 public:
  Solver();
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void measure_masses(const Environment& environment);
  void refresh_solids(const Environment& environment);
  void refresh_warmth(const Environment& environment);
  void refresh_liquids(const Environment& environment);
  void add_new_particles(const Environment& environment);
  template <int Dim>
  void orient_new_particles(std::size_t old);
  void build_neighbours(const Environment& environment);
  void update_forces(const Environment& environment);
  template <int Dim>
  void advance(const Environment& environment, Real dt);
  template <int Dim>
  StepView<Dim> view(const Environment& environment);
  template <int Dim>
  void refresh_rows(const Environment& environment);
  void resize_columns(std::size_t n);
  void measure_deformation();
  Real reach() const;

  OwnColumns own_;
  SharedColumn<Mat3> a_;        // takes the lattice to the neighbours
  SharedColumn<Mat3> plastic_;  // what has flowed
  SharedColumn<Vec3> torque_;   // that friction owes, N m
  SharedColumn<std::uint8_t> phase_;
  SharedColumn<Index> object_;  // body that a particle bonds with; contact with all others
  SharedColumn<SlotRates> rates_;
  SharedColumn<SlotHolders> holders_;
  SharedColumn<SlotRests> rests_;  // these three only where matter freezes
  SharedColumn<Real> closer_;
  SharedColumn<Index> sets_in_;

  std::map<Index, Mat3> lay_;     // by body, how its lattice lay at the start
  HostColumn<Mat3> deformation_;  // since then, for files

  std::vector<Real> mass_;     // by material, of its heaviest particle, kg; 0: not in use
  std::vector<Solid> solids_;  // by material
  KernelTable<Solid> solid_table_;
  Warmth warmth_;
  sph::Kernel kernel_;  // of liquids
  Column<sph::WallTable> walls_;
  Real self_ = 0;
  bool flows_ = false;    // some material may be liquid
  bool freezes_ = false;  // some material freezes, or did
  bool yields_ = false;   // some material flows plastically, or did
  StepColumns columns_;
  bool phases_changed_ = true;  // since calm particles were found
  Real moved_ = 0;              // m, at most, since rows were built
  bool holders_valid_ = false;

  HolderScratch holding_scratch_;
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
