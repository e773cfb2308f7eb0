#include "phyxel/methods/sph/method.h"

#include <algorithm>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr double skin_share = 0.1;      // of the kernel's reach
constexpr Real gap_share = Real(0.25);  // of the spacing: particles at rest keep half a spacing

}  // namespace

void Solver::begin(const Environment& environment) {
  measure_volumes(environment);
  resize_columns(store_.for_host().x.size());
  rows_valid_ = forces_valid_ = false;
  refresh_laws(environment);
}

void Solver::resize_columns(std::size_t n) {
  StepColumns& c = columns_;
  c.before.resize(n + 1);
  c.after.resize(n + 1);
  c.ratio.resize(n);
  c.clear.resize(n);
  density_.resize(n);
  pressure_.resize(n);
}

/// The largest particle determines the smoothing length of all.
void Solver::measure_volumes(const Environment& environment) {
  const HostParticles& host = store_.for_host();
  std::vector<Real> mass(environment.materials.size(), 0);
  for (Index i = 0; i < host.size(); ++i)
    mass[host.material[i]] = std::max(mass[host.material[i]], host.mass[i]);
  used_.clear();
  spacing_ = 0;
  for (Index m = 0; m < static_cast<Index>(mass.size()); ++m) {
    const Material& material = environment.materials[m];
    if (mass[m] == 0 || material.method != "sph") continue;
    used_.push_back(m);
    check_agreement(environment.materials[used_.front()], material);
    const double volume = rest_volume(material, mass[m]);
    const double edge = environment.dimensions == 2 ? std::sqrt(volume) : std::cbrt(volume);
    spacing_ = std::max(spacing_, static_cast<Real>(edge));
  }
  dimensions_ = environment.dimensions;
}

/// Every step, because keyframes may change any parameter at any time.
void Solver::refresh_laws(const Environment& environment) {
  if (used_.empty()) return;
  const Material& first = environment.materials[used_.front()];
  const Real h = parameters_of<Parameters>(first).smoothing_ratio * spacing_;
  if (h != kernel_.h || !rows_valid_) {
    const SumKernel sums = make_sum_kernel(h, spacing_, dimensions_);
    const Real volume = dimensions_ == 2 ? spacing_ * spacing_ : spacing_ * spacing_ * spacing_;
    kernel_ = sums.kernel;
    cohesion_ = make_cohesion(kernel_, spacing_, dimensions_);
    self_ = sums.self / volume;
    assign(walls_, std::vector<WallTable>{make_wall_table(kernel_, spacing_, dimensions_)});
    rows_valid_ = false;
  }
  laws_.assign(environment.materials.size(), {});
  for (const Index m : used_) laws_[m] = law_of(environment.materials[m], h);
  assign(law_column_, laws_);
  if (used_.size() > 1) columns_.liquid.resize(columns_.before.size());
  if (!(tension_over_density() > 0)) return;
  columns_.bond.resize(columns_.before.size());
  cohesion_.drag = surface_drag(h, tension_over_density());
}

Real Solver::tension_over_density() const {
  Real largest = 0;
  for (const Index m : used_) largest = std::max(largest, laws_[m].tension / laws_[m].density);
  return largest;
}

StepView Solver::view(const Environment& environment) {
  StepColumns& c = columns_;
  auto s = start_view<StepView>(environment);
  s.before = c.before.data();
  s.after = c.after.data();
  s.liquid = used_.size() > 1 ? c.liquid.data() : nullptr;
  s.bond = tension_over_density() > 0 ? c.bond.data() : nullptr;
  s.ratio = c.ratio.data();
  s.clear = c.clear.data();
  s.laws = law_column_.data();
  s.walls = walls_.data();
  s.self = self_;
  s.gap = gap_share * spacing_;
  s.skin = rows_.radius - kernel_.reach();
  s.carries = std::any_of(used_.begin(), used_.end(), [&](Index m) { return laws_[m].xsph > 0; });
  s.pairs = {s.before,    s.liquid, s.bond,      s.row_start,          s.row_count,
             s.neighbour, kernel_,  dimensions_, laws_[used_.front()], s.period,
             s.periodic,  cohesion_};
  return s;
}

/// Rows stay valid until a pair could have entered the reach of the kernel. XSPH, which follows,
/// moves a particle by no more than the others move relative to it.
bool Solver::rows_are_valid(const Moved& moved, Real dt) const {
  Real xsph = 0;
  for (const Index m : used_) xsph = std::max(xsph, laws_[m].xsph);
  const Real carried = 2 * xsph * dt * std::sqrt(moved.speed_squared);
  return rows_reach(std::sqrt(moved.path_squared) + carried, kernel_.reach());
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "sph.neighbours");
  const Real reach = kernel_.reach();
  build_rows_within(environment, reach + skin_within(environment.box, reach, skin_share),
                    [](const Column<Index>&) {});
  find_near(exec, view(environment));
  colliders_moved_ = false;
  pack_particles(exec, view(environment));
}

/// Forces of the state as it is, without moving anything.
void Solver::update_forces(const Environment& environment) {
  const Exec& exec = environment.exec;
  update_boundaries(environment, 0);
  if (!rows_valid_) build_neighbours(environment);
  pack_particles(exec, view(environment));
  sum_densities(exec, view(environment), 0);
  extremes_ = apply_forces(exec, view(environment), 0);
  forces_valid_ = true;
}

/// Symplectic Euler: positions first, then velocities by the forces that act there. Both momenta of
/// the particles are kept to rounding, XSPH included, because displacements by XSPH are summed with
/// the velocities that particles have while they move.
void Solver::step(const Environment& environment, Real dt) {
  if (store_.for_kernels().size() == 0) return;
  const Exec& exec = environment.exec;
  refresh_laws(environment);
  update_boundaries(environment, dt);
  if (!rows_valid_) build_neighbours(environment);
  const Moved moved = move_particles(exec, view(environment), dt);
  if (!rows_are_valid(moved, dt)) build_neighbours(environment);
  sum_densities(exec, view(environment), dt);
  extremes_ = apply_forces(exec, view(environment), dt);
  forces_valid_ = true;
}

StableStep Solver::stable_dt(const Environment& environment) {
  if (store_.for_kernels().size() == 0) return {};
  if (!forces_valid_) update_forces(environment);
  const Extremes& e = extremes_;
  if (e.has_bad())
    report_non_finite("sph.forces", e.first_bad,
                      std::isfinite(element(columns_.ratio, e.first_bad)) ? "force" : "density");
  const double h = kernel_.h, speed = std::sqrt(double(e.speed_squared)),
               acceleration = std::sqrt(double(e.squared_acceleration));
  double diffusivity = 0, alpha = 0, sound = 0;
  for (const Index m : used_) {
    const Law& law = laws_[m];
    sound = std::max(sound, double(sound_speed(law, e.density_ratio)));
    diffusivity = std::max(diffusivity, double(law.viscosity / law.density));
    alpha = std::max(alpha, law.bulk_viscosity / (double(law.density) * law.sound_speed * h));
  }
  // After Monaghan 1992.
  StableStep limit{0.4 * h / (sound * (1 + 0.6 * alpha) + speed),
                   "sound and the fastest particle may cross two fifths of a smoothing length",
                   speed > sound ? StepLimit::speed : StepLimit::stiffness};
  const auto tighten = [&](double dt, const char* reason, StepLimit by, double power) {
    if (dt < limit.dt) limit = {dt, reason, by, power};
  };
  tighten(0.125 * h * h / (diffusivity + 1e-30), "viscosity: an eighth of h^2 density / viscosity",
          StepLimit::viscosity, 2);
  // Accelerations of impacts are proportional to 1 / h.
  tighten(0.25 * std::sqrt(h / (acceleration + 1e-30)),
          "the largest acceleration: a quarter of the root of h / acceleration",
          StepLimit::stiffness, acceleration > 2 * double(length(environment.gravity)) ? 1 : 0.5);
  tighten(0.1 * h * std::sqrt(h / (double(tension_over_density()) + 1e-30)),
          "surface tension: a tenth of the root of h^3 density / surface_tension", StepLimit::other,
          1.5);
  return limit;
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  views.push_back(phyxel::view("density", "kg/m^3", density_));
  views.push_back(phyxel::view("pressure", "Pa", pressure_));
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  if (store_.for_kernels().size() == 0)
    return measure(environment.exec, store_.for_kernels(), environment.origin);
  if (!forces_valid_) update_forces(environment);
  Diagnostics d = measure(environment.exec, store_.for_kernels(), environment.origin);
  const double compression = measure_compression(environment.exec, view(environment));
  const double gravity = -dot(cast<double>(environment.gravity), d.mass_moment);
  const double surface = measure_surface(environment.exec, view(environment));
  d.potential_energy = compression + gravity + surface;
  d.extra = {{"compression_energy", compression},
             {"gravity_energy", gravity},
             {"surface_energy", surface},
             {"largest_compression", std::max(0.0, double(extremes_.density_ratio) - 1)}};
  copy_to_host(columns_.ratio, density_);
  const HostParticles& host = store_.for_host();
  for (Index i = 0; i < host.size(); ++i) {
    const Law& law = laws_[host.material[i]];
    pressure_[i] = pressure(law, density_[i]);
    density_[i] *= law.density;
  }
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::sph
