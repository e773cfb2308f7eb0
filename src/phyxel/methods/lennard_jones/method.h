#pragma once

#include "phyxel/colliders/kernel_colliders.h"
#include "phyxel/methods/lennard_jones/forces.h"
#include "phyxel/methods/method.h"

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

/// How far rows reach beyond the cut-off, and what that was good for.
struct SkinChoice {
  double share = 0.1;  // of the cut-off
  double cost = 0;     // of a step with the share before
  bool grows = false;  // which way the share goes
};

/// Particle volumes after Tonnesen, "Dynamically coupled particle systems", chapter 3.
class Solver final : public Method {
 public:
  HostParticles& particles() override { return store_.for_host(); }
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void resize_columns(const Environment& environment, std::size_t n);
  void refresh_laws(const Environment& environment);
  void update_pins(const Environment& environment, Real dt);
  bool rows_serve(const Environment& environment, Real dt);
  void build_neighbours(const Environment& environment);
  void update_forces(const Environment& environment);
  void total_up(const Exec& exec);
  void adapt_skin();
  Real skin(const PeriodicBox& box) const;
  Real largest_path(Real dt) const;
  StepView view(const Environment& environment);
  [[noreturn]] void report_non_finite();

  ParticleStore store_;
  Laws laws_;
  std::vector<Real> mass_of_material_;
  StepColumns columns_;
  HostColumn<Real> pair_energy_;  // of the last diagnostics, for files
  std::vector<PinView> pins_;
  Column<PinView> pin_column_;
  KernelColliders colliders_;
  CellTable cells_;
  NeighbourRows rows_;
  ReorderScratch scratch_;
  Extremes extremes_;
  bool rows_valid_ = false;
  bool forces_valid_ = false;
  bool strengths_valid_ = false;
  int steps_with_rows_ = 0;
  Real path_since_stiffness_ = 0;  // m, largest possible since stiffness was summed
  SkinChoice skin_;
  double dissipated_energy_ = 0;  // J since the start
  double external_work_ = 0;      // J since the start
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

MethodInfo info();

}  // namespace phyxel::lennard_jones
