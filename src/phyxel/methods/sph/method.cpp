#include "phyxel/methods/sph/method.h"

#include <algorithm>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr Real skin_share = Real(0.1);  // of the kernel's reach
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

/// The largest particle decides how far all of them see.
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
  s.before = c.before.data();
  s.after = c.after.data();
  s.liquid = used_.size() > 1 ? c.liquid.data() : nullptr;
  s.bond = tension_over_density() > 0 ? c.bond.data() : nullptr;
  s.ratio = c.ratio.data();
  s.clear = c.clear.data();
  s.laws = law_column_.data();
  s.pins = pin_column_.data();
  s.colliders = colliders_.views();
  s.walls = walls_.data();
  s.box = environment.box;
  s.gravity = environment.gravity;
  s.self = self_;
  s.gap = gap_share * spacing_;
  s.skin = rows_.radius - kernel_.reach();
  s.flat = environment.dimensions == 2;
  s.carries = std::any_of(used_.begin(), used_.end(), [&](Index m) { return laws_[m].xsph > 0; });
  s.all_near = colliders_moved_;
  s.pairs = {s.before,
             s.liquid,
             s.bond,
             rows_.start.data(),
             rows_.count.data(),
             rows_.neighbour.data(),
             kernel_,
             dimensions_,
             laws_[used_.front()],
             period_of(environment.box),
             any_periodic(environment.box),
             cohesion_};
  return s;
}

Real Solver::skin(const PeriodicBox& box) const {
  Real skin = skin_share * kernel_.reach();
  for (int k = 0; k < 3; ++k)  // a small periodic box leaves less room: rows may reach half of it
    if (box.periodic[k])
      skin = std::max(Real(0), std::min(skin, box.size[k] / 2 - kernel_.reach()));
  return skin;
}

/// Rows serve while nobody can have come within reach unseen. XSPH, which is to come, moves nobody
/// by more than all others move relative to it.
bool Solver::rows_serve(const Moved& moved, Real dt) const {
  Real xsph = 0;
  for (const Index m : used_) xsph = std::max(xsph, laws_[m].xsph);
  const Real carried = 2 * xsph * dt * std::sqrt(moved.speed_squared);
  return 2 * (std::sqrt(moved.path_squared) + carried) < rows_.radius - kernel_.reach();
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "sph.neighbours");
  Particles& p = store_.for_kernels();
  const Real radius = kernel_.reach() + skin(environment.box);
  build_cells_for_rows(exec, p.x, radius, environment.box, cells_);
  reorder(exec, p, cells_.order, scratch_);
  build_rows(exec, p.x, cells_, radius, rows_);
  columns_.x_at_build = p.x;
  rows_valid_ = true;
  find_near(exec, view(environment));
  colliders_moved_ = false;
  pack_particles(exec, view(environment));
}

/// Forces of the state as it is, without moving anything.
void Solver::update_forces(const Environment& environment) {
  const Exec& exec = environment.exec;
  update_pins(environment, 0);
  if (colliders_.update(environment.colliders)) colliders_moved_ = true;
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
  update_pins(environment, dt);
  if (colliders_.update(environment.colliders)) colliders_moved_ = true;
  if (!rows_valid_) build_neighbours(environment);
  const Moved moved = move_particles(exec, view(environment), dt);
  if (!rows_serve(moved, dt)) build_neighbours(environment);
  sum_densities(exec, view(environment), dt);
  extremes_ = apply_forces(exec, view(environment), dt);
  forces_valid_ = true;
}

void Solver::report_non_finite() {
  const Particles& p = store_.for_kernels();
  const Index i = extremes_.first_bad;
  const char* part = "force";
  if (!std::isfinite(element(columns_.ratio, i))) part = "density";
  if (!std::isfinite(length_squared(element(p.v, i)))) part = "velocity";
  if (!is_finite(element(p.x, i))) part = "position";
  throw Error("sph.forces: particle " + std::to_string(element(p.id, i)) + " has a non-finite " +
              part);
}

StableStep Solver::stable_dt(const Environment& environment) {
  if (store_.for_kernels().size() == 0) return {};
  if (!forces_valid_) update_forces(environment);
  const Extremes& e = extremes_;
  if (e.first_bad < std::numeric_limits<Index>::max()) report_non_finite();
  const double h = kernel_.h, speed = std::sqrt(double(e.speed_squared)),
               acceleration = std::sqrt(double(e.squared_acceleration));
  double diffusivity = 0, alpha = 0, sound = 0;
  for (const Index m : used_) {
    const Law& law = laws_[m];
    sound = std::max(sound, double(sound_speed(law, e.ratio)));
    diffusivity = std::max(diffusivity, double(law.viscosity / law.density));
    alpha = std::max(alpha, law.bulk_viscosity / (double(law.density) * law.sound_speed * h));
  }
  // After Monaghan 1992.
  StableStep limit{0.4 * h / (sound * (1 + 0.6 * alpha) + speed),
                   "sound and the fastest particle may cross two fifths of a smoothing length"};
  const auto tighten = [&](double dt, const char* reason) {
    if (dt < limit.dt) limit = {dt, reason};
  };
  tighten(0.125 * h * h / (diffusivity + 1e-30), "viscosity: an eighth of h^2 density / viscosity");
  tighten(0.25 * std::sqrt(h / (acceleration + 1e-30)),
          "the largest acceleration: a quarter of the root of h / acceleration");
  tighten(0.1 * h * std::sqrt(h / (double(tension_over_density()) + 1e-30)),
          "surface tension: a tenth of the root of h^3 density / surface_tension");
  return limit;
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  views.push_back(phyxel::view("density", "kg/m^3", density_));
  views.push_back(phyxel::view("pressure", "Pa", pressure_));
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  if (store_.for_kernels().size() == 0) return measure(environment.exec, store_.for_kernels());
  if (!forces_valid_) update_forces(environment);
  Diagnostics d = measure(environment.exec, store_.for_kernels());
  const double compression = measure_compression(environment.exec, view(environment));
  const double gravity = -dot(cast<double>(environment.gravity), d.mass_moment);
  const double surface = measure_surface(environment.exec, view(environment));
  d.potential_energy = compression + gravity + surface;
  d.extra = {{"compression_energy", compression},
             {"gravity_energy", gravity},
             {"surface_energy", surface},
             {"largest_compression", std::max(0.0, double(extremes_.ratio) - 1)}};
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
