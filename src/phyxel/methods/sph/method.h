#pragma once

#include "phyxel/methods/skeleton/neighbour_method.h"
#include "phyxel/methods/sph/material.h"
#include "phyxel/methods/sph/passes.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

/// Weakly compressible liquids after Monaghan 1992, 1994, with XSPH.
class Solver final : public NeighbourMethod {
 public:
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override { return {}; }
  void load(const std::map<std::string, double>&) override {}

 private:
  void resize_columns(std::size_t n);
  void measure_volumes(const Environment& environment);
  void refresh_laws(const Environment& environment);
  void build_neighbours(const Environment& environment);
  void update_forces(const Environment& environment);
  bool rows_are_valid(const Moved& moved, Real dt) const;
  Real tension_over_density() const;  // m^3/s^2, the largest
  StepView view(const Environment& environment);

  std::vector<Law> laws_;  // by material; those of other methods mean nothing
  Column<Law> law_column_;
  std::vector<Index> used_;  // materials of this method
  Kernel kernel_;
  Cohesion cohesion_;
  int dimensions_ = 3;
  Column<WallTable> walls_;
  Real spacing_ = 0;  // m, edge of the largest volume
  Real self_ = 0;
  StepColumns columns_;
  HostColumn<Real> density_, pressure_;  // of the last diagnostics, for files
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::sph
