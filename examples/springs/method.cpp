#include "springs/method.h"

#include <algorithm>
#include <cmath>

#include "phyxel/methods/skeleton/neighbour_method.h"
#include "phyxel/methods/skeleton/passes.h"
#include "springs/law.h"
#include "springs/material.h"

namespace phyxel::springs {

inline namespace PHYXEL_BACKEND {

/// What the kernels of a step read and write beside what all methods have.
struct StepView : ContactView {
  Vec3* force = nullptr;            // N
  Real* energy = nullptr;           // J, half of that of its springs
  const Spring* springs = nullptr;  // by pair of materials
  Index materials = 0;

  PHYXEL_FN const Spring& spring(Index i, Index j) const {
    return springs[material[i] * materials + material[j]];
  }
  PHYXEL_FN Real radius(Index i) const { return spring(i, i).rest / 2; }
};

/// Sums the forces of the springs of particle i, in the order of its row.
PHYXEL_FN Extremes sum_springs(const StepView& s, Index i) {
  Vec3 force = Vec3::zero();
  Real energy = 0, stiffness = 0, damping = 0;
  const Index end = s.row_start[i] + s.row_count[i];
  for (Index e = s.row_start[i]; e < end; ++e) {
    const Index j = s.neighbour[e];
    const Spring& spring = s.spring(i, j);
    const Vec3 d = minimum_image(s.box, s.x[j] - s.x[i]);
    const Real r = max(length(d), smallest_normal<Real>);
    const SpringTerm term = spring_term(spring, r, dot(s.v[j] - s.v[i], d) / r);
    force -= d * (term.push / r);
    energy += term.energy / 2;
    stiffness += spring.stiffness;  // of broken ones too: they may act in the next step
    damping += spring.damping;
  }
  s.force[i] = force;
  s.energy[i] = energy;
  Extremes e;
  e.squared_frequency = stiffness / s.mass[i];
  e.viscous_rate = damping / s.mass[i];
  if (!std::isfinite(length_squared(force) + length_squared(s.x[i]))) e.first_bad = i;
  return e;
}

PHYXEL_FN Extremes accelerate(const StepView& s, Index i, Real dt) {
  accelerate_ball(s, i, s.force[i] / s.mass[i] + s.gravity, s.radius(i), dt);
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  return e;
}

/// x += v dt, with pins and contact with colliders.
Moved move_particles(const Exec& exec, const StepView& view, Real dt) {
  return reduce(
      exec, "springs.move", view.n, Moved{},
      PHYXEL_LAMBDA(Index i) { return move_ball(view, i, view.radius(i), dt); }, LargerMove{});
}

/// Forces and energies of all springs.
Extremes sum_forces(const Exec& exec, const StepView& view) {
  return reduce(
      exec, "springs.forces", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) { return sum_springs(view, i); }, LargerExtremes{});
}

/// v += a dt. A loop of its own: dampers read the velocities of neighbours.
Extremes accelerate_particles(const Exec& exec, const StepView& view, Real dt) {
  return reduce(
      exec, "springs.accelerate", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) { return accelerate(view, i, dt); }, LargerExtremes{});
}

/// Masses joined by springs to all neighbours that are near enough.
class Solver final : public NeighbourMethod {
 public:
  Solver() : NeighbourMethod("springs.forces", {.share = 0.2}) {
    own_.scratch(&StepView::is_near);
    own_.scratch(&StepView::force);
    own_.add_result("spring_energy", "J", shown_energy_);
  }
  void begin(const Environment& environment) override;
  Diagnostics diagnostics(const Environment& environment) override;

 private:
  void refresh_laws(const Environment& environment) override;
  void build_neighbours(const Environment& environment) override;
  void advance(const Environment& environment, Real dt) override;
  StableStep limit_of_step(const Environment& environment) override;
  StepView view(const Environment& environment);

  std::vector<Index> used_;  // materials of this method
  KernelTable<Spring> springs_;
  Real reach_ = 0;  // m, of the longest spring
  Real rest_ = 0;   // m, of the shortest spring
  Column<Real>& energy_ = own_.scratch(&StepView::energy);
  HostColumn<Real> shown_energy_;  // of the last diagnostics
};

void Solver::begin(const Environment& environment) {
  used_ = materials_in_use(environment);
  start_frame();
  refresh_laws(environment);
}

Spring spring_of(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  return {p.stiffness, p.damping, material.spacing, p.reach * material.spacing};
}

void Solver::refresh_laws(const Environment& environment) {
  const std::vector<Material>& materials = environment.materials;
  std::vector<Spring> springs(materials.size() * materials.size());
  const Real reach_before = reach_;
  reach_ = 0, rest_ = std::numeric_limits<Real>::max();
  for (const Index a : used_)
    for (const Index b : used_) {
      const Spring spring = in_series(spring_of(materials[a]), spring_of(materials[b]));
      springs[a * materials.size() + b] = spring;
      reach_ = std::max(reach_, spring.reach), rest_ = std::min(rest_, spring.rest);
    }
  springs_.assign(springs);
  if (reach_ != reach_before) rows_valid_ = false;
}

StepView Solver::view(const Environment& environment) {
  auto s = start_view<StepView>(environment);
  s.springs = springs_.data();
  s.materials = static_cast<Index>(environment.materials.size());
  return s;
}

void Solver::build_neighbours(const Environment& environment) {
  build_rows(environment, reach_);
  // Rows stay valid until a particle has moved half the skin; a radius is at most half the reach.
  mark_near_colliders(environment.exec, "springs.near", view(environment), reach_ + skin());
}

/// Symplectic Euler: positions first, then velocities by the forces that act there.
void Solver::advance(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  start_step(environment, dt);
  if (dt > 0) {
    const Moved moved = move_particles(exec, view(environment), dt);
    if (!rows_stay_valid(std::sqrt(moved.path_squared), reach_)) build_neighbours(environment);
  }
  const Extremes forces = sum_forces(exec, view(environment));
  extremes_ = LargerExtremes{}(forces, accelerate_particles(exec, view(environment), dt));
}

StableStep Solver::limit_of_step(const Environment&) {
  // Gershgorin's circles: a mass and all its neighbours move against each other.
  const double omega = std::sqrt(2 * double(extremes_.squared_frequency));
  const double rate = 2 * double(extremes_.viscous_rate);
  const double speed = std::sqrt(double(extremes_.speed_squared));
  StableStep limit{0.5 / (omega + 1e-30), "a quarter of the vibration limit 2/omega",
                   StepLimit::stiffness};
  limit.tighten({0.5 / (rate + 1e-30), "dampers may take half of the speed between masses",
                 StepLimit::viscosity});
  limit.tighten({0.05 * rest_ / (speed + 1e-30),
                 "the fastest mass may cross a twentieth of a spring", StepLimit::speed});
  return limit;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure_motion(environment);
  if (size() == 0) return d;
  require_forces(environment);
  copy_to_host(energy_, shown_energy_);
  const double springs = sum_of(environment.exec, "springs.energy", energy_);
  d.extra = {{"spring_energy", springs}, {"gravity_energy", d.potential_energy}};
  d.potential_energy += springs;
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::springs
