#include "phyxel/methods/sph/method.h"

#include <algorithm>
#include <utility>

#include "phyxel/core/error.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr Real gap_share = Real(0.25);  // of the spacing: particles at rest keep half a spacing

}  // namespace

Solver::Solver() : NeighbourMethod("sph.forces") {
  own_.scratch(&StepView::before, 1);
  own_.scratch(&StepView::after, 1);
  own_.scratch(&StepView::liquid, 1, &mixed_);
  own_.scratch(&StepView::bond, 1, &tense_);
  own_.scratch(&StepView::clear);
  own_.add_result("density", "kg/m^3", density_);
  own_.add_result("pressure", "Pa", pressure_);
  declare_heat();
}

void Solver::begin(const Environment& environment) {
  measure_volumes(environment);
  start_frame();
  refresh_laws(environment);
  update_enthalpies();
}

/// The largest particle determines the smoothing length of all.
void Solver::measure_volumes(const Environment& environment) {
  const std::vector<Real> mass = heaviest_by_material(environment);
  used_ = materials_in_use(environment);
  mixed_ = used_.size() > 1;
  spacing_ = 0;
  for (const Index m : used_) {
    const Material& material = environment.materials[m];
    check_agreement(environment.materials[used_.front()], material);
    const double volume = rest_volume(material, mass[m]);
    const double edge = environment.dimensions == 2 ? std::sqrt(volume) : std::cbrt(volume);
    spacing_ = std::max(spacing_, static_cast<Real>(edge));
  }
  dimensions_ = environment.dimensions;
}

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
    wall_table_.assign({make_wall_table(kernel_, spacing_, dimensions_)});
    rows_valid_ = false;
  }
  laws_.assign(environment.materials.size(), {});
  for (const Index m : used_) laws_[m] = law_of(environment.materials[m], h);
  law_table_.assign(laws_);
  refresh_heat<Parameters>(environment, used_, kernel_.reach());
  const bool was_tense = std::exchange(tense_, tension_over_density() > 0);
  if (!tense_) return;
  if (!was_tense) own_.resize(ratio_.size());
  cohesion_.drag = surface_drag(h, tension_over_density());
}

Real Solver::tension_over_density() const {
  Real largest = 0;
  for (const Index m : used_) largest = std::max(largest, laws_[m].tension / laws_[m].density);
  return largest;
}

StepView Solver::view(const Environment& environment) {
  auto s = start_view<StepView>(environment);
  s.laws = law_table_.data();
  s.walls = wall_table_.data();
  s.self = self_;
  s.gap = gap_share * spacing_;
  s.skin = skin();
  s.carries = std::any_of(used_.begin(), used_.end(), [&](Index m) { return laws_[m].xsph > 0; });
  s.pairs = {s.before,    s.liquid, s.bond,      s.row_start,          s.row_count,
             s.neighbour, kernel_,  dimensions_, laws_[used_.front()], s.period,
             s.periodic,  cohesion_};
  return s;
}

/// How far a particle may have moved since rows were built, XSPH of this step included, which moves
/// a particle by no more than the others move relative to it.
Real Solver::largest_move(const Moved& moved, Real dt) const {
  Real xsph = 0;
  for (const Index m : used_) xsph = std::max(xsph, laws_[m].xsph);
  const Real carried = 2 * xsph * dt * std::sqrt(moved.speed_squared);
  return std::sqrt(moved.path_squared) + carried;
}

void Solver::build_neighbours(const Environment& environment) {
  const Exec& exec = environment.exec;
  const TimerScope scope(exec.timers, "sph.neighbours");
  build_rows(environment, kernel_.reach());
  find_near(exec, view(environment));
  pack_particles(exec, view(environment));
}

/// Symplectic Euler: positions first, then velocities by the forces that act there. Both momenta of
/// the particles are kept to rounding, XSPH included, because displacements by XSPH are summed with
/// the velocities that particles have while they move.
void Solver::advance(const Environment& environment, Real dt) {
  const Exec& exec = environment.exec;
  start_step(environment, dt);
  if (dt > 0) {
    const Moved moved = move_particles(exec, view(environment), dt);
    if (!rows_stay_valid(largest_move(moved, dt), kernel_.reach())) build_neighbours(environment);
  } else {
    pack_particles(exec, view(environment));
  }
  exchange_heat(environment, dt);
  sum_densities(exec, view(environment), dt);
  extremes_ = apply_forces(exec, view(environment), dt);
}

const char* Solver::other_bad_part(Index i) {
  return std::isfinite(element(ratio_, i)) ? "force" : "density";
}

StableStep Solver::limit_of_step(const Environment& environment) {
  const Extremes& e = extremes_;
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
  limit.tighten({0.125 * h * h / (diffusivity + 1e-30),
                 "viscosity: an eighth of h^2 density / viscosity", StepLimit::viscosity, 2});
  // Accelerations of impacts are proportional to 1 / h.
  limit.tighten({0.25 * std::sqrt(h / (acceleration + 1e-30)),
                 "the largest acceleration: a quarter of the root of h / acceleration",
                 StepLimit::stiffness,
                 acceleration > 2 * double(length(environment.gravity)) ? 1 : 0.5});
  limit.tighten({0.1 * h * std::sqrt(h / (double(tension_over_density()) + 1e-30)),
                 "surface tension: a tenth of the root of h^3 density / surface_tension",
                 StepLimit::other, 1.5});
  return limit;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  if (size() == 0) return measure_motion(environment);
  require_forces(environment);
  Diagnostics d = measure_motion(environment);
  const double compression = measure_compression(environment.exec, view(environment));
  const double gravity = d.potential_energy;
  const double surface = measure_surface(environment.exec, view(environment));
  d.potential_energy += compression;
  d.potential_energy += surface;
  d.extra = {{"compression_energy", compression},
             {"gravity_energy", gravity},
             {"surface_energy", surface},
             {"largest_compression", std::max(0.0, double(extremes_.density_ratio) - 1)}};
  copy_to_host(ratio_, density_);
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
