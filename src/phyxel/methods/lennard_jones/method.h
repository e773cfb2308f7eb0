#pragma once

#include "phyxel/methods/lennard_jones/forces.h"
#include "phyxel/methods/method.h"
#include "phyxel/neighbours/cell_sort.h"

namespace phyxel::lennard_jones {

/// Particle volumes after Tonnesen, "Dynamically coupled particle systems", chapter 3.
class Solver final : public Method {
 public:
  Particles& particles() override { return particles_; }
  void begin(const Environment& environment) override;
  StableStep stable_dt(const Environment& environment) override;
  void step(const Environment& environment, Real dt) override;
  std::vector<ColumnView> columns() override;
  Diagnostics diagnostics(const Environment& environment) override;
  std::map<std::string, double> save() const override;
  void load(const std::map<std::string, double>& numbers) override;

 private:
  void update_laws(const Environment& environment);
  void update_neighbours(const Environment& environment);
  void update_forces(const Environment& environment);
  void kick(const Environment& environment, Real dt);
  void drift(const Environment& environment, Real dt);
  void account(const Environment& environment, Real dt);
  void total_up(const Environment& environment);

  Particles particles_;
  Laws laws_;
  std::vector<Real> mass_of_material_;
  Forces forces_;
  NeighbourRows rows_;
  Column<Vec3> x_at_build_;
  Column<Real> root_strength_;
  Column<Real> lost_;  // J per particle in this step: damping, friction, inelastic contact
  Column<Real> work_;  // J per particle in this step: done by colliders and pins
  CellSort cell_sort_;
  Column<Index> order_;
  ReorderScratch scratch_;
  bool rows_valid_ = false;
  bool forces_valid_ = false;
  bool strengths_valid_ = false;
  double dissipated_energy_ = 0;  // J since the start
  double external_work_ = 0;      // J since the start
};

MethodInfo info();

}  // namespace phyxel::lennard_jones
