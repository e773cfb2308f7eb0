#include <algorithm>
#include <bit>
#include <string>

#include "phyxel/core/error.h"
#include "phyxel/methods/mpm/cuda_solver.h"
#include "phyxel/methods/mpm/foresee.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

/// Keys of particles by their positions, and their numbers.
PlaceKeys key_particles(const Exec& exec, const Particles& p, Real dx, Index materials,
                        Column<std::uint64_t>& key_column, Column<Index>& number_column) {
  const Index n = p.size();
  const Vec3* const x = p.x.data();
  const Index* const material = p.material.data();
  const BlockExtent extent = reduce(
      exec, "mpm.extent", n, no_blocks(),
      PHYXEL_LAMBDA(Index i)->BlockExtent {
        const Int3 block = block_place(x[i], dx).block;
        return {block, block};
      },
      Joined{});
  const PlaceKeys keys = place_keys(extent.low, extent.high, materials);
  key_column.discard_and_resize(n);
  number_column.discard_and_resize(n);
  std::uint64_t* const key = key_column.data();
  Index* const number = number_column.data();
  for_each(
      exec, "mpm.keys", n, PHYXEL_LAMBDA(Index i) {
        key[i] = keys.key(block_place(x[i], dx).block, material[i]);
        number[i] = i;
      });
  return keys;
}

/// From a cell of a tile to the block that the particles in it belong to: steps along an axis.
PHYXEL_FN Int3 steps_of(int cell) {
  const Int3 along{cell / (cells_along_tile * cells_along_tile),
                   cell / cells_along_tile % cells_along_tile, cell % cells_along_tile};
  Int3 steps;
  for (int k = 0; k < 3; ++k)
    steps[k] = along[k] == 0 ? -1 : along[k] == cells_along_tile - 1 ? 1 : 0;
  return steps;
}

/// Rows that have drifted away from their blocks get places in new ones; keys tell which.
void key_rows(const Exec& exec, const BlocksView& blocks, const PlaceKeys& keys,
              const ParticlesView& particles, std::uint64_t* key, Index* number) {
  constexpr Index threads = 128;
  for_each(
      exec, "mpm.keys", blocks.chunk_count * threads, PHYXEL_LAMBDA(Index t) {
        const Chunk chunk = blocks.chunks[t / threads];
        const Int3 old = blocks.place[chunk.block];
        const std::uint64_t stays = keys.key(old, chunk.material);
        for (Index at = chunk.first + t % threads; at < chunk.first + chunk.count; at += threads) {
          const Index i = particles.order[at];
          const Int3 steps = steps_of(particles.cell[at]);
          number[at] = i;
          key[at] = stays;
          if (steps == Int3::zero()) continue;
          key[at] = keys.key(old + steps, chunk.material);
          for (int k = 0; k < 3; ++k) particles.row[i].c[k] -= Real(block_edge * steps[k]);
        }
      });
}

void fill_rows(const Exec& exec, const Particles& p, const OwnColumns<Column>& own, Real dx,
               Row16* rows, Index* order) {
  const Vec3* const x = p.x.data();
  const Real* const mass = p.mass.data();
  const Real* const memory = own.memory.data();
  const Real* const volume = own.volume.data();
  const Mat3* const f = own.deformation.data();
  for_each(
      exec, "mpm.rows", p.size(), PHYXEL_LAMBDA(Index i) {
        const BlockPlace at = block_place(x[i], dx);
        Row16 row;
        for (int k = 0; k < 3; ++k) row.c[k] = at.local[k];
        row.c[row_memory] = memory[i];
        for (int k = 0; k < 9; ++k) row.c[row_f + k] = f[i][k / 3][k % 3];
        row.c[row_volume] = volume[i];
        row.c[row_mass] = mass[i];
        row.c[15] = 0;
        rows[i] = row;
        order[i] = i;
      });
}

void refuse_what_is_missing(const Material& material, const Parameters& p) {
  if (p.transfer != Transfer::apic)
    throw InputError("material." + material.name +
                     ".transfer = \"flip\" runs on the cpu only; use --device cpu, or transfer = "
                     "\"apic\"");
  if (p.integration == Integration::implicit)
    throw InputError("material." + material.name +
                     ".integration = \"implicit\" runs on the cpu only; use --device cpu, or "
                     "integration = \"explicit\"");
  if (p.volumes == Volumes::rasterised)
    throw InputError("material." + material.name +
                     ".volumes = \"rasterised\" runs on the cpu only; use --device cpu, or volumes "
                     "= \"packing\"");
}

Real largest_volume(const Exec& exec, const Particles& p, const Column<Real>& densities) {
  const Real* const mass = p.mass.data();
  const Real* const density = densities.data();
  const Index* const material = p.material.data();
  return reduce_max(
      exec, "mpm.volume", p.size(), Real(0),
      PHYXEL_LAMBDA(Index i)->Real { return mass[i] / density[material[i]]; });
}

struct Smaller {
  PHYXEL_FN Index operator()(Index a, Index b) const { return a < b ? a : b; }
};
/// The first particle that has a coordinate beyond `most`, or that is no number; p.size(): none.
Index first_beyond(const Exec& exec, const Particles& p, double most) {
  const Vec3* const x = p.x.data();
  const Index n = p.size();
  return reduce(
      exec, "mpm.places", n, n,
      PHYXEL_LAMBDA(Index i)->Index {
        for (int k = 0; k < 3; ++k)
          if (!(double(abs(x[i][k])) < most)) return i;
        return n;
      },
      Smaller{});
}

float number_of(unsigned bits) {
  return std::bit_cast<float>(bits);
}

}  // namespace

void Solver::read_materials(const Environment& environment) {
  laws_.assign(environment.materials.size(), AnyLaw{});
  density_.assign(environment.materials.size(), 1);
  used_.clear();
  for (std::size_t m = 0; m < environment.materials.size(); ++m) {
    const Material& material = environment.materials[m];
    if (material.method != "mpm") continue;
    const Parameters& p = parameters_of<Parameters>(material);
    refuse_what_is_missing(material, p);
    laws_[m] = law_of(p);
    density_[m] = material.density;
    if (!used_.empty()) check_agreement(environment.materials[used_.front()], material);
    used_.push_back(static_cast<Index>(m));
  }
}

/// The cell that a material gives, or one that suits the coarsest particles.
void Solver::set_cell(const Environment& environment) {
  for (const Index m : used_) {
    dx_ = parameters_of<Parameters>(environment.materials[m]).cell;
    if (is_given(dx_)) return;
  }
  assign(density_column_, density_);
  const Particles& p = store_.for_kernels();
  const Real volume = largest_volume(environment.exec, p, density_column_);
  dx_ = natural_cell(double(volume), environment.dimensions);
}

/// Positions in the columns are in m: far from the local origin they are too coarse for the cells.
void Solver::check_places(const Exec& exec) {
  const double coarsest = 0.01 * double(dx_) / std::numeric_limits<Real>::epsilon();
  const Particles& p = store_.for_kernels();
  const Index bad = first_beyond(exec, p, coarsest);
  if (bad == p.size()) return;
  const std::string name = std::to_string(element(p.id, bad));
  if (!is_finite(element(p.x, bad)))
    throw Error("mpm.particles: particle " + name + " has a non-finite position");
  throw Error(
      "mpm.begin: particle " + name + " is more than " + std::to_string(coarsest) +
      " m from the scene's local origin, where positions are coarser than a hundredth of a cell; "
      "keep matter nearer to it, use larger cells or a build with PHYXEL_DOUBLE");
}

void Solver::fetch_own_columns() {
  if (own_host_is_current_) return;
  copy_to_host(own_.gradient, own_host_.gradient);
  copy_to_host(own_.deformation, own_host_.deformation);
  copy_to_host(own_.memory, own_host_.memory);
  copy_to_host(own_.volume, own_host_.volume);
  own_host_is_current_ = true;
}

/// Particles that are new to the method are at rest in their own shape.
void Solver::add_new_particles() {
  const std::size_t n = static_cast<std::size_t>(store_.for_kernels().size());
  if (n != own_.volume.size() && !own_host_is_newer_) {
    fetch_own_columns();
    own_host_is_newer_ = true;
  }
  if (!own_host_is_newer_) return;
  OwnColumns<HostColumn>& own = own_host_;
  const std::size_t old = own.volume.size();
  own.gradient.resize(n, Mat3::zero());
  own.deformation.resize(n, Mat3::identity());
  own.memory.resize(n);
  own.volume.resize(n);
  if (old < n) {
    const HostParticles& host = store_.for_host();
    for (std::size_t i = old; i < n; ++i) {
      const Index m = host.material[i];
      own.memory[i] = std::visit([](const auto& law) { return law.fresh; }, laws_[m]);
      own.volume[i] = host.mass[i] / density_[m];
    }
  }
  assign(own_.gradient, own.gradient);
  assign(own_.deformation, own.deformation);
  assign(own_.memory, own.memory);
  assign(own_.volume, own.volume);
  own_host_is_newer_ = false;
}

void Solver::begin(const Environment& environment) {
  const Exec& exec = environment.exec;
  if (environment.box.periodic[0] || environment.box.periodic[1] || environment.box.periodic[2])
    throw InputError("world.periodic: the method mpm has no periodic domain; use closed walls");
  is_pending_ = tiles_valid_ = false;
  prepared_dt_ = 0;
  step_ = 0;
  status_.clear();
  if (store_.for_kernels().size() == 0) return;
  if (chunk_rows_ == 0) chunk_rows_ = largest_chunk_rows();
  read_materials(environment);
  set_cell(environment);
  add_new_particles();
  check_places(exec);
  own_host_is_current_ = false;
  sort_particles(exec);
  make_rows(exec);
  StepNumbers look;
  look.dx = dx_;
  look.grid_to_particles = look.particles_to_grid = false;
  advance(exec, look, false);
  status_.fetch_limits(step_);
}

/// All columns in the order of blocks and materials.
void Solver::sort_particles(const Exec& exec) {
  Particles& p = store_.for_kernels();
  const PlaceKeys keys =
      key_particles(exec, p, dx_, static_cast<Index>(laws_.size()), keys_, sorted_);
  for (int k = 0; k < 3; ++k) origin_[k] = keys.low[k] + static_cast<Index>(keys.size[k] / 2);
  build_blocks(exec, keys, chunk_rows_, origin_, keys_, sorted_, blocks_scratch_, blocks_);
  reorder(exec, p, sorted_, reorder_scratch_);
  for (auto* column : {&own_.memory, &own_.volume})
    permute(exec, "mpm.reorder", *column, sorted_, reorder_scratch_.real);
  for (auto* column : {&own_.gradient, &own_.deformation})
    permute(exec, "mpm.reorder", *column, sorted_, matrix_scratch_);
}

void Solver::resize_tiles() {
  tiles_.discard_and_resize(std::size_t(blocks_.chunk_count) * nodes_in_tile);
}

void Solver::make_rows(const Exec& exec) {
  const Particles& p = store_.for_kernels();
  rows_.discard_and_resize(p.size());
  order_.discard_and_resize(p.size());
  cells_.discard_and_resize(p.size());
  fill_rows(exec, p, own_, dx_, rows_.data(), order_.data());
  nodes_.discard_and_resize(std::size_t(blocks_.node_count) * nodes_in_block);
  resize_tiles();
}

/// Moves rows that have left their blocks to new ones; velocities of nodes are kept.
void Solver::rebin(const Exec& exec) {
  const TimerScope scope(exec.timers, "mpm.rebin");
  Int3 low = blocks_.low, high = blocks_.high;
  for (int k = 0; k < 3; ++k) --low[k], ++high[k];
  const PlaceKeys keys = place_keys(low, high, static_cast<Index>(laws_.size()));
  key_rows(exec, blocks_.view(), keys, advance_view({}).particles, keys_.data(), sorted_.data());
  old_table_.swap(blocks_.table);
  build_blocks(exec, keys, chunk_rows_, origin_, keys_, sorted_, blocks_scratch_, blocks_);
  order_.swap(sorted_);
  remap_nodes(exec, old_table_, blocks_, nodes_, node_scratch_);
  nodes_.swap(node_scratch_);
  resize_tiles();
}

AdvanceView Solver::advance_view(const StepNumbers& in) {
  Particles& p = store_.for_kernels();
  AdvanceView view;
  view.in = in;
  view.blocks = blocks_.view();
  view.nodes = nodes_.data();
  view.particles = {
      rows_.data(),       order_.data(), cells_.data(),        tiles_.data(),
      p.x.data(),         p.v.data(),    own_.gradient.data(), own_.deformation.data(),
      own_.memory.data(), p.pin.data()};
  view.boundaries = boundaries_;
  view.near = nullptr;
  view.status = status_.on_device(step_);
  view.may_stop = false;
  view.material = 0;
  view.chunk_rows = chunk_rows_;
  return view;
}

void Solver::advance(const Exec& exec, const StepNumbers& in, bool may_stop) {
  AdvanceView view = advance_view(in);
  view.may_stop = may_stop;
  if (boundaries_.colliders.count > 0 || boundaries_.pins) {
    find_near_chunks(exec, view.blocks, boundaries_, in.dt, dx_, near_chunks_);
    view.near = near_chunks_.data();
  }
  for (const Index m : used_) {
    view.material = m;
    advance_particles(exec, laws_[m], view);
  }
}

/// Most cells that a particle can cross in a step; a tile has room for one.
constexpr double room_of_step = 0.98;

/// Cells that particles cross at most in a step of dt whose nodes are known.
double Solver::path_of(const StepStatus& status, Real dt) const {
  return (double(number_of(status.node_speed)) + double(carried_)) * double(dt) / double(dx_) +
         (boundaries_.colliders.count > 0 ? double(largest_push) : 0);
}

/// Tiles for a step of dt instead of the longer one that was announced: the impulses of stresses
/// are linear in the length of the step. Viscous stresses keep their impulse of the longer one, as
/// velocity gradients are not kept.
void Solver::shorten_tiles(const Exec& exec, Real dt) {
  more_tiles_.discard_and_resize(tiles_.size());
  StepNumbers in;
  in.dx = dx_;
  in.dt = in.next_dt = dt - tiles_dt_;
  in.grid_to_particles = false;
  AdvanceView view = advance_view(in);
  view.boundaries.colliders = {};
  view.boundaries.pins = nullptr;
  view.particles.v = nullptr;
  view.particles.tile = more_tiles_.data();
  for (const Index m : used_) {
    view.material = m;
    advance_particles(exec, laws_[m], view);
  }
  add_momentum(exec, more_tiles_, tiles_);
  tiles_dt_ = dt;
}

/// Velocities of the nodes for the step, and whether it stops itself.
void Solver::move_nodes(const Exec& exec, const StepNumbers& in) {
  StepStatus* const status = status_.on_device(step_);
  const bool collides = boundaries_.colliders.count > 0;
  if (collides) find_near_nodes(exec, blocks_.view(), boundaries_, dx_, near_nodes_);
  update_nodes(exec, {in.dt, dx_, blocks_.view(), tiles_.data(), nodes_.data(), boundaries_,
                      collides ? near_nodes_.data() : nullptr, status});
  if (boundaries_.pins) note_pins(exec, advance_view(in));
  decide(exec, in.dt, dx_, carried_, status_.on_device(step_ - 1), status,
         status_.on_device(step_ + 1));
  status_.fetch_decision(step_);
}

/// Takes a step that was accepted but is too long after all in parts, with the colliders where they
/// are: they do not move meanwhile.
void Solver::take_in_parts(const Exec& exec, double path) {
  const StepNumbers whole = pending_;
  const bool valid_after = tiles_valid_;
  const Real dt_after = tiles_dt_;
  tiles_dt_ = whole.dt;
  double left = whole.dt, most = left * 0.6 * room_of_step / path;
  for (int tries = 0; left > 0; ++tries) {
    StepNumbers in = whole;
    in.dt = static_cast<Real>(left / std::ceil(left / most));
    if (in.dt < tiles_dt_) shorten_tiles(exec, in.dt);
    in.dt = tiles_dt_;
    status_.reset(step_);
    move_nodes(exec, in);
    const StepStatus& status = status_.decision(step_);
    if (const double next_path = path_of(status, in.dt); !(next_path < room_of_step)) {
      if (tries > 1000 || !std::isfinite(next_path))
        throw Error("mpm.step: matter would cross " + std::to_string(next_path) +
                    " cells even in a step of " + std::to_string(double(in.dt)) + " s");
      most = double(in.dt) * 0.6 * room_of_step / next_path;
      continue;
    }
    if (status.stop) rebin(exec);
    left -= double(in.dt);
    const bool last = left < 1e-3 * double(in.dt);
    if (!last) {
      in.particles_to_grid = true;
      in.next_dt = static_cast<Real>(left / std::ceil(left / most * (1 - 1e-6)));
    }
    advance(exec, in, false);
    tiles_dt_ = in.next_dt;
    if (last) break;
    // The margin of this part is what the next one starts from.
    status_.copy(step_, step_ - 1);
  }
  tiles_valid_ = valid_after;
  tiles_dt_ = dt_after;
  status_.fetch_limits(step_);
}

/// Takes the last step again if it stopped itself.
void Solver::finish_step(const Exec& exec) {
  if (!is_pending_) return;
  is_pending_ = false;
  const StepStatus status = status_.decision(step_);
  if (!status.stop) return;
  if (const double path = path_of(status, pending_.dt); !(path < room_of_step)) {
    if (!std::isfinite(path)) throw Error("mpm.step: a node of the grid has a non-finite velocity");
    take_in_parts(exec, path);
    return;
  }
  rebin(exec);
  advance(exec, pending_, false);
  status_.fetch_limits(step_);
}

void Solver::look_around(const Environment& environment, Real dt) {
  boundaries_.gravity = environment.gravity;
  boundaries_.flat = environment.dimensions == 2;
  colliders_.update(environment.colliders, environment.time, dt);
  boundaries_.colliders = colliders_.views();
  // On a surface of velocity u a particle gets u and what is left of its own relative to u.
  carried_ = static_cast<Real>(2 * collider_speed(environment,
                                                  matter_bounds(blocks_.low, blocks_.high, dx_),
                                                  environment.time - double(dt), environment.time));
  boundaries_.pins = nullptr;
  if (environment.pins.empty()) return;
  view_pins(environment, dt, pins_);
  assign(pin_column_, pins_);
  boundaries_.pins = pin_column_.data();
}

/// Whether the host waits for the nodes before it takes the step: with moving colliders or pins, or
/// where matter is fast. All other steps start at once, and are checked one step later.
bool Solver::is_doubtful(const Environment& environment, Real dt) {
  if (carried_ > 0 || !environment.pins.empty()) return true;
  const StepStatus& known = status_.limits(tiles_valid_ ? step_ - 1 : step_);
  return std::sqrt(double(number_of(known.speed_squared))) * double(dt) > 0.5 * double(dx_);
}

StableStep Solver::prepare(const Environment& environment, Real dt) {
  if (store_.for_kernels().size() == 0) return {};
  const Exec& exec = environment.exec;
  finish_step(exec);
  read_materials(environment);
  look_around(environment, dt);
  const bool again = prepared_dt_ > 0;  // of the same step, which was too long
  const bool doubtful = again || is_doubtful(environment, dt);
  StepNumbers in;
  in.dx = dx_;
  in.dt = in.next_dt = dt;
  if (!tiles_valid_) {
    if (again) --step_;
    in.grid_to_particles = false;
    advance(exec, in, false);
    in.grid_to_particles = true;
    if (again) ++step_;
  } else if (dt < tiles_dt_) {
    shorten_tiles(exec, dt);
  } else if (dt != tiles_dt_) {
    throw Error("mpm.step: was told to expect a step of " + std::to_string(tiles_dt_) +
                " s, not of " + std::to_string(dt) + " s");
  }
  if (again)
    status_.reset(step_);
  else
    ++step_;
  move_nodes(exec, in);
  prepared_dt_ = dt;
  if (!doubtful) return {};
  const double path = path_of(status_.decision(step_), dt);
  if (!std::isfinite(path)) throw Error("mpm.step: a node of the grid has a non-finite velocity");
  if (path < room_of_step) return {};
  return {double(dt) * 0.6 * room_of_step / path, "mpm.step: matter would cross more than a cell"};
}

void Solver::step(const Environment& environment, Real dt) {
  if (store_.for_kernels().size() == 0) return;
  if (dt != prepared_dt_)
    if (const StableStep longest = prepare(environment, dt); longest.dt < double(dt))
      throw Error(std::string(longest.reason) + " in a step of " + std::to_string(double(dt)) +
                  " s");
  const Exec& exec = environment.exec;
  prepared_dt_ = 0;
  StepNumbers in;
  in.dx = dx_;
  in.dt = dt;
  in.next_dt = static_cast<Real>(environment.next_dt);
  in.particles_to_grid = tiles_valid_ = in.next_dt > 0;
  tiles_dt_ = in.next_dt;
  advance(exec, in, true);
  status_.fetch_limits(step_);
  pending_ = in;
  is_pending_ = true;
  if (!tiles_valid_) finish_step(exec);
}

/// Upper bounds: matter lies between its blocks.
std::vector<Real> Solver::pin_arms(const Environment& environment) const {
  const Bounds matter = matter_bounds(blocks_.low, blocks_.high, dx_);
  std::vector<Real> arms;
  for (const Pin& pin : environment.pins)
    arms.push_back(
        length(matter.centre() - apply(pin.pose.transform, cast<Real>(pin.motion.pivot))) +
        length(matter.size()) / 2);
  return arms;
}

/// Within a frame, of the step before the last one, which is known by now.
StableStep Solver::stable_dt(const Environment& environment) {
  if (store_.for_kernels().size() == 0) return {};
  finish_step(environment.exec);
  const StepStatus& known = status_.limits(tiles_valid_ ? step_ - 1 : step_);
  const double wave = std::sqrt(double(number_of(known.wave_speed_squared))),
               speed = std::sqrt(double(number_of(known.speed_squared)));
  if (!std::isfinite(speed + wave))
    throw Error("mpm.particles: a particle has a non-finite velocity or stress");
  const StableStep limit =
      explicit_step(wave, speed, double(length(environment.gravity)), double(dx_), 1);
  return beside_obstacles(limit, environment, matter_bounds(blocks_.low, blocks_.high, dx_),
                          pin_arms(environment), double(dx_));
}

std::vector<ColumnView> Solver::columns() {
  std::vector<ColumnView> views = columns_of(store_.for_host());
  fetch_own_columns();
  own_host_is_newer_ = true;
  views.push_back(phyxel::view("memory", "", own_host_.memory));
  views.push_back(phyxel::view("volume", "m^3", own_host_.volume));
  for (const ColumnView& own : {phyxel::view("velocity_gradient", "1/s", own_host_.gradient),
                                phyxel::view("deformation", "", own_host_.deformation)}) {
    views.push_back(own);
    views.back().in_files = false;
  }
  return views;
}

Diagnostics Solver::diagnostics(const Environment& environment) {
  Diagnostics d = measure(environment.exec, store_.for_kernels(), environment.origin);
  d.potential_energy = -dot(cast<double>(environment.gravity), d.mass_moment);
  return d;
}

std::unique_ptr<Method> make_solver() {
  return std::make_unique<Solver>();
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
