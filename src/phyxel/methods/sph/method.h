#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/sph/material.h"
#include "phyxel/methods/sph/passes.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

/// Weakly compressible liquids after Monaghan 1992, 1994, with XSPH.
class Solver final : public Method {
 public:
  HostParticles& particles() override { return store_.for_host(); }
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
  void update_pins(const Environment& environment, Real dt);
  void build_neighbours(const Environment& environment);
  void update_forces(const Environment& environment);
  bool rows_serve(const Moved& moved, Real dt) const;
  Real tension_over_density() const;  // m^3/s^2, the largest
  Real skin(const PeriodicBox& box) const;
  StepView view(const Environment& environment);
  [[noreturn]] void report_non_finite();

  ParticleStore store_;
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
  std::vector<PinView> pins_;
  Column<PinView> pin_column_;
  KernelColliders colliders_;
  CellTable cells_;
  NeighbourRows rows_;
  ReorderScratch scratch_;
  Extremes extremes_;
  bool rows_valid_ = false;
  bool forces_valid_ = false;
  bool colliders_moved_ = true;  // since near particles were found
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

MethodInfo info();

}  // namespace phyxel::sph
