#include <algorithm>
#include <bit>
#include <string>

#include "phyxel/core/error.h"
#include "phyxel/methods/mpm/cuda_stages.h"
#include "phyxel/methods/mpm/messages.h"
#include "phyxel/neighbours/order_by_id.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

/// Keys of particles by their positions, and their numbers.
PlaceKeys key_particles(const Exec& exec, const Points& p, Real dx, Index materials,
                        Column<std::uint64_t>& key_column, Column<Index>& number_column) {
  const BlockExtent extent = reduce(
      exec, "mpm.extent", p.n, no_blocks(),
      PHYXEL_LAMBDA(Index i)->BlockExtent {
        const Int3 block = block_place(p.x[i], dx).block;
        return {block, block};
      },
      Joined{});
  const PlaceKeys keys = place_keys(extent.low, extent.high, materials);
  key_column.discard_and_resize(p.n);
  number_column.discard_and_resize(p.n);
  std::uint64_t* const key = key_column.data();
  Index* const number = number_column.data();
  for_each(
      exec, "mpm.keys", p.n, PHYXEL_LAMBDA(Index i) {
        key[i] = keys.key(block_place(p.x[i], dx).block, p.material[i]);
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
              const RowsView& rows, std::uint64_t* key, Index* number) {
  constexpr Index threads = 128;
  for_each(
      exec, "mpm.keys", blocks.chunk_count * threads, PHYXEL_LAMBDA(Index t) {
        const Chunk chunk = blocks.chunks[t / threads];
        const Int3 old = blocks.place[chunk.block];
        const std::uint64_t stays = keys.key(old, chunk.material);
        for (Index at = chunk.first + t % threads; at < chunk.first + chunk.count; at += threads) {
          const Index i = rows.order[at];
          const Int3 steps = steps_of(rows.cell[at]);
          number[at] = i;
          key[at] = stays;
          if (steps == Int3::zero()) continue;
          key[at] = keys.key(old + steps, chunk.material);
          for (int k = 0; k < 3; ++k) rows.row[i].c[k] -= Real(block_edge * steps[k]);
        }
      });
}

void fill_rows(const Exec& exec, const Points& p, Real dx, Row16* rows, Index* order) {
  for_each(
      exec, "mpm.rows", p.n, PHYXEL_LAMBDA(Index i) {
        rows[i] = row_of(p, i, dx);
        order[i] = i;
      });
}

/// The row of the smallest id that is not finite.
NamedRow first_bad(const Exec& exec, const Points& p, const Row16* rows) {
  return reduce(
      exec, "mpm.find_bad", p.n, NamedRow{},
      PHYXEL_LAMBDA(Index i)->NamedRow {
        return is_finite_row(rows[i]) ? NamedRow{} : NamedRow{p.id[i], i};
      },
      SmallerId{});
}

float number_of(unsigned bits) {
  return std::bit_cast<float>(bits);
}

}  // namespace

void Stages::check_support(const Material& material, const Parameters& p) {
  const auto refuse = [&](const std::string& given, const std::string& instead) {
    throw InputError("material." + material.name + "." + given +
                     " runs on the cpu only; use --device cpu, or " + instead);
  };
  if (p.transfer != Transfer::apic) refuse("transfer = \"flip\"", "transfer = \"apic\"");
  if (p.integration == Integration::implicit)
    refuse("integration = \"implicit\"", "integration = \"explicit\"");
  if (p.volumes == Volumes::rasterised) refuse("volumes = \"rasterised\"", "volumes = \"packing\"");
  if (p.thermal.conductivity > 0) refuse("conductivity: heat of mpm", "remove it");
  if (p.thermal.heating != 0) refuse("heating: heat of mpm", "remove it");
  if (p.thermal.convection > 0) refuse("convection: heat of mpm", "remove it");
}

void Stages::restart() {
  is_pending_ = is_moved_ = false;
  step_ = 0;
  status_.clear();
  if (chunk_rows_ == 0) chunk_rows_ = largest_chunk_rows();
}

void Stages::give_back_memory() {
  keys_ = {};
  order_ = {}, sorted_ = {};
  cells_ = {};
  rows_ = {};
  tiles_ = {}, nodes_ = {}, node_scratch_ = {}, more_tiles_ = {};
}

const Column<Index>& Stages::sort(const StepContext& with, const Column<ParticleId>& ids) {
  const PlaceKeys keys = key_particles(with.exec, with.points, with.in.dx,
                                       static_cast<Index>(with.laws.size()), keys_, sorted_);
  for (int k = 0; k < 3; ++k) origin_[k] = keys.low[k] + static_cast<Index>(keys.size[k] / 2);
  build_blocks(with.exec, keys, chunk_rows_, origin_, keys_, sorted_, blocks_scratch_, blocks_);
  order_equal_keys_by_id(with.exec, "mpm.by_id", keys_, ids, sorted_);
  return sorted_;
}

void Stages::resize_tiles() {
  tiles_.discard_and_resize(std::size_t(blocks_.chunk_count) * nodes_in_tile);
}

void Stages::make_rows(const StepContext& with) {
  const Index n = with.points.n;
  rows_.discard_and_resize(n);
  order_.discard_and_resize(n);
  cells_.discard_and_resize(n);
  fill_rows(with.exec, with.points, with.in.dx, rows_.data(), order_.data());
  nodes_.discard_and_resize(std::size_t(blocks_.node_count) * nodes_in_block);
  resize_tiles();
}

/// Moves rows that have left their blocks to new ones; velocities of nodes are kept.
void Stages::rebin(const StepContext& with) {
  const Exec& exec = with.exec;
  const TimerScope scope(exec.timers, "mpm.rebin");
  Int3 low = blocks_.low, high = blocks_.high;
  for (int k = 0; k < 3; ++k) --low[k], ++high[k];
  const PlaceKeys keys = place_keys(low, high, static_cast<Index>(with.laws.size()));
  key_rows(exec, blocks_.view(), keys, advance_view(with).rows, keys_.data(), sorted_.data());
  old_table_.swap(blocks_.table);
  build_blocks(exec, keys, chunk_rows_, origin_, keys_, sorted_, blocks_scratch_, blocks_);
  order_.swap(sorted_);
  remap_nodes(exec, old_table_, blocks_, nodes_, node_scratch_);
  nodes_.swap(node_scratch_);
  resize_tiles();
}

AdvanceView Stages::advance_view(const StepContext& with) {
  AdvanceView view;
  view.in = with.in;
  view.blocks = blocks_.view();
  view.nodes = nodes_.data();
  view.rows = {rows_.data(), order_.data(), cells_.data(), tiles_.data()};
  view.points = with.points;
  view.boundaries = with.boundaries;
  view.near = nullptr;
  view.status = status_.on_device(step_);
  view.may_stop = false;
  view.material = 0;
  view.chunk_rows = chunk_rows_;
  return view;
}

void Stages::launch_all(const StepContext& with, AdvanceView& view) {
  for (const Index m : with.used) {
    view.material = m;
    advance_particles(with.exec, with.laws[m], view);
  }
}

void Stages::launch(const StepContext& with, bool may_stop) {
  AdvanceView view = advance_view(with);
  view.may_stop = may_stop;
  if (with.boundaries.colliders.count > 0 || with.boundaries.pins) {
    find_near_chunks(with.exec, view.blocks, with.boundaries, with.in.dt, with.in.dx, near_chunks_);
    view.near = near_chunks_.data();
  }
  launch_all(with, view);
}

void Stages::measure(const StepContext& with) {
  StepContext look = with;
  look.in.grid_to_particles = look.in.particles_to_grid = false;
  launch(look, false);
  status_.fetch_limits(step_);
}

/// The margins of particles go to the step before; is_moved_: the same step was too long.
void Stages::particles_to_grid(const StepContext& with) {
  StepContext first = with;
  first.in.grid_to_particles = false;
  if (is_moved_) --step_;
  launch(first, false);
  if (is_moved_) ++step_;
}

/// Particles at rest without colliders have the impulses of their stresses alone.
void Stages::shorten(const StepContext& with, Real more) {
  more_tiles_.discard_and_resize(tiles_.size());
  StepContext still = with;
  still.in.dt = still.in.next_dt = more;
  still.in.grid_to_particles = false;
  still.in.particles_to_grid = true;
  still.boundaries.colliders = {};
  still.boundaries.pins = nullptr;
  still.points.v = nullptr;
  AdvanceView view = advance_view(still);
  view.rows.tile = more_tiles_.data();
  launch_all(still, view);
  add_momentum(with.exec, more_tiles_, tiles_);
}

/// Nodes around pinned particles move with their pin, as on the CPU; the speeds of pinned particles
/// count, which may be faster than nodes.
void Stages::move_with_pins(const StepContext& with, NodesView nodes) {
  more_tiles_.discard_and_resize(tiles_.size());
  fill(with.exec, "mpm.pins", more_tiles_, Quad{});
  AdvanceView view = advance_view(with);
  view.rows.tile = more_tiles_.data();
  if (names_pins(with.boundaries)) {
    node_pin_.discard_and_resize(nodes_.size());
    fill(with.exec, "mpm.pins", node_pin_, Index{0});
    nodes.pin = node_pin_.data();
  }
  pins_to_tiles(with.exec, view, names_pins(with.boundaries) ? node_pin_.data() : nullptr);
  nodes.tile = more_tiles_.data();
  move_pinned_nodes(with.exec, nodes);
  note_pins(with.exec, view);
}

NodesView Stages::nodes_view(const StepContext& with) {
  return {with.in.dt,
          with.in.dx,
          blocks_.view(),
          tiles_.data(),
          nodes_.data(),
          with.boundaries,
          with.boundaries.colliders.count > 0 ? near_nodes_.data() : nullptr,
          status_.on_device(step_),
          nullptr};
}

Vec3d Stages::field_impulse(const StepContext& with) {
  return with.boundaries.fields.count > 0 ? impulse_of_fields(with.exec, nodes_view(with))
                                          : Vec3d::zero();
}

/// Velocities of the nodes for the step, and whether it stops itself.
void Stages::move_nodes(const StepContext& with) {
  const Exec& exec = with.exec;
  const Boundaries& boundaries = with.boundaries;
  StepStatus* const status = status_.on_device(step_);
  if (boundaries.colliders.count > 0)
    find_near_nodes(exec, blocks_.view(), boundaries, with.in.dx, near_nodes_);
  const NodesView nodes = nodes_view(with);
  update_nodes(exec, nodes);
  if (boundaries.pins) move_with_pins(with, nodes);
  decide(exec, with.in.dt, with.in.dx, 2 * boundaries.collider_speed, status_.on_device(step_ - 1),
         status, status_.on_device(step_ + 1));
  status_.fetch_decision(step_);
}

/// Cells that particles cross at most in a step whose nodes are known. On a surface of velocity u a
/// particle gets u and what is left of its own relative to u.
double Stages::path_of(const StepStatus& status, const StepContext& with) const {
  const double speed =
      double(number_of(status.node_speed)) + 2 * double(with.boundaries.collider_speed);
  return speed * double(with.in.dt) / double(with.in.dx) +
         (with.boundaries.colliders.count > 0 ? double(largest_push) : 0);
}

MovedGrid Stages::move_grid(const StepContext& with, bool doubtful) {
  const bool again = std::exchange(is_moved_, true);
  if (again)
    status_.reset(step_);
  else
    ++step_;
  move_nodes(with);
  if (!again && !doubtful) return {};
  const double path = path_of(status_.decision(step_), with);
  return {path, path < room(with.in)};
}

void Stages::advance(const StepContext& with) {
  is_moved_ = false;
  launch(with, true);
  status_.fetch_limits(step_);
  pending_ = with.in;
  is_pending_ = true;
  if (!with.in.particles_to_grid) finish_step(with);
}

/// Takes a step that was accepted but is too long after all in parts, with the colliders where they
/// are: they do not move meanwhile.
void Stages::take_in_parts(const StepContext& with, double path) {
  StepContext part = with;
  Real ready = pending_.dt;  // s, of the step that the tiles are for
  double left = pending_.dt, most = left * 0.6 * room(pending_) / path;
  for (int tries = 0; left > 0; ++tries) {
    part.in = pending_;
    part.in.dt = static_cast<Real>(left / std::ceil(left / most));
    if (part.in.dt < ready) shorten(part, part.in.dt - ready), ready = part.in.dt;
    part.in.dt = ready;
    status_.reset(step_);
    part.reactions.discard_step(part.exec);
    move_nodes(part);
    const StepStatus& status = status_.decision(step_);
    if (const double next_path = path_of(status, part); !(next_path < room(part.in))) {
      if (!std::isfinite(next_path)) report_bad_nodes(find_bad(part));
      if (tries > 1000)
        throw Error("mpm.step: matter would cross " + std::to_string(next_path) +
                    " cells even in a step of " + std::to_string(double(part.in.dt)) + " s");
      most = double(part.in.dt) * 0.6 * room(part.in) / next_path;
      continue;
    }
    if (status.stop) rebin(part);
    left -= double(part.in.dt);
    const bool last = left < 1e-3 * double(part.in.dt);
    if (!last) {
      part.in.particles_to_grid = true;
      part.in.next_dt = static_cast<Real>(left / std::ceil(left / most * (1 - 1e-6)));
    }
    launch(part, false);
    part.reactions.add_up(part.exec, part.in.dt);
    ready = part.in.next_dt;
    if (last) break;
    // The margin of this part is what the next one starts from.
    status_.copy(step_, step_ - 1);
  }
  status_.fetch_limits(step_);
}

Real Stages::finish_step(const StepContext& with) {
  if (!is_pending_) return 0;
  is_pending_ = false;
  const StepStatus status = status_.decision(step_);
  if (!status.stop) return 0;
  StepContext again = with;
  again.in = pending_;
  if (const double path = path_of(status, again); !(path < room(pending_))) {
    if (!std::isfinite(path)) report_bad_nodes(find_bad(with));
    take_in_parts(again, path);
    return pending_.dt;
  }
  rebin(again);
  launch(again, false);
  status_.fetch_limits(step_);
  return pending_.dt;
}

BadPoint Stages::find_bad(const StepContext& with) const {
  const NamedRow bad = first_bad(with.exec, with.points, rows_.data());
  return bad.row < 0 ? BadPoint{} : BadPoint{bad.id, bad_part(element(rows_, bad.row))};
}

ChunkLimits Stages::limits(bool within) const {
  const StepStatus& known = status_.limits(within ? step_ - 1 : step_);
  return {number_of(known.speed_squared), number_of(known.wave_speed_squared)};
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
