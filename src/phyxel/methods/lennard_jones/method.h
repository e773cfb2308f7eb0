#pragma once

#include "phyxel/methods/lennard_jones/forces.h"
#include "phyxel/methods/skeleton/neighbour_method.h"

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

/// Particle volumes after Tonnesen, "Dynamically coupled particle systems", chapter 3.
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
  const char* other_bad_part(Index i) override;
  Real largest_move_with(const Environment& environment, Real dt);
  void find_forces(const Environment& environment);
  void before_removal(const Exec& exec) override;
  void total_up(const Exec& exec);
  Real largest_path(Real dt) const;
  StepView view(const Environment& environment);

  Laws laws_;
  std::vector<Real> mass_of_material_;
  Column<Vec3>& force_ = own_.scratch(&StepView::force);
  Column<Real>& pair_energy_ = own_.scratch(&StepView::pair_energy);
  Column<Real>& root_strength_ = own_.carried(&StepView::root_strength);
  Column<Real>& lost_ = own_.carried(&StepView::lost);
  Column<Real>& work_ = own_.carried(&StepView::work);
  HostColumn<Real> shown_pair_energy_;  // of the last diagnostics
  bool has_colliders_ = false;
  bool strengths_valid_ = false;
  Real path_since_stiffness_ = 0;  // m, largest possible since stiffness was summed
  double dissipated_energy_ = 0;   // J since the start
  double external_work_ = 0;       // J since the start
};

std::unique_ptr<Method> make_solver();

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
