#pragma once

#include "phyxel/methods/lennard_jones/forces.h"
#include "phyxel/methods/skeleton/neighbour_method.h"

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

/// Particle volumes after Tonnesen, "Dynamically coupled particle systems", chapter 3.
class Solver final : public NeighbourMethod {
 public:
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
  bool rows_are_valid(const Environment& environment, Real dt);
  void build_neighbours(const Environment& environment);
  void update_forces(const Environment& environment);
  void total_up(const Exec& exec);
  Real largest_path(Real dt) const;
  StepView view(const Environment& environment);

  Laws laws_;
  std::vector<Real> mass_of_material_;
  StepColumns columns_;
  HostColumn<Real> pair_energy_;  // of the last diagnostics, for files
  bool strengths_valid_ = false;
  int steps_with_rows_ = 0;
  Real path_since_stiffness_ = 0;  // m, largest possible since stiffness was summed
  AdaptiveSkin skin_;
  double dissipated_energy_ = 0;  // J since the start
  double external_work_ = 0;      // J since the start
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
