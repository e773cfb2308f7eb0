#include "phyxel/methods/lennard_jones/method.h"

#include <algorithm>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

Solver::Solver() : NeighbourMethod("lennard_jones.forces", {.cost_of_search = 250}) {
  own_.scratch(&StepView::x_quad, 1);
  own_.scratch(&StepView::v_quad, 1);
  own_.scratch(&StepView::dissipative);
  own_.scratch(&StepView::external_power, 0, &has_colliders_);
  own_.scratch(&StepView::friction, 0, &has_colliders_);
  own_.scratch(&StepView::contact_normal, 0, &has_colliders_);
  own_.scratch(&StepView::contact_velocity, 0, &has_colliders_);
  own_.scratch(&StepView::contact_collider, 0, &has_colliders_);
  own_.add_result("pair_energy", "J", shown_pair_energy_);
  declare_heat();
  heat_.contact_reach = Real(1.2);  // colliders keep particles away by 0.8 r0
}

void Solver::begin(const Environment& environment) {
  const HostParticles& host = store_.for_host();
  mass_of_material_.assign(environment.materials.size(), 0);
  for (Index i = 0; i < host.size(); ++i) mass_of_material_[host.material[i]] = host.mass[i];
  total_up(environment.exec);
  has_colliders_ = !environment.colliders.empty();
  start_frame();
  strengths_valid_ = false;
  refresh_laws(environment);
  update_enthalpies();
}

void Solver::refresh_laws(const Environment& environment) {
  update_laws(environment, mass_of_material_, laws_);
  refresh_heat<Parameters>(environment, laws_.used, laws_.cutoff);
  if (strengths_valid_ && !laws_.softens) return;
  set_root_strengths(environment.exec, store_.for_kernels(), laws_, root_strength_);
  strengths_valid_ = true;
}

StepView Solver::view(const Environment& environment) {
  auto s = start_view<StepView>(environment);
  if (laws_.is_plain()) s.v_quad = nullptr;
  if (!has_colliders_ && !laws_.viscous) s.dissipative = nullptr;
  s.obstacle = laws_.obstacle_table.data();
  s.damping = laws_.damping_table.data();
  s.euler = laws_.euler;
  s.forces_counted = reactions_.forces();
  const auto damps = [&](Index m) { return laws_.damping[m] != 0; };
  if (std::any_of(laws_.used.begin(), laws_.used.end(), damps)) s.damped = reactions_.damping();
  force_shares_ = s.euler ? ForceShares{1, 0} : ForceShares{0.5, 0.5};
  s.pairs = {s.x_quad,        s.v_quad,    s.row_start,
             s.row_count,     s.neighbour, laws_.pair_table.data(),
             laws_.materials, s.period};
  set_inner(environment.box, rows_.radius, laws_.cutoff, s.pairs);
  return s;
}

/// How far particles have moved since rows were built: measured with the last forces. The step
/// since can have added no more than its largest speed and acceleration allow, so that nothing has
/// to be fetched from a GPU.
Real Solver::largest_move_with(const Environment& environment, Real dt) {
  return environment.pins.empty()
             ? std::sqrt(extremes_.moved_squared) + largest_path(dt)
             : largest_move(environment.exec, store_.for_kernels().x, x_at_build_, environment.box);
}

void Solver::build_neighbours(const Environment& environment) {
  const TimerScope scope(environment.exec.timers, "lennard_jones.neighbours");
  build_rows(environment, laws_.cutoff);
  pack_particles(environment.exec, view(environment));
}

/// Forces of the state as it is, without moving anything.
void Solver::find_forces(const Environment& environment) {
  if (!rows_valid_) build_neighbours(environment);
  update_boundaries(environment, 0);
  exchange_heat(environment, 0);
  pack_particles(environment.exec, view(environment));
  extremes_ = apply_forces(environment.exec, view(environment), laws_, 0, true);
  path_since_stiffness_ = 0;
}

/// Velocity Verlet (kick, drift, kick), or the explicit Euler method of the paper.
void Solver::advance(const Environment& environment, Real dt) {
  if (dt <= 0) return find_forces(environment);
  const Exec& exec = environment.exec;
  require_forces(environment);
  update_boundaries(environment, dt);
  move_particles(exec, view(environment), dt);
  if (!rows_stay_valid(largest_move_with(environment, dt), laws_.cutoff))
    build_neighbours(environment);
  exchange_heat(environment, dt);
  path_since_stiffness_ += largest_path(dt);
  const bool stiffness = path_since_stiffness_ > laws_.stiffness_path;
  const Real before = extremes_.squared_frequency;
  extremes_ = apply_forces(exec, view(environment), laws_, laws_.euler ? 0 : dt / 2, stiffness);
  if (stiffness)
    path_since_stiffness_ = 0;
  else
    extremes_.squared_frequency = before;
}

/// Upper bound of the path of a particle in a step, by the speeds and forces at its beginning.
Real Solver::largest_path(Real dt) const {
  return dt * (std::sqrt(extremes_.speed_squared) + dt * std::sqrt(extremes_.squared_acceleration));
}

/// Adds losses and gains of energy since the last call to the totals.
void Solver::total_up(const Exec& exec) {
  dissipated_energy_ += drain(exec, lost_);
  external_work_ += drain(exec, work_);
}

const char* Solver::other_bad_part(Index i) {
  return is_finite(element(force_, i)) ? "stiffness" : "force";
}

StableStep Solver::limit_of_step(const Environment& environment) {
  const Extremes& e = extremes_;
  const double omega = std::sqrt(double(e.squared_frequency)),
               speed = std::sqrt(double(e.speed_squared));
  StableStep limit{1.0 / (omega + 1e-30),
                   "half of the vibration limit 2/omega of the stiffest particle",
                   StepLimit::stiffness};
  const double length =
      environment.colliders.empty() ? laws_.spacing : std::min(laws_.spacing, laws_.reach);
  limit.tighten({0.05 * length / (speed + 1e-30),
                 "the fastest particle may move a twentieth of r0 or of the obstacle range",
                 StepLimit::speed});
  limit.tighten({0.5 / (e.viscous_rate + 1e-30), "viscous damping between neighbours",
                 StepLimit::viscosity, 0});
  limit.tighten({0.1 / (e.approach_rate + 1e-30),
                 "a particle may come nearer to a collider by a tenth of its distance",
                 StepLimit::contact});
  // Colliders do not act beyond the obstacle range: no particle may pass it in a step.
  for (const Collider& collider : environment.colliders) {
    if (collider.motion.times.size() < 2) continue;
    const double from = environment.time, to = from + limit.dt;
    if (jumps_between(collider.jumps, from, to)) continue;
    limit.tighten({0.5 * laws_.reach / (largest_speeds(collider.motion, from, to).velocity + 1e-30),
                   "a collider may move by half of the obstacle range", StepLimit::contact});
  }
  if (laws_.euler) {
    Real least = laws_.damping[laws_.used.front()];
    for (Index m : laws_.used) least = std::min(least, laws_.damping[m]);
    limit.tighten({std::max(0.5 * least / (omega * omega), 0.02 / omega),
                   "explicit Euler needs damping / omega^2", StepLimit::stiffness, 2});
  }
  return limit;
}

void Solver::before_removal(const Exec& exec) {
  total_up(exec);
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  require_forces(environment);
  const Exec& exec = environment.exec;
  total_up(exec);
  Diagnostics d = measure_motion(environment);
  const Energies energies = measure_energies(exec, view(environment), laws_);
  copy_to_host(pair_energy_, shown_pair_energy_);
  const double gravity = d.potential_energy;
  d.potential_energy += energies.pair + energies.obstacle;
  d.extra = {{"pair_energy", energies.pair},
             {"obstacle_energy", energies.obstacle},
             {"gravity_energy", gravity},
             {"virial", energies.virial},
             {"dissipated_energy", dissipated_energy_},
             {"external_work", external_work_ + field_work()},
             {"energy_balance", d.kinetic_energy + d.potential_energy + dissipated_energy_ -
                                    (external_work_ + field_work())}};
  for (std::size_t k = 0; k < environment.pins.size(); ++k) {
    const Vec3d force = holding_force(exec, store_.for_kernels(), force_, static_cast<Index>(k));
    for (int c = 0; c < 3; ++c)
      d.extra.emplace_back("pin_" + environment.pins[k].name + "_force_" + "xyz"[c], force[c]);
  }
  return d;
}

std::map<std::string, double> Solver::save() {
  total_up({});
  std::map<std::string, double> numbers = NeighbourMethod::save();
  numbers["dissipated_energy"] = dissipated_energy_;
  numbers["external_work"] = external_work_;
  return numbers;
}

void Solver::load(const std::map<std::string, double>& numbers) {
  NeighbourMethod::load(numbers);
  total_up({});
  dissipated_energy_ = numbers.at("dissipated_energy");
  external_work_ = numbers.at("external_work");
  NeighbourMethod::load(numbers);
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
