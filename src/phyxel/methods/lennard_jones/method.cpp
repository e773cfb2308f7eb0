#include "phyxel/methods/lennard_jones/method.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/lennard_jones/crystal.h"

namespace phyxel::lennard_jones {

void Solver::begin(const Environment& environment) {
  const std::size_t n = particles_.x.size();
  resize(forces_, n);
  root_strength_.resize(n);
  lost_.assign(n, 0);
  work_.assign(n, 0);
  mass_of_material_.assign(environment.materials.size(), 0);
  for (std::size_t i = 0; i < n; ++i)
    mass_of_material_[particles_.material[i]] = particles_.mass[i];
  rows_valid_ = forces_valid_ = strengths_valid_ = false;
  update_laws(environment);
}

/// Every step, because keyframes may change any parameter at any time.
void Solver::update_laws(const Environment& environment) {
  laws_ = make_laws(environment, mass_of_material_);
  if (!laws_.softens && strengths_valid_) return;
  strengths_valid_ = !laws_.softens;
  for_each(environment.exec, "lennard_jones.strength", particles_.size(), [&](Index i) {
    const auto& p = parameters_of<Parameters>(environment.materials[particles_.material[i]]);
    root_strength_[i] = root_strength(p, particles_.temperature[i]);
  });
}

namespace {

/// What rows reach beyond the cut-off. A small periodic box leaves less room: rows may reach half
/// of it.
Real skin_for(const Laws& laws, const PeriodicBox& box) {
  Real skin = Real(0.3) * laws.spacing;
  for (int k = 0; k < 3; ++k)
    if (box.periodic[k]) skin = std::max(Real(0), std::min(skin, box.size[k] / 2 - laws.cutoff));
  return skin;
}

}  // namespace

/// Rows serve while nobody can have come within the cut-off unseen, whatever keyframes made of it.
void Solver::update_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const Real reserve = rows_.radius - laws_.cutoff;
  if (rows_valid_ && 2 * largest_move(exec, particles_.x, x_at_build_, environment.box) < reserve)
    return;
  const Real radius = laws_.cutoff + skin_for(laws_, environment.box);
  cell_order(exec, particles_.x, radius, environment.box, cell_sort_, order_);
  reorder(exec, particles_, order_, scratch_);
  permute(exec, "lennard_jones.reorder", forces_.force, order_, scratch_.vec);
  permute(exec, "lennard_jones.reorder", root_strength_, order_, scratch_.real);
  permute(exec, "lennard_jones.reorder", lost_, order_, scratch_.real);
  permute(exec, "lennard_jones.reorder", work_, order_, scratch_.real);
  build_rows(exec, particles_.x, radius, environment.box, rows_);
  x_at_build_ = particles_.x;
  rows_valid_ = true;
}

void Solver::update_forces(const Environment& environment) {
  update_neighbours(environment);
  compute_forces(environment, laws_, particles_, rows_, root_strength_, forces_);
  forces_valid_ = true;
}

namespace {

bool is_held(const Environment& environment, const Particles& p, Index i) {
  return p.pin[i] >= 0 && environment.pins[p.pin[i]].active;
}

/// The tangential velocity loses at most the Coulomb impulse and never turns round.
PHYXEL_FN Vec3 rubbed(const Vec3& v, const Vec3& normal, const Vec3& wall, Real speed_limit) {
  const Vec3 relative = v - wall;
  const Vec3 tangential = relative - normal * dot(relative, normal);
  const Real speed = length(tangential);
  return speed > speed_limit ? v - tangential * (speed_limit / speed) : v - tangential;
}

PHYXEL_FN Real kinetic(Real m, const Vec3& v) {
  return Real(0.5) * m * length_squared(v);
}

}  // namespace

/// v += a dt, then friction at the strongest contact.
void Solver::kick(const Environment& environment, Real dt) {
  Particles& p = particles_;
  for_each(environment.exec, "lennard_jones.kick", p.size(), [&](Index i) {
    if (is_held(environment, p, i)) return;
    p.v[i] += forces_.force[i] * (dt / p.mass[i]);
    if (forces_.friction[i] <= 0) return;
    const Vec3 wall = forces_.contact_velocity[i];
    const Vec3 v =
        rubbed(p.v[i], forces_.contact_normal[i], wall, forces_.friction[i] * dt / p.mass[i]);
    // Heat is what relative motion loses; what is missing from or added to the rest, the wall did.
    const Real heat = kinetic(p.mass[i], p.v[i] - wall) - kinetic(p.mass[i], v - wall);
    lost_[i] += heat;
    work_[i] += kinetic(p.mass[i], v) - kinetic(p.mass[i], p.v[i]) + heat;
    p.v[i] = v;
  });
}

/// x += v dt with the damping of eq. 3.1 solved exactly; pinned particles follow their pin.
void Solver::drift(const Environment& environment, Real dt) {
  Particles& p = particles_;
  std::vector<Transform> moved;
  for (const Pin& pin : environment.pins) {
    const Pose before = pose_at(pin.motion, environment.time - dt);
    const Mat3 turn = pin.pose.transform.rotation * transpose(before.transform.rotation);
    moved.push_back({turn, pin.pose.transform.translation - turn * before.transform.translation});
  }
  for_each(environment.exec, "lennard_jones.drift", p.size(), [&](Index i) {
    if (is_held(environment, p, i)) {
      const Vec3 v_before = p.v[i];
      p.x[i] = apply(moved[p.pin[i]], p.x[i]);
      p.v[i] = velocity_at(environment.pins[p.pin[i]], p.x[i]);
      work_[i] += kinetic(p.mass[i], p.v[i]) - kinetic(p.mass[i], v_before);
    } else {
      const Vec3 v = p.v[i];
      const Real rate = laws_.damping[p.material[i]];
      const Real kept = laws_.euler ? 1 - rate * dt : std::exp(-rate * dt);
      p.v[i] = v * kept;
      lost_[i] += kinetic(p.mass[i], v) - kinetic(p.mass[i], p.v[i]);
      p.x[i] += (laws_.euler ? v : p.v[i]) * dt;
    }
    p.x[i] = wrap(environment.box, p.x[i]);
  });
}

/// Work of the dissipative forces and of colliders over half a drift. Taken with the velocity of
/// the drift before and after it, the sum is the work that the scheme itself does: the balance has
/// no drift.
void Solver::account(const Environment& environment, Real dt) {
  const Particles& p = particles_;
  for_each(environment.exec, "lennard_jones.account", p.size(), [&](Index i) {
    lost_[i] -= dot(forces_.dissipative[i], p.v[i]) * dt;
    work_[i] += forces_.external_power[i] * dt;
    if (is_held(environment, p, i)) work_[i] -= dot(forces_.force[i], p.v[i]) * dt;
  });
}

/// Moves what this step lost and gained into the totals.
void Solver::total_up(const Environment& environment) {
  const auto drain = [&](Column<Real>& column) {
    const double sum = reduce_sum(environment.exec, "lennard_jones.total_up", particles_.size(),
                                  [&](Index i) { return static_cast<double>(column[i]); });
    std::fill(column.begin(), column.end(), Real(0));
    return sum;
  };
  dissipated_energy_ += drain(lost_);
  external_work_ += drain(work_);
}

/// Velocity Verlet (kick, drift, kick), or the explicit Euler method of the paper.
void Solver::step(const Environment& environment, Real dt) {
  update_laws(environment);
  if (!forces_valid_) update_forces(environment);
  if (laws_.euler) {
    drift(environment, dt);
    account(environment, dt);
    kick(environment, dt);
    update_forces(environment);
  } else {
    kick(environment, dt / 2);
    drift(environment, dt);
    account(environment, dt / 2);
    update_forces(environment);
    account(environment, dt / 2);
    kick(environment, dt / 2);
  }
  total_up(environment);
}

namespace {

/// Largest values that limit a step; NaN anywhere makes `finite` false.
struct Extremes {
  Real speed_squared = 0;
  Real squared_frequency = 0;
  Real viscous_rate = 0;
  Real approach_rate = 0;
  bool finite = true;
};

Extremes larger(const Extremes& a, const Extremes& b) {
  return {std::max(a.speed_squared, b.speed_squared),
          std::max(a.squared_frequency, b.squared_frequency),
          std::max(a.viscous_rate, b.viscous_rate), std::max(a.approach_rate, b.approach_rate),
          a.finite && b.finite};
}

/// What of a particle has left the range of numbers; null when nothing has. A speed whose square
/// overflows counts.
const char* non_finite_part(const Particles& p, const Forces& f, Index i) {
  if (!is_finite(p.x[i])) return "position";
  if (!std::isfinite(length_squared(p.v[i]))) return "velocity";
  if (!is_finite(f.force[i])) return "force";
  return std::isfinite(f.squared_frequency[i]) ? nullptr : "stiffness";
}

[[noreturn]] void report_non_finite(const Particles& p, const Forces& f) {
  Index i = 0;
  while (i + 1 < p.size() && !non_finite_part(p, f, i)) ++i;
  throw Error(fmt::format("lennard_jones.forces: particle {} has a non-finite {}", p.id[i],
                          non_finite_part(p, f, i)));
}

}  // namespace

StableStep Solver::stable_dt(const Environment& environment) {
  if (particles_.size() == 0) return {};
  if (!forces_valid_) update_forces(environment);
  const Extremes e = reduce(
      environment.exec, "lennard_jones.stable_dt", particles_.size(), Extremes{},
      [&](Index i) {
        const Real speed2 = length_squared(particles_.v[i]);
        const Real frequency2 = forces_.squared_frequency[i];
        return Extremes{speed2, frequency2, forces_.viscous_rate[i], forces_.approach_rate[i],
                        !non_finite_part(particles_, forces_, i)};
      },
      larger);
  if (!e.finite) report_non_finite(particles_, forces_);
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
  std::vector<ColumnView> views = columns_of(particles_);
  views.push_back(view("pair_energy", "J", forces_.pair_energy));
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  if (!forces_valid_) update_forces(environment);
  const Exec& exec = environment.exec;
  const Index n = particles_.size();
  const auto sum = [&](const Column<Real>& column) {
    return reduce_sum(exec, "lennard_jones.energy", n, [&](Index i) { return double(column[i]); });
  };
  Diagnostics d = measure(exec, particles_);
  const double pair = sum(forces_.pair_energy), obstacle = sum(forces_.obstacle_energy);
  const double gravity = -dot(cast<double>(environment.gravity), d.mass_moment);
  d.potential_energy = pair + obstacle + gravity;
  d.extra = {{"pair_energy", pair},
             {"obstacle_energy", obstacle},
             {"gravity_energy", gravity},
             {"virial", sum(forces_.virial)},
             {"dissipated_energy", dissipated_energy_},
             {"external_work", external_work_},
             {"energy_balance",
              d.kinetic_energy + d.potential_energy + dissipated_energy_ - external_work_}};
  for (std::size_t k = 0; k < environment.pins.size(); ++k)
    for (int c = 0; c < 3; ++c)  // what holds the pinned particles against everything else
      d.extra.emplace_back(fmt::format("pin_{}_force_{}", environment.pins[k].name, "xyz"[c]),
                           reduce_sum(exec, "lennard_jones.pins", n, [&](Index i) {
                             return particles_.pin[i] == Index(k) ? -double(forces_.force[i][c])
                                                                  : 0.0;
                           }));
  return d;
}

std::map<std::string, double> Solver::save() const {
  return {{"dissipated_energy", dissipated_energy_}, {"external_work", external_work_}};
}

void Solver::load(const std::map<std::string, double>& numbers) {
  dissipated_energy_ = numbers.at("dissipated_energy");
  external_work_ = numbers.at("external_work");
}

MethodInfo info() {
  MethodInfo info;
  info.name = "lennard_jones";
  info.summary =
      "particle volumes: solids that flex, break, melt and flow by a pair potential (Tonnesen)";
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& p) {
    describe(fields, std::any_cast<Parameters&>(p));
  };
  info.alternatives = {{"dissociation_energy", "youngs_modulus"},
                       {"obstacle_alpha", "obstacle_beta"}};
  info.rest_spacing = [](const Material& material, int dimensions) {
    const Parameters& p = parameters_of<Parameters>(material);
    if (!is_given(p.equilibrium_distance)) return double(not_given);
    return relaxed_spacing(unit_energy_law(p), dimensions);
  };
  info.resolve = resolve;
  info.report = report;
  // x v mass T id material body pin, forces, strengths, and about 100 row entries with the skin.
  info.bytes_per_particle =
      13 * sizeof(Vec3) + 12 * sizeof(Real) + 8 * sizeof(Index) + 120 * sizeof(Index);
  info.make = []() -> std::unique_ptr<Method> { return std::make_unique<Solver>(); };
  return info;
}

}  // namespace phyxel::lennard_jones
