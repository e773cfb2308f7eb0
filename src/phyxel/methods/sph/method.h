#pragma once

#include "phyxel/methods/skeleton/neighbour_method.h"
#include "phyxel/methods/sph/material.h"
#include "phyxel/methods/sph/passes.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

/// Weakly compressible liquids after Monaghan 1992, 1994, with XSPH.
class Solver final : public NeighbourMethod {
 public:
  Solver();
  void begin(const Environment& environment) override;
  Diagnostics diagnostics(const Environment& environment) override;

 private:
  void refresh_laws(const Environment& environment) override;
  void build_neighbours(const Environment& environment) override;
  void advance(const Environment& environment, Real dt) override;
  StableStep limit_of_step(const Environment& environment) override;
  const char* other_bad_part(Index i) override;
  void measure_volumes(const Environment& environment);
  Real largest_move(const Moved& moved, Real dt) const;
  Real tension_over_density() const;  // m^3/s^2, the largest
  StepView view(const Environment& environment);

  std::vector<Law> laws_;  // by material; those of other methods mean nothing
  KernelTable<Law> law_table_;
  std::vector<Index> used_;  // materials of this method
  SmoothingKernel kernel_;
  Cohesion cohesion_;
  int dimensions_ = 3;
  KernelTable<WallTable> wall_table_;
  Real spacing_ = 0;  // m, edge of the largest volume
  Real self_ = 0;
  bool mixed_ = false;  // there are several materials
  bool tense_ = false;  // there is surface tension
  Column<Real>& ratio_ = own_.scratch(&StepView::ratio);
  HostColumn<Real> density_, pressure_;  // of the last diagnostics
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::sph
