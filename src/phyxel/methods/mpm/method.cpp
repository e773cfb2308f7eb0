#include "phyxel/methods/mpm/method.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::mpm {

namespace {

bool is_ours(const Material& material) {
  return material.method == "mpm";
}

/// A place in cells: the block of its nearest node, and the rest within that block.
struct Split {
  Int3 block;
  Real local[3];
};
Split split(const Vec3& x, Real dx) {
  Split s;
  for (int k = 0; k < 3; ++k) {
    const double at = double(x[k]) / double(dx);
    s.block[k] = static_cast<Index>(std::floor(std::floor(at + 0.5) / block_edge));
    s.local[k] = static_cast<Real>(at - double(s.block[k]) * block_edge);
  }
  return s;
}

Int3 smaller(const Int3& a, const Int3& b) {
  return {std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2])};
}
Int3 larger(const Int3& a, const Int3& b) {
  return {std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2])};
}
struct Extent {
  Int3 low, high;
};

}  // namespace

void Solver::read_materials(const Environment& environment) {
  laws_.assign(environment.materials.size(), AnyLaw{});
  density_.assign(environment.materials.size(), 1);
  const Material* first = nullptr;
  for (std::size_t m = 0; m < environment.materials.size(); ++m) {
    const Material& material = environment.materials[m];
    if (!is_ours(material)) continue;
    const Parameters& p = parameters_of<Parameters>(material);
    laws_[m] = law_of(p);
    density_[m] = material.density;
    if (first) check_agreement(*first, material);
    first = &material;
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
  for (const Material& material : environment.materials)
    if (is_ours(material) && is_given(parameters_of<Parameters>(material).cell))
      given = parameters_of<Parameters>(material).cell;
  double largest = 0;
  numbers_.least_mass = particles_.mass[0];
  for (Index i = 0; i < particles_.size(); ++i) {
    largest =
        std::max(largest, double(particles_.mass[i] / heat_.least_density(particles_.material[i])));
    numbers_.least_mass = std::min(numbers_.least_mass, particles_.mass[i]);
  }
  numbers_.dx = is_given(given) ? given : natural_cell(largest, environment.dimensions);
  // A flat layer is spread over nodes along z: this share of its density is found in its plane.
  const double dx = numbers_.dx;
  const double seen = numbers_.transfer == Transfer::flip ? 0.5 : 0.59375;
  numbers_.cell_volume =
      static_cast<Real>(environment.dimensions == 2 ? dx * dx * seen : dx * dx * dx);
}

/// Particles that are new to the method are at rest in their own shape.
void Solver::add_new_particles() {
  const std::size_t n = particles_.x.size(), old = deformation_.size();
  gradient_.resize(n, Mat3::zero());
  deformation_.resize(n, Mat3::identity());
  memory_.resize(n);
  volume_.resize(n);
  for (std::size_t i = old; i < n; ++i) {
    const Index m = particles_.material[i];
    memory_[i] = std::visit([](const auto& law) { return law.fresh; }, laws_[m]);
    volume_[i] = particles_.mass[i] / density_[m];
  }
  fresh_ = fresh_ || old < n;
}

void Solver::begin(const Environment& environment) {
  if (environment.box.periodic[0] || environment.box.periodic[1] || environment.box.periodic[2])
    throw InputError("world.periodic: the method mpm has no periodic domain; use closed walls");
  sums_valid_ = false;
  prepared_dt_ = 0;
  solve_iterations_ = 0;
  unfinished_solves_ = 0;
  if (particles_.size() == 0) return;
  read_materials(environment);
  heat_.refresh(environment, laws_);
  set_cell(environment);
  add_new_particles();
  heat_.begin({particles_, deformation_, memory_, volume_});
  check_places();
  sort_particles(environment.exec);
  make_rows(environment.exec);
  if (fresh_ && rasterises_) rasterise_volumes(environment);
  StepNumbers look = numbers_;
  look.gathers = look.spreads = false;
  advance_particles(environment.exec, look, laws_, blocks_, around_, view(), nodes_, rows_);
  total_limits();
  measure_thinnest();
  measure_pins(environment);
  heat_.start(environment, particles_);
}

/// Distance of the farthest pinned particle from each pivot: within a frame it hardly changes.
void Solver::measure_pins(const Environment& environment) {
  pin_arm_.assign(environment.pins.size(), -1);
  for (Index i = 0; !pin_arm_.empty() && i < particles_.size(); ++i) {
    const Index pin = particles_.pin[i];
    if (pin < 0) continue;
    const Pin& by = environment.pins[pin];
    const Vec3 arm = particles_.x[i] - apply(by.pose.transform, cast<Real>(by.motion.pivot));
    pin_arm_[pin] = std::max(pin_arm_[pin], length(arm));
  }
}

void Solver::measure_matter() {
  Extent extent{blocks_.map.place(0), blocks_.map.place(0)};
  for (Index b = 0; b < blocks_.map.size(); ++b) {
    extent.low = smaller(extent.low, blocks_.map.place(b));
    extent.high = larger(extent.high, blocks_.map.place(b));
  }
  matter_ = matter_bounds(extent.low, extent.high, numbers_.dx);
}

/// Volumes do not change within a frame.
void Solver::measure_thinnest() {
  thinnest_.assign(laws_.size(), 0);
  for (Index i = 0; i < particles_.size(); ++i) {
    Real& thinnest = thinnest_[particles_.material[i]];
    thinnest = std::max(thinnest, volume_[i] / particles_.mass[i]);
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

/// Volume and density from the first rasterisation (Umenhoffer, section 5.2).
void Solver::rasterise_volumes(const Environment& environment) {
  const Exec& exec = environment.exec;
  StepNumbers in = numbers_;
  in.gathers = false;
  advance_particles(exec, in, laws_, blocks_, around_, view(), nodes_, rows_);
  load_masses(exec, in, blocks_, nodes_);
  measure_volumes(exec, in, blocks_, nodes_, view(), rows_);
}

/// Positions in the columns are in m: far from the local origin they are too coarse for the cells.
void Solver::check_places() const {
  const double coarsest = 0.01 * double(numbers_.dx) / std::numeric_limits<Real>::epsilon();
  for (Index i = 0; i < particles_.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(double(particles_.x[i][k])) < coarsest)) {
        if (!is_finite(particles_.x[i])) report_non_finite();
        throw Error(fmt::format(
            "mpm.begin: particle {} is {:.3g} m from the scene's local origin, where positions are "
            "coarser than a hundredth of a cell of {:.3g} m; keep matter within {:.3g} m of it, "
            "use "
            "larger cells or a build with PHYXEL_DOUBLE",
            particles_.id[i], std::abs(particles_.x[i][k]), numbers_.dx, coarsest));
      }
}

/// All columns in the order of blocks and materials.
void Solver::sort_particles(const Exec& exec) {
  const Index n = particles_.size();
  const Vec3* const x = particles_.x.data();
  const Real dx = numbers_.dx;
  constexpr Index far = std::numeric_limits<Index>::max();
  const Extent none{Int3::filled(far), Int3::filled(-far)};
  const Extent extent = reduce(
      exec, "mpm.extent", n, none,
      [=](Index i) {
        const Int3 b = split(x[i], dx).block;
        return Extent{b, b};
      },
      [](const Extent& a, const Extent& b) {
        return Extent{smaller(a.low, b.low), larger(a.high, b.high)};
      });
  const BlockKeys keys = make_keys(extent.low, extent.high, static_cast<Index>(laws_.size()));
  keys_.resize(n);
  sorted_.resize(n);
  for_each(exec, "mpm.keys", n, [&](Index i) {
    keys_[i] = keys.key(split(x[i], dx).block, particles_.material[i]);
    sorted_[i] = i;
  });
  sort_pairs(exec, "mpm.sort", keys_, sorted_, keys.bits(), sort_scratch_);
  build_blocks(keys, keys_, blocks_);
  reorder(exec, particles_, sorted_, reorder_scratch_);
  for (auto* column : {&memory_, &volume_})
    permute(exec, "mpm.reorder", *column, sorted_, reorder_scratch_.real);
  for (auto* column : {&gradient_, &deformation_})
    permute(exec, "mpm.reorder", *column, sorted_, matrix_scratch_);
  heat_.reorder(exec, sorted_);
}

void Solver::resize_chunks() {
  const std::size_t chunks = blocks_.chunks.size();
  rows_.order.resize(rows_.row.size());
  rows_.start.resize(chunks * Rows::starts);
  rows_.range.resize(chunks);
  rows_.limits.resize(chunks);
}

void Solver::make_rows(const Exec& exec) {
  const Index n = particles_.size();
  rows_.row.resize(n);
  rows_.particle.resize(n);
  resize_chunks();
  for_each(exec, "mpm.rows", n, [&](Index i) {
    const Split at = split(particles_.x[i], numbers_.dx);
    Row16& row = rows_.row[i];
    for (int k = 0; k < 3; ++k) row.c[k] = at.local[k];
    row.c[row_memory] = memory_[i];
    for (int k = 0; k < 9; ++k) row.c[row_f + k] = deformation_[i][k / 3][k % 3];
    row.c[row_volume] = volume_[i];
    row.c[row_mass] = particles_.mass[i];
    row.c[15] = 0;
    rows_.particle[i] = i;
  });
  if (numbers_.transfer == Transfer::flip) {
    rows_.velocity.resize(n);
    for_each(exec, "mpm.rows", n, [&](Index i) {
      const Vec3& v = particles_.v[i];
      rows_.velocity[i] = {{v[0], v[1], v[2], 0}};
    });
  }
  sort_cells(exec, numbers_, blocks_, rows_);
  find_pinned_places(blocks_, rows_, particles_.pin.data(), pinned_places_);
  measure_matter();
}

/// Moves rows that have left their blocks to new ones, with what melts and freezes; velocities of
/// nodes are kept.
void Solver::rebin(const Exec& exec) {
  const TimerScope scope(exec.timers, "mpm.rebin");
  if (heat_.changes()) {
    heat_.change_rows(particles_, volume_, rows_);
    measure_thinnest();
  }
  Extent extent{blocks_.map.place(0), blocks_.map.place(0)};
  for (Index b = 0; b < blocks_.map.size(); ++b) {
    extent.low = smaller(extent.low, blocks_.map.place(b));
    extent.high = larger(extent.high, blocks_.map.place(b));
  }
  for (int k = 0; k < 3; ++k) --extent.low[k], ++extent.high[k];
  const BlockKeys keys = make_keys(extent.low, extent.high, static_cast<Index>(laws_.size()));
  // Rows get places in their new blocks; keys tell which.
  for_each_coarse(exec, "mpm.keys", static_cast<Index>(blocks_.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks_.chunks[c];
    const Int3 old = blocks_.map.place(chunk.block);
    for (Index i = chunk.first; i < chunk.first + chunk.count; ++i) {
      Int3 block;
      for (int k = 0; k < 3; ++k) {
        Real& x = rows_.row[i].c[k];
        const auto steps =
            static_cast<Index>(std::floor(std::floor(x + Real(0.5)) / Real(block_edge)));
        block[k] = old[k] + steps;
        x -= Real(block_edge * steps);
      }
      keys_[i] = keys.key(block, particles_.material[rows_.particle[i]]);
      sorted_[i] = i;
    }
  });
  sort_pairs(exec, "mpm.sort", keys_, sorted_, keys.bits(), sort_scratch_);
  permute(exec, "mpm.rows", rows_.row, sorted_, row_scratch_);
  permute(exec, "mpm.rows", rows_.particle, sorted_, index_scratch_);
  const bool flip = numbers_.transfer == Transfer::flip;
  if (flip) permute(exec, "mpm.rows", rows_.velocity, sorted_, quad_scratch_);
  old_nodes_.swap(blocks_.nodes);
  build_blocks(keys, keys_, blocks_);
  resize_chunks();
  sort_cells(exec, numbers_, blocks_, rows_);
  find_pinned_places(blocks_, rows_, particles_.pin.data(), pinned_places_);
  const auto remap = [&](Column<Quad>& nodes) {
    remap_nodes(exec, old_nodes_, blocks_, nodes, quad_scratch_);
    nodes.swap(quad_scratch_);
  };
  remap(nodes_.now);
  if (flip) remap(nodes_.before);
  measure_matter();
}

void Solver::look_around(const Environment& environment, Real dt) {
  colliders_.update(environment.colliders, environment.time, dt);
  around_.gravity = environment.gravity;
  around_.flat = environment.dimensions == 2;
  around_.colliders = colliders_.views();
  view_pins(environment, dt, around_.pins);
  collider_speed_ = static_cast<Real>(
      collider_speed(environment, matter_, environment.time - double(dt), environment.time));
}

/// Upper bound of the path of a particle along an axis in the step, in cells: weights sum to 1, so
/// that no particle is faster than all nodes; FLIP, colliders and pins add to it.
Real Solver::longest_path(const GridSpeeds& speeds, Real dt) {
  Real speed = speeds.velocity;
  if (numbers_.transfer == Transfer::flip)
    speed = (1 - numbers_.flip) * speeds.velocity +
            numbers_.flip * (std::sqrt(limits_.speed_squared) + speeds.change);
  for (Index i = 0; !around_.pins.empty() && i < particles_.size(); ++i) {
    const Index pin = particles_.pin[i];
    if (pin < 0 || !around_.pins[pin].active) continue;
    const Vec3& x = particles_.x[i];
    speed = std::max(speed, length(apply(around_.pins[pin].moved, x) - x) / dt);
  }
  // On a surface of velocity u a particle gets u and what is left of its own relative to u.
  speed += 2 * collider_speed_;
  const Real push = around_.colliders.count > 0 ? largest_push : 0;
  return speed * dt / numbers_.dx + push;
}

/// Velocities of the nodes at the end of the step, and the largest.
GridSpeeds Solver::move_grid(const Exec& exec, const StepNumbers& in) {
  GridSpeeds speeds = update_grid(exec, in, around_, blocks_, nodes_);
  if (!around_.pins.empty())
    speeds.velocity =
        std::max(speeds.velocity, move_pinned_nodes(exec, in, around_, blocks_, pinned_places_,
                                                    particles_.pin.data(), rows_, nodes_));
  if (!is_implicit_) return speeds;
  const DescentReport solve =
      solve_implicit(exec, in, implicit_, laws_, around_, blocks_, rows_, nodes_, implicit_space_);
  solve_iterations_ += solve.iterations;
  unfinished_solves_ += !solve.converged;
  return collide_again(exec, in, around_, blocks_, nodes_);
}

/// How far particles may go along an axis in a step, in cells.
Real Solver::room() const {
  return numbers_.transfer == Transfer::flip ? Real(0.5) : Real(1);
}

/// An upper bound of the longest path, in cells; the path itself where the bound is too coarse.
Real Solver::path_of(const Exec& exec, const StepNumbers& in, const GridSpeeds& speeds) {
  const Real bound = longest_path(speeds, in.dt);
  if (bound < limits_.margin || bound < room()) return bound;
  return measure_paths(exec, in, blocks_, nodes_, around_, view(), rows_);
}

/// Sums for a step of dt instead of the longer one that was announced: the impulses of stresses are
/// linear in the length of the step. Velocity gradients are not kept, so that viscous stresses keep
/// their impulse of the longer one, for this step.
void Solver::shorten_sums(const Exec& exec, Real dt) {
  StepNumbers in = numbers_;
  in.dt = dt - sums_dt_;
  spread_stresses(exec, in, laws_, blocks_, rows_, nodes_.work);
  Quad* const sum = nodes_.sum.data() + (nodes_.sum.size() - nodes_.work.size());
  for_each(exec, "mpm.shorten", static_cast<Index>(nodes_.work.size()), [&](Index n) {
    for (int k = 0; k < 3; ++k) sum[n].c[k] += nodes_.work[n].c[k];
  });
  sums_dt_ = dt;
}

StableStep Solver::prepare(const Environment& environment, Real dt) {
  if (particles_.size() == 0) return {};
  const Exec& exec = environment.exec;
  read_materials(environment);
  if (heat_.is_active()) heat_.refresh(environment, laws_);
  look_around(environment, dt);
  StepNumbers in = numbers_;
  in.dt = in.next_dt = dt;
  if (!sums_valid_) {
    in.gathers = false;
    advance_particles(exec, in, laws_, blocks_, around_, view(), nodes_, rows_);
    limits_.margin = 0;  // not measured yet
    in.gathers = true;
  } else if (dt < sums_dt_) {
    shorten_sums(exec, dt);
  } else if (dt != sums_dt_) {
    throw Error(
        fmt::format("mpm.step: a step of {} s follows where {} s were announced", dt, sums_dt_));
  }
  const Real path = path_of(exec, in, move_grid(exec, in));
  if (!std::isfinite(path)) throw Error("mpm.step: a node of the grid has a non-finite velocity");
  prepared_dt_ = 0;
  must_rebin_ = !(path < limits_.margin) || heat_.changes();
  if (!(path < limits_.margin) && !(path < room()))
    return {double(dt) * 0.6 * double(room()) / double(path),
            "mpm.step: matter would cross more than a cell"};
  prepared_dt_ = dt;
  return {};
}

void Solver::step(const Environment& environment, Real dt) {
  if (particles_.size() == 0) return;
  if (dt != prepared_dt_)
    if (const StableStep longest = prepare(environment, dt); longest.dt < double(dt))
      throw Error(fmt::format("{} in a step of {:.3g} s; {:.3g} s are possible", longest.reason, dt,
                              longest.dt));
  const Exec& exec = environment.exec;
  if (must_rebin_) rebin(exec);
  prepared_dt_ = 0;
  StepNumbers in = numbers_;
  in.dt = dt;
  in.next_dt = static_cast<Real>(environment.next_dt);
  in.spreads = sums_valid_ = in.next_dt > 0;
  sums_dt_ = in.next_dt;
  advance_particles(exec, in, laws_, blocks_, around_, view(), nodes_, rows_);
  total_limits();
  fresh_ = false;
  if (!sums_valid_) write_particles(exec);
  heat_.advance(environment, dt, !sums_valid_, particles_, [&] { write_particles(exec); });
}

std::map<std::string, double> Solver::save() {
  std::map<std::string, double> numbers = {{"fresh", fresh_ ? 1.0 : 0.0}};
  heat_.save(numbers);
  return numbers;
}

/// Volumes of a state that has moved are not measured again.
void Solver::load(const std::map<std::string, double>& numbers) {
  fresh_ = numbers.contains("fresh") && numbers.at("fresh") != 0;
  heat_.load(numbers, particles_.x.size());
}

/// Copies rows back to the columns; velocities are there already.
void Solver::write_particles(const Exec& exec) {
  for_each_coarse(exec, "mpm.write", static_cast<Index>(blocks_.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks_.chunks[c];
    const Int3 block = blocks_.map.place(chunk.block);
    for (Index r = chunk.first; r < chunk.first + chunk.count; ++r) {
      const Row16& row = rows_.row[r];
      const Index i = rows_.particle[r];
      for (int k = 0; k < 3; ++k)
        particles_.x[i][k] = static_cast<Real>((double(block[k]) * block_edge + double(row.c[k])) *
                                               double(numbers_.dx));
      memory_[i] = row.c[row_memory];
      for (int k = 0; k < 9; ++k) deformation_[i][k / 3][k % 3] = row.c[row_f + k];
    }
  });
}

void Solver::total_limits() {
  limits_ = {};
  for (const ChunkLimits& l : rows_.limits) {
    limits_.speed_squared = std::max(limits_.speed_squared, l.speed_squared);
    limits_.wave_speed_squared = std::max(limits_.wave_speed_squared, l.wave_speed_squared);
    limits_.margin = std::min(limits_.margin, l.margin);
  }
}

ParticleView Solver::view() {
  return {particles_.v.data(), gradient_.data(), volume_.data(), particles_.pin.data()};
}

void Solver::report_non_finite() const {
  for (Index i = 0; i < particles_.size(); ++i)
    for (const auto& [part, bad] :
         {std::pair{"position", !is_finite(particles_.x[i])},
          std::pair{"velocity", !std::isfinite(length_squared(particles_.v[i]))},
          std::pair{"deformation", !std::isfinite(norm_squared(deformation_[i]))}})
      if (bad)
        throw Error(
            fmt::format("mpm.particles: particle {} has a non-finite {}", particles_.id[i], part));
  throw Error("mpm.particles: a particle has a non-finite velocity or stress");
}

/// An implicit step has no limit by stability of elastic forces; but no particle may leave its
/// tile.
StableStep Solver::longest_implicit_step(const Environment& environment) const {
  double speed = std::sqrt(double(limits_.speed_squared));
  for (const Collider& collider : environment.colliders)
    speed = std::max(speed, double(length(collider.pose.velocity)));
  // Steps are announced one ahead: gravity has two of them to act.
  const double path = 0.3 * double(numbers_.dx), fall = 2 * double(length(environment.gravity));
  const double dt = fall_time(path, speed, fall);
  if (speed > fall * dt)
    return {dt, "the fastest particle may cross three tenths of a cell", StepLimit::speed};
  return {dt, "a fall from rest may cross three tenths of a cell", StepLimit::other, 0.5};
}

StableStep Solver::stable_dt(const Environment& environment) {
  if (particles_.size() == 0) return {};
  if (!std::isfinite(limits_.speed_squared + limits_.wave_speed_squared)) report_non_finite();
  const double dx = numbers_.dx;
  StableStep limit = is_implicit_
                         ? longest_implicit_step(environment)
                         : explicit_step(std::sqrt(std::max(double(limits_.wave_speed_squared),
                                                            heat_.largest_wave_speed_squared())),
                                         std::sqrt(double(limits_.speed_squared)),
                                         double(length(environment.gravity)), dx, double(room()));
  limit = beside_obstacles(limit, environment, matter_, pin_arm_, dx);
  // Forward Euler is stable up to 2 / (diffusivity k^2); splines resolve k dx up to 1.8. Measured:
  // 0.64 dx^2 / diffusivity.
  const double viscous = 0.25 * dx * dx / (largest_diffusivity() + 1e-30);
  if (viscous < limit.dt)
    limit = {viscous, "viscosity may spread velocities over a quarter of a cell squared",
             StepLimit::viscosity, 2};
  limit.tighten(
      {heat_.stable_dt(),
       "heat may close half of the difference of a particle to the temperatures around it",
       StepLimit::other, 2});
  return limit;
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(particles_);
  views.push_back(phyxel::view("memory", "", memory_));
  views.push_back(phyxel::view("volume", "m^3", volume_));
  for (const ColumnView& own : {phyxel::view("velocity_gradient", "1/s", gradient_),
                                phyxel::view("deformation", "", deformation_)}) {
    views.push_back(own);
    views.back().in_files = false;
  }
  heat_.add_columns(views);
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure(environment.exec, particles_, environment.origin);
  d.potential_energy = -dot(cast<double>(environment.gravity), d.mass_moment);
  if (is_implicit_)
    d.extra = {{"solve_iterations", solve_iterations_}, {"unfinished_solves", unfinished_solves_}};
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace phyxel::mpm
