#include "phyxel/methods/mpm/method.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/error.h"
#include "phyxel/methods/mpm/messages.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

struct Smaller {
  template <class T>
  PHYXEL_FN T operator()(const T& a, const T& b) const {
    return a < b ? a : b;
  }
};

Real largest_volume(const Exec& exec, const Points& p, const Real* density) {
  return reduce_max(
      exec, "mpm.volume", p.n, Real(0),
      PHYXEL_LAMBDA(Index i)->Real { return p.mass[i] / density[p.material[i]]; });
}

Real least_mass(const Exec& exec, const Points& p) {
  return reduce(
      exec, "mpm.mass", p.n, std::numeric_limits<Real>::max(),
      PHYXEL_LAMBDA(Index i)->Real { return p.mass[i]; }, Smaller{});
}

/// The largest volume over mass of the particles of a material, m^3/kg.
Real thinnest_of(const Exec& exec, const Points& p, Index material) {
  return reduce_max(
      exec, "mpm.volume", p.n, Real(0), PHYXEL_LAMBDA(Index i)->Real {
        return p.material[i] == material ? p.volume[i] / p.mass[i] : Real(0);
      });
}

/// The largest distance of a particle of the pin from its pivot, m; -1 where it has none.
Real arm_of(const Exec& exec, const Points& p, Index pin, const Vec3& pivot) {
  return reduce_max(
      exec, "mpm.pins", p.n, Real(-1),
      PHYXEL_LAMBDA(Index i)->Real { return p.pin[i] == pin ? length(p.x[i] - pivot) : Real(-1); });
}

/// The first particle that has a coordinate beyond `most`, or that is no number; p.n: none.
Index first_beyond(const Exec& exec, const Points& p, double most) {
  return reduce(
      exec, "mpm.places", p.n, p.n,
      PHYXEL_LAMBDA(Index i)->Index {
        for (int k = 0; k < 3; ++k)
          if (!(double(abs(p.x[i][k])) < most)) return i;
        return p.n;
      },
      Smaller{});
}

}  // namespace

Solver::Solver() {
  using enum KeptIn;
  own_.add("memory", "", files_and_checkpoints, Real(0), memory_);
  own_.add("memory_2", "", files_and_checkpoints, Real(0), memory_2_, nullptr, &has_memory_2_);
  own_.add("volume", "m^3", files_and_checkpoints, Real(0), volume_);
  own_.add("velocity_gradient", "1/s", checkpoints, Mat3::zero(), gradient_);
  own_.add("deformation", "", checkpoints, Mat3::identity(), deformation_);
  heat_.declare(own_);
}

void Solver::read_materials(const Environment& environment) {
  laws_.assign(environment.materials.size(), AnyLaw{});
  density_.assign(environment.materials.size(), 1);
  used_.clear();
  for (std::size_t m = 0; m < environment.materials.size(); ++m) {
    const Material& material = environment.materials[m];
    if (material.method != "mpm") continue;
    const Parameters& p = parameters_of<Parameters>(material);
    Stages::check_support(material, p);
    laws_[m] = law_in(material, environment.dimensions == 2 && environment.plane == Plane::stress);
    has_memory_2_ = has_memory_2_ ||
                    std::visit([]<class Law>(const Law&) { return has_own_memory<Law>; }, laws_[m]);
    density_[m] = material.density;
    if (!used_.empty()) check_agreement(environment.materials[used_.back()], material);
    used_.push_back(static_cast<Index>(m));
    numbers_.transfer = p.transfer;
    numbers_.flip = p.flip;
    is_implicit_ = p.integration == Integration::implicit;
    implicit_ = {p.implicit_share, p.tolerance, p.iterations};
    rasterises_ = p.volumes == Volumes::rasterised ||
                  (p.volumes == Volumes::automatic && p.transfer == Transfer::flip);
  }
}

/// The cell that a material gives, or one that suits the coarsest particles.
void Solver::set_cell(const Environment& environment) {
  Real given = not_given;
  for (const Index m : used_) {
    const Real cell = parameters_of<Parameters>(environment.materials[m]).cell;
    if (is_given(cell)) given = cell;
  }
  density_table_.assign(heat_.least_densities());
  const Points p = points();
  numbers_.least_mass = least_mass(environment.exec, p);
  numbers_.dx =
      is_given(given)
          ? given
          : natural_cell(double(largest_volume(environment.exec, p, density_table_.data())),
                         environment.dimensions);
  // A flat layer is spread over nodes along z: this share of its density is found in its plane.
  const double dx = numbers_.dx;
  const double seen = numbers_.transfer == Transfer::flip ? 0.5 : 0.59375;
  numbers_.cell_volume =
      static_cast<Real>(environment.dimensions == 2 ? dx * dx * seen : dx * dx * dx);
}

/// Particles that are new to the method are at rest in their own shape.
void Solver::add_new_particles() {
  const Index n = size();
  if (n == known_) return;
  own_.resize(static_cast<std::size_t>(n));
  const HostParticles& host = store_.for_host();
  for (Index i = known_; i < n; ++i) {
    const Index m = host.material[i];
    Row16 row{};
    std::visit([&]<class Law>(const Law&) { store_memory<Law>(Law::fresh, row.c); }, laws_[m]);
    memory_.for_host()[i] = row.c[row_memory];
    if (has_memory_2_) memory_2_.for_host()[i] = row.c[row_memory_2];
    volume_.for_host()[i] = host.mass[i] / density_[m];
  }
  fresh_ = fresh_ || known_ < n;
  known_ = n;
}

void Solver::keep(const Exec& exec, const HostColumn<Index>& order) {
  Column<Index> kept;
  assign(kept, order);
  most_particles_ = std::max(most_particles_, size());
  reorder(exec, store_.for_kernels(), kept, reorder_scratch_);
  own_.reorder(exec, "mpm.keep", kept);
  known_ = size();
  sums_valid_ = false;
  prepared_dt_ = 0;
  if (known_ >= most_particles_ / 2) return;
  most_particles_ = known_;
  store_.shrink();
  own_.shrink();
  reorder_scratch_ = {};
  stages_.give_back_memory();
}

/// Positions in the columns are in m: far from the local origin they are too coarse for the cells.
void Solver::check_places(const Exec& exec) {
  const double coarsest = 0.01 * double(numbers_.dx) / std::numeric_limits<Real>::epsilon();
  const Index bad = first_beyond(exec, points(), coarsest);
  if (bad == size()) return;
  const Particles& p = store_.for_kernels();
  const Vec3 x = element(p.x, bad);
  if (!is_finite(x)) report_bad_particle(element(p.id, bad), "position");
  refuse_far_place(element(p.id, bad), x, double(numbers_.dx), coarsest);
}

/// All columns in the order of blocks and materials.
void Solver::sort_particles(const Exec& exec) {
  const Column<Index>& order = stages_.sort(context(exec, numbers_), store_.for_kernels().id);
  reorder(exec, store_.for_kernels(), order, reorder_scratch_);
  own_.reorder(exec, "mpm.reorder", order);
}

void Solver::begin(const Environment& environment) {
  refuse_periodic_box(environment.box);
  sums_valid_ = false;
  prepared_dt_ = 0;
  boundaries_ = {};
  stages_.restart();
  if (size() == 0) return;
  read_materials(environment);
  heat_.refresh(environment, laws_, density_);
  set_cell(environment);
  add_new_particles();
  heat_.begin(store_, points());
  check_places(environment.exec);
  sort_particles(environment.exec);
  if (!environment.colliders.empty() || !environment.pins.empty())
    reactions_.set_mass(mass_of(environment.exec, store_.for_kernels().mass));
  const StepContext with = context(environment.exec, numbers_);
  stages_.make_rows(with);
  if (fresh_ && rasterises_) stages_.rasterise_volumes(with);
  stages_.measure(with);
  measure_thinnest(environment.exec);
  measure_pins(environment);
  heat_.start(environment, store_);
}

/// Volumes change within a frame only where matter melts.
void Solver::measure_thinnest(const Exec& exec) {
  thinnest_.assign(laws_.size(), 0);
  for (const Index m : used_)
    if (std::holds_alternative<LiquidLaw>(laws_[m])) thinnest_[m] = thinnest_of(exec, points(), m);
}

/// Distance of the farthest pinned particle from each pivot: within a frame it hardly changes.
void Solver::measure_pins(const Environment& environment) {
  pin_arms_.clear();
  for (const Pin& pin : environment.pins) {
    const Vec3 pivot = apply(pin.pose.transform, cast<Real>(pin.motion.pivot));
    const auto number = static_cast<Index>(pin_arms_.size());
    pin_arms_.push_back(arm_of(environment.exec, points(), number, pivot));
  }
}

/// How fast shear and compression spread by viscosity: 4/3 mu / rho, the largest, m^2/s.
double Solver::largest_diffusivity() const {
  double largest = 0;
  for (std::size_t m = 0; m < thinnest_.size(); ++m)
    if (const auto* liquid = std::get_if<LiquidLaw>(&laws_[m]))
      largest = std::max(largest, 4.0 / 3 * double(liquid->viscosity) * double(thinnest_[m]));
  return largest;
}

/// m, that all rows stay within until they are sorted again.
Bounds Solver::matter() const {
  const BlockExtent extent = stages_.extent();
  return matter_bounds(extent.low, extent.high, numbers_.dx);
}

void Solver::update_boundaries(const Environment& environment, Real dt) {
  colliders_.update(environment.colliders, environment.time, dt);
  view_pins(environment, dt, pins_);
  pin_table_.assign(pins_);
  boundaries_.gravity = environment.gravity;
  update_fields(environment, dt);
  boundaries_.flat = environment.dimensions == 2;
  boundaries_.colliders = colliders_.views();
  boundaries_.collider_speed = static_cast<Real>(
      collider_speed(environment, matter(), environment.time - double(dt), environment.time));
  boundaries_.pins = pins_.empty() ? nullptr : pin_table_.data();
  reactions_.start_step(environment);
  reactions_.discard_step(environment.exec);
  boundaries_.reactions = reactions_.impulses();
}

/// Force fields in the middle of the step, for the material that stands for all (check_scene
/// refuses fields for some of them).
void Solver::update_fields(const Environment& environment, Real dt) {
  boundaries_.fields = {};
  boundaries_.material = used_.front();
  if (environment.force_fields.empty()) return;
  fields_done_.in_use = true;
  fields_.update(environment, environment.time - double(dt) / 2);
  boundaries_.fields = fields_.views();
}

/// Particles to grid for a step of with.in.dt, where the step before it has not done that.
void Solver::sums_for_step(const StepContext& with) {
  const Real dt = with.in.dt;
  if (!sums_valid_) {
    stages_.particles_to_grid(with);
  } else if (dt < sums_dt_) {
    stages_.shorten(with, dt - sums_dt_);
    sums_dt_ = dt;
  } else if (dt != sums_dt_) {
    report_other_step(dt, sums_dt_);
  }
}

/// Whether nothing is known that keeps particles from crossing more than a cell: with moving
/// colliders, pins or force fields, or where matter is fast.
bool Solver::is_doubtful(Real dt) {
  if (boundaries_.collider_speed > 0 || boundaries_.pins || boundaries_.fields.count > 0)
    return true;
  const Real speed_squared = stages_.limits(sums_valid_).speed_squared;
  return std::sqrt(double(speed_squared)) * double(dt) > 0.5 * double(numbers_.dx);
}

/// Takes the last step again if it has stopped itself.
void Solver::settle_last_step(const Exec& exec) {
  if (const Real dt = stages_.finish_step(context(exec, numbers_)); dt > 0)
    reactions_.add_up(exec, dt);
}

StableStep Solver::prepare(const Environment& environment, Real dt) {
  if (size() == 0) return {};
  const Exec& exec = environment.exec;
  settle_last_step(exec);
  read_materials(environment);
  if (heat_.is_active()) heat_.refresh(environment, laws_, density_);
  update_boundaries(environment, dt);
  StepNumbers in = numbers_;
  in.dt = in.next_dt = dt;
  const StepContext with = context(exec, in);
  const bool doubtful = is_doubtful(dt);
  sums_for_step(with);
  const MovedGrid moved = stages_.move_grid(with, doubtful);
  if (!std::isfinite(moved.path)) report_bad_nodes(stages_.find_bad(with));
  prepared_dt_ = moved.fits ? dt : 0;
  if (moved.fits) return {};
  return {double(dt) * 0.6 * Stages::room(in) / moved.path,
          "mpm.step: matter would cross more than a cell"};
}

void Solver::step(const Environment& environment, Real dt) {
  if (size() == 0) return;
  if (dt != prepared_dt_)
    if (const StableStep longest = prepare(environment, dt); longest.dt < double(dt))
      report_long_step(longest, dt);
  prepared_dt_ = 0;
  StepNumbers in = numbers_;
  in.dt = dt;
  in.next_dt = static_cast<Real>(environment.next_dt);
  in.particles_to_grid = sums_valid_ = in.next_dt > 0;
  sums_dt_ = in.next_dt;
  const StepContext with = context(environment.exec, in);
  if (heat_.change_materials(store_, with, stages_)) measure_thinnest(environment.exec);
  fields_done_.impulse += stages_.field_impulse(with);
  stages_.advance(with);
  reactions_.finish_step(environment, dt, {}, stages_.stopped());
  heat_.advance(environment, store_, with, stages_);
  fresh_ = false;
}

std::map<std::string, double> Solver::save() {
  std::map<std::string, double> numbers = {{"fresh", fresh_ ? 1.0 : 0.0}};
  heat_.save(numbers);
  save_fields(fields_done_, numbers);
  return numbers;
}

/// Volumes of a state that has moved are not measured again.
void Solver::load(const std::map<std::string, double>& numbers) {
  fresh_ = numbers.contains("fresh") && numbers.at("fresh") != 0;
  load_fields(numbers, fields_done_);
  heat_.load(numbers, static_cast<std::size_t>(size()));
}

StableStep Solver::stable_dt(const Environment& environment) {
  if (size() == 0) return {};
  settle_last_step(environment.exec);
  const ChunkLimits limits = stages_.limits(sums_valid_);
  if (!std::isfinite(limits.speed_squared + limits.wave_speed_squared))
    report_non_finite(environment.exec);
  const double dx = numbers_.dx, speed = std::sqrt(double(limits.speed_squared)),
               wave = std::sqrt(
                   std::max(double(limits.wave_speed_squared), heat_.largest_wave_speed_squared()));
  const StableStep free = is_implicit_
                              ? implicit_step(environment, speed, dx)
                              : explicit_step(wave, speed, double(length(environment.gravity)), dx,
                                              numbers_.transfer == Transfer::flip ? 0.5 : 1);
  StableStep limit = beside_obstacles(free, environment, matter(), pin_arms_, dx);
  limit.tighten(viscous_step(largest_diffusivity(), dx));
  limit.tighten(heat_.limit());
  tighten_by_fields(environment, speed, limit);
  return limit;
}

/// Steps are announced one ahead: fields have two of them to act.
void Solver::tighten_by_fields(const Environment& environment, double speed, StableStep& limit) {
  if (environment.force_fields.empty()) return;
  pack(environment, environment.time, coming_fields_);
  const ForeseenFields fields = foresee_fields(coming_fields_, matter(), speed);
  const double path = 0.3 * double(numbers_.dx);
  limit.tighten({fall_time(path, speed, 2 * fields.acceleration),
                 "force fields may push matter across three tenths of a cell", StepLimit::other,
                 0.5});
  limit.tighten({0.1 / (fields.frequency + 1e-30),
                 "a tenth of the time scale of motion about a point or axis of a force field",
                 StepLimit::other, 0});
}

/// Rows have all but velocities, which are in the columns between frames.
void Solver::report_non_finite(const Exec& exec) {
  const BadPoint bad = stages_.find_bad(context(exec, numbers_));
  if (bad.part) report_bad_particle(bad.id, bad.part);
  const HostParticles& p = store_.for_host();
  for (Index i = 0; i < p.size(); ++i)
    if (!std::isfinite(length_squared(p.v[i]))) report_bad_particle(p.id[i], "velocity");
  throw Error("mpm.particles: a particle has a non-finite velocity or stress");
}

Points Solver::points() {
  Particles& p = store_.for_kernels();
  return {p.size(),
          p.x.data(),
          p.v.data(),
          p.mass.data(),
          p.material.data(),
          p.id.data(),
          p.pin.data(),
          gradient_.for_kernels().data(),
          deformation_.for_kernels().data(),
          memory_.for_kernels().data(),
          has_memory_2_ ? memory_2_.for_kernels().data() : nullptr,
          volume_.for_kernels().data()};
}

StepContext Solver::context(const Exec& exec, const StepNumbers& in) {
  return {exec,        in,       laws_,     used_, is_implicit_ ? &implicit_ : nullptr,
          boundaries_, points(), reactions_};
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  for (ColumnView& own : own_.views()) views.push_back(std::move(own));
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure(environment.exec, store_.for_kernels(), environment.origin);
  d.potential_energy = -dot(cast<double>(environment.gravity), d.mass_moment);
  d.field_impulse = fields_done_.impulse;
  const SolveCounts solves = stages_.solves();
  if (is_implicit_)
    d.extra = {{"solve_iterations", solves.iterations}, {"unfinished_solves", solves.unfinished}};
  return d;
}

ReactionSums Solver::take_reactions(const Environment& environment) {
  ReactionSums sums = reactions_.take(environment);
  sums.fields = take_impulse(fields_done_);
  return sums;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
