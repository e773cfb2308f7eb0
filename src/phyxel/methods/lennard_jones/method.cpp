#include "phyxel/methods/lennard_jones/method.h"

#include <algorithm>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

void Solver::begin(const Environment& environment) {
  const HostParticles& host = store_.for_host();
  mass_of_material_.assign(environment.materials.size(), 0);
  for (Index i = 0; i < host.size(); ++i) mass_of_material_[host.material[i]] = host.mass[i];
  total_up(environment.exec);
  resize_columns(environment, host.x.size());
  pair_energy_.resize(host.x.size());
  rows_valid_ = forces_valid_ = strengths_valid_ = false;
  refresh_laws(environment);
}

void Solver::resize_columns(const Environment& environment, std::size_t n) {
  StepColumns& c = columns_;
  c.x.resize(n + 1);
  c.v.resize(n + 1);
  for (auto* column : {&c.lost, &c.work, &c.root_strength, &c.pair_energy}) column->resize(n);
  c.force.resize(n);
  c.dissipative.resize(n);
  if (environment.colliders.empty()) return;
  c.external_power.resize(n);
  c.friction.resize(n);
  c.contact_normal.resize(n);
  c.contact_velocity.resize(n);
}

/// Every step, because keyframes may change any parameter at any time.
void Solver::refresh_laws(const Environment& environment) {
  update_laws(environment, mass_of_material_, laws_);
  if (strengths_valid_ && !laws_.softens) return;
  set_root_strengths(environment.exec, store_.for_kernels(), laws_, columns_.root_strength);
  strengths_valid_ = true;
}

void Solver::update_pins(const Environment& environment, Real dt) {
  view_pins(environment, dt, pins_);
  assign(pin_column_, pins_);
}

StepView Solver::view(const Environment& environment) {
  Particles& p = store_.for_kernels();
  StepColumns& c = columns_;
  StepView s;
  s.n = p.size();
  s.x = p.x.data();
  s.v = p.v.data();
  s.mass = p.mass.data();
  s.material = p.material.data();
  s.pin = environment.pins.empty() ? nullptr : p.pin.data();
  s.x_at_build = c.x_at_build.data();
  s.x_quad = c.x.data();
  s.v_quad = laws_.is_plain() ? nullptr : c.v.data();
  s.force = c.force.data();
  s.lost = c.lost.data();
  s.work = c.work.data();
  s.pair_energy = c.pair_energy.data();
  s.root_strength = c.root_strength.data();
  s.obstacle = laws_.obstacle_column.data();
  s.damping = laws_.damping_column.data();
  s.pins = pin_column_.data();
  s.box = environment.box;
  s.gravity = environment.gravity;
  s.flat = environment.dimensions == 2;
  s.euler = laws_.euler;
  s.colliders = colliders_.views();
  if (s.colliders.count > 0 || laws_.viscous) s.dissipative = c.dissipative.data();
  if (s.colliders.count > 0) {
    s.external_power = c.external_power.data();
    s.friction = c.friction.data();
    s.contact_normal = c.contact_normal.data();
    s.contact_velocity = c.contact_velocity.data();
  }
  s.pairs = {s.x_quad,
             s.v_quad,
             rows_.start.data(),
             rows_.count.data(),
             rows_.neighbour.data(),
             laws_.pair_column.data(),
             laws_.materials,
             period_of(environment.box)};
  set_inner(environment.box, rows_.radius, laws_.cutoff, s.pairs);
  return s;
}

// The skin is what rows reach beyond the cut-off. A wide one makes long rows, a narrow one frequent
// searches. Neither follows from the other: in a crystal rows grow by whole shells, and particles
// that vibrate in place hardly wear out a skin wider than their motion. So the share of the cut-off
// goes one way as long as a step becomes cheaper, and turns where it does not. Costs are counted,
// not taken from clocks: runs stay reproducible.
namespace {

constexpr double least_share = 0.02, largest_share = 0.25;
constexpr double change_of_share = 1.1;
constexpr double cost_of_search = 250;  // per particle, in places of a row

}  // namespace

Real Solver::skin(const PeriodicBox& box) const {
  Real skin = static_cast<Real>(skin_.share) * laws_.cutoff;
  for (int k = 0; k < 3; ++k)  // a small periodic box leaves less room: rows may reach half of it
    if (box.periodic[k]) skin = std::max(Real(0), std::min(skin, box.size[k] / 2 - laws_.cutoff));
  return skin;
}

namespace {

/// Places of rows that a particle costs in a step, searches included.
double cost_of_step(const NeighbourRows& rows, int steps) {
  const double places = static_cast<double>(rows.neighbour.size()) / rows.count.size();
  return places + cost_of_search / steps;
}

}  // namespace

/// To be called with rows that served for some steps.
void Solver::adapt_skin() {
  const double cost = cost_of_step(rows_, steps_with_rows_);
  if (cost > skin_.cost) skin_.grows = !skin_.grows;
  skin_.cost = cost;
  skin_.share *= skin_.grows ? change_of_share : 1 / change_of_share;
  skin_.share = std::clamp(skin_.share, least_share, largest_share);
}

/// Rows serve while nobody can have come within the cut-off unseen, whatever keyframes made of it.
/// How far anybody moved by now was measured with the last forces; the step since can have added
/// no more than its largest speed and acceleration allow. So nothing has to be fetched from a GPU.
bool Solver::rows_serve(const Environment& environment, Real dt) {
  if (!rows_valid_) return false;
  // Still far from worn out when the search is long paid off: shorter rows may do.
  if (steps_with_rows_ > 100 && skin_.share > least_share) return false;
  const Real reserve = rows_.radius - laws_.cutoff;
  Real moved = 0;
  if (environment.pins.empty())
    moved = std::sqrt(extremes_.moved_squared) + largest_path(dt);
  else
    moved = largest_move(environment.exec, store_.for_kernels().x, columns_.x_at_build,
                         environment.box);
  return 2 * moved < reserve;
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "lennard_jones.neighbours");
  if (rows_valid_) adapt_skin();
  Particles& p = store_.for_kernels();
  const Real radius = laws_.cutoff + skin(environment.box);
  build_cells_for_rows(exec, p.x, radius, environment.box, cells_);
  reorder(exec, p, cells_.order, scratch_);
  for (auto* column : {&columns_.root_strength, &columns_.lost, &columns_.work})
    permute(exec, "lennard_jones.reorder", *column, cells_.order, scratch_.real);
  build_rows(exec, p.x, cells_, radius, rows_);
  columns_.x_at_build = p.x;
  steps_with_rows_ = 0;
  rows_valid_ = true;
  pack_particles(exec, view(environment));
}

/// Forces of the state as it is, without moving anything.
void Solver::update_forces(const Environment& environment) {
  if (!rows_valid_) build_neighbours(environment);
  colliders_.update(environment.colliders);
  pack_particles(environment.exec, view(environment));
  extremes_ = apply_forces(environment.exec, view(environment), laws_, 0, true);
  path_since_stiffness_ = 0;
  forces_valid_ = true;
}

/// Velocity Verlet (kick, drift, kick), or the explicit Euler method of the paper.
void Solver::step(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  refresh_laws(environment);
  update_pins(environment, dt);
  if (!forces_valid_) update_forces(environment);
  colliders_.update(environment.colliders);
  move_particles(exec, view(environment), dt);
  ++steps_with_rows_;
  if (!rows_serve(environment, dt)) build_neighbours(environment);
  path_since_stiffness_ += largest_path(dt);
  const bool stiffness = path_since_stiffness_ > laws_.stiffness_path;
  const Real before = extremes_.squared_frequency;
  extremes_ = apply_forces(exec, view(environment), laws_, laws_.euler ? 0 : dt / 2, stiffness);
  if (stiffness)
    path_since_stiffness_ = 0;
  else
    extremes_.squared_frequency = before;
}

/// No particle goes farther in a step, by the speeds and forces at its beginning.
Real Solver::largest_path(Real dt) const {
  return dt * (std::sqrt(extremes_.speed_squared) + dt * std::sqrt(extremes_.squared_acceleration));
}

/// Moves what was lost and gained since the last time into the totals.
void Solver::total_up(const Exec& exec) {
  dissipated_energy_ += drain(exec, columns_.lost);
  external_work_ += drain(exec, columns_.work);
}

void Solver::report_non_finite() {
  const Particles& p = store_.for_kernels();
  const Index i = extremes_.first_bad;
  const char* part = "stiffness";
  if (!is_finite(element(columns_.force, i))) part = "force";
  if (!std::isfinite(length_squared(element(p.v, i)))) part = "velocity";
  if (!is_finite(element(p.x, i))) part = "position";
  throw Error("lennard_jones.forces: particle " + std::to_string(element(p.id, i)) +
              " has a non-finite " + part);
}

StableStep Solver::stable_dt(const Environment& environment) {
  if (store_.for_kernels().size() == 0) return {};
  if (!forces_valid_) update_forces(environment);
  const Extremes& e = extremes_;
  if (e.first_bad < std::numeric_limits<Index>::max()) report_non_finite();
  const double omega = std::sqrt(double(e.squared_frequency)),
               speed = std::sqrt(double(e.speed_squared));
  StableStep limit{1.0 / (omega + 1e-30),
                   "half of the vibration limit 2/omega of the stiffest particle"};
  const auto tighten = [&](double dt, const char* reason) {
    if (dt < limit.dt) limit = {dt, reason};
  };
  const double length =
      environment.colliders.empty() ? laws_.spacing : std::min(laws_.spacing, laws_.reach);
  tighten(0.05 * length / (speed + 1e-30),
          "the fastest particle may move a twentieth of r0 or of the obstacle range");
  tighten(0.5 / (e.viscous_rate + 1e-30), "viscous damping between neighbours");
  tighten(0.1 / (e.approach_rate + 1e-30),
          "a particle may come nearer to a collider by a tenth of its distance");
  if (laws_.euler) {
    Real least = laws_.damping[laws_.used.front()];
    for (Index m : laws_.used) least = std::min(least, laws_.damping[m]);
    tighten(std::max(0.5 * least / (omega * omega), 0.02 / omega),
            "explicit Euler needs damping / omega^2");
  }
  return limit;
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  views.push_back(phyxel::view("pair_energy", "J", pair_energy_));
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  if (!forces_valid_) update_forces(environment);
  const Exec& exec = environment.exec;
  total_up(exec);
  const Particles& p = store_.for_kernels();
  Diagnostics d = measure(exec, p);
  const Energies energies = measure_energies(exec, view(environment), laws_);
  copy_to_host(columns_.pair_energy, pair_energy_);
  const double gravity = -dot(cast<double>(environment.gravity), d.mass_moment);
  d.potential_energy = energies.pair + energies.obstacle + gravity;
  d.extra = {{"pair_energy", energies.pair},
             {"obstacle_energy", energies.obstacle},
             {"gravity_energy", gravity},
             {"virial", energies.virial},
             {"dissipated_energy", dissipated_energy_},
             {"external_work", external_work_},
             {"energy_balance",
              d.kinetic_energy + d.potential_energy + dissipated_energy_ - external_work_}};
  for (std::size_t k = 0; k < environment.pins.size(); ++k) {
    const Vec3d force = holding_force(exec, p, columns_.force, static_cast<Index>(k));
    for (int c = 0; c < 3; ++c)
      d.extra.emplace_back("pin_" + environment.pins[k].name + "_force_" + "xyz"[c], force[c]);
  }
  return d;
}

std::map<std::string, double> Solver::save() {
  total_up({});
  return {{"dissipated_energy", dissipated_energy_},
          {"external_work", external_work_},
          {"skin_share", skin_.share},
          {"skin_cost", skin_.cost},
          {"skin_grows", skin_.grows ? 1 : 0}};
}

void Solver::load(const std::map<std::string, double>& numbers) {
  total_up({});
  dissipated_energy_ = numbers.at("dissipated_energy");
  external_work_ = numbers.at("external_work");
  skin_ = {numbers.at("skin_share"), numbers.at("skin_cost"), numbers.at("skin_grows") != 0};
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
