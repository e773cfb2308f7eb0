#include "phyxel/methods/mpm/cpu_stages.h"

#include <algorithm>
#include <cmath>

#include "phyxel/methods/mpm/messages.h"
#include "phyxel/neighbours/order_by_id.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

const Column<Index>& Stages::sort(const StepContext& with, const Column<ParticleId>& ids) {
  const Exec& exec = with.exec;
  const Points& p = with.points;
  const Real dx = with.in.dx;
  const BlockExtent extent = reduce(
      exec, "mpm.extent", p.n, no_blocks(),
      [&](Index i) {
        const Int3 b = block_place(p.x[i], dx).block;
        return BlockExtent{b, b};
      },
      Joined{});
  const BlockKeys keys = make_keys(extent.low, extent.high, static_cast<Index>(with.laws.size()));
  keys_.resize(p.n);
  sorted_.resize(p.n);
  for_each(exec, "mpm.keys", p.n, [&](Index i) {
    keys_[i] = keys.key(block_place(p.x[i], dx).block, p.material[i]);
    sorted_[i] = i;
  });
  sort_pairs(exec, "mpm.sort", keys_, sorted_, keys.bits(), sort_scratch_);
  order_equal_keys_by_id(exec, "mpm.by_id", keys_, ids, sorted_);
  build_blocks(keys, keys_, blocks_);
  return sorted_;
}

void Stages::resize_chunks() {
  const std::size_t chunks = blocks_.chunks.size();
  rows_.order.resize(rows_.row.size());
  rows_.start.resize(chunks * Rows::starts);
  rows_.range.resize(chunks);
  rows_.limits.resize(chunks);
}

/// What belongs to new blocks, when rows are in their order.
void Stages::start_blocks(const StepContext& with) {
  resize_chunks();
  sort_cells(with.exec, with.in, blocks_, rows_);
  find_pinned_places(blocks_, rows_, with.points.pin, pinned_places_);
  extent_ = extent_of(blocks_.map);
}

void Stages::make_rows(const StepContext& with) {
  const Points& p = with.points;
  rows_.row.resize(p.n);
  rows_.particle.resize(p.n);
  for_each(with.exec, "mpm.rows", p.n, [&](Index i) {
    rows_.row[i] = row_of(p, i, with.in.dx);
    rows_.particle[i] = i;
  });
  if (with.in.transfer == Transfer::flip) {
    rows_.velocity.resize(p.n);
    for_each(with.exec, "mpm.rows", p.n, [&](Index i) {
      rows_.velocity[i] = {{p.v[i][0], p.v[i][1], p.v[i][2], 0}};
    });
  }
  start_blocks(with);
}

void Stages::rasterise_volumes(const StepContext& with) {
  StepNumbers in = with.in;
  in.grid_to_particles = false;
  advance_particles(with.exec, in, with.laws, blocks_, with.boundaries, with.points, nodes_, rows_);
  load_masses(with.exec, in, blocks_, nodes_);
  measure_volumes(with.exec, in, blocks_, nodes_, with.points, rows_);
}

void Stages::measure(const StepContext& with) {
  StepNumbers look = with.in;
  look.grid_to_particles = look.particles_to_grid = false;
  advance_particles(with.exec, look, with.laws, blocks_, with.boundaries, with.points, nodes_,
                    rows_);
  total_limits();
}

void Stages::remap(const Exec& exec, Column<Quad>& nodes) {
  remap_nodes(exec, old_nodes_, blocks_, nodes, quad_scratch_);
  nodes.swap(quad_scratch_);
}

/// Moves rows that have left their blocks to new ones; velocities of nodes are kept.
void Stages::rebin(const StepContext& with) {
  const Exec& exec = with.exec;
  const TimerScope scope(exec.timers, "mpm.rebin");
  BlockExtent extent = extent_;
  for (int k = 0; k < 3; ++k) --extent.low[k], ++extent.high[k];
  const BlockKeys keys = make_keys(extent.low, extent.high, static_cast<Index>(with.laws.size()));
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
      keys_[i] = keys.key(block, with.points.material[rows_.particle[i]]);
      sorted_[i] = i;
    }
  });
  sort_pairs(exec, "mpm.sort", keys_, sorted_, keys.bits(), sort_scratch_);
  permute(exec, "mpm.rows", rows_.row, sorted_, row_scratch_);
  permute(exec, "mpm.rows", rows_.particle, sorted_, index_scratch_);
  const bool flip = with.in.transfer == Transfer::flip;
  if (flip) permute(exec, "mpm.rows", rows_.velocity, sorted_, quad_scratch_);
  old_nodes_.swap(blocks_.nodes);
  build_blocks(keys, keys_, blocks_);
  start_blocks(with);
  remap(exec, nodes_.now);
  if (flip) remap(exec, nodes_.before);
}

void Stages::particles_to_grid(const StepContext& with) {
  StepNumbers in = with.in;
  in.grid_to_particles = false;
  advance_particles(with.exec, in, with.laws, blocks_, with.boundaries, with.points, nodes_, rows_);
  limits_.margin = 0;  // not measured yet
}

void Stages::shorten(const StepContext& with, Real more) {
  StepNumbers in = with.in;
  in.dt = more;
  stresses_to_grid(with.exec, in, with.laws, blocks_, rows_, nodes_.work);
  Quad* const sum = nodes_.sum.data() + (nodes_.sum.size() - nodes_.work.size());
  for_each(with.exec, "mpm.shorten", static_cast<Index>(nodes_.work.size()), [&](Index n) {
    for (int k = 0; k < 3; ++k) sum[n].c[k] += nodes_.work[n].c[k];
  });
}

/// Velocities of the nodes at the end of the step, and the largest.
GridSpeeds Stages::update_nodes(const StepContext& with) {
  const Exec& exec = with.exec;
  const Boundaries& boundaries = with.boundaries;
  GridSpeeds speeds = update_grid(exec, with.in, boundaries, blocks_, nodes_);
  if (boundaries.pins)
    speeds.velocity = std::max(speeds.velocity,
                               move_pinned_nodes(exec, with.in, boundaries, blocks_, pinned_places_,
                                                 with.points.pin, rows_, nodes_));
  if (!with.implicit) return speeds;
  const linear::SolveReport solve =
      solve_implicit(exec, with.in, *with.implicit, with.laws, boundaries, blocks_, rows_, nodes_,
                     implicit_space_);
  solves_.iterations += solve.iterations;
  solves_.unfinished += !solve.converged;
  return collide_again(exec, with.in, boundaries, blocks_, nodes_);
}

/// Upper bound of the path of a particle along an axis in the step, in cells: weights sum to 1, so
/// that no particle is faster than all nodes; FLIP, colliders and pins add to it.
Real Stages::longest_path(const StepContext& with, const GridSpeeds& speeds) const {
  const StepNumbers& in = with.in;
  const Points& p = with.points;
  const PinView* const pins = with.boundaries.pins;
  Real speed = speeds.velocity;
  if (in.transfer == Transfer::flip)
    speed = (1 - in.flip) * speeds.velocity +
            in.flip * (std::sqrt(limits_.speed_squared) + speeds.change);
  for (Index i = 0; pins && i < p.n; ++i)
    if (const Index pin = p.pin[i]; pin >= 0 && pins[pin].active)
      speed = std::max(speed, length(apply(pins[pin].moved, p.x[i]) - p.x[i]) / in.dt);
  // On a surface of velocity u a particle gets u and what is left of its own relative to u.
  speed += 2 * with.boundaries.collider_speed;
  const Real push = with.boundaries.colliders.count > 0 ? largest_push : 0;
  return speed * in.dt / in.dx + push;
}

/// An upper bound of the longest path, in cells; the path itself where the bound is too coarse.
Real Stages::path_of(const StepContext& with, const GridSpeeds& speeds) {
  const Real bound = longest_path(with, speeds);
  if (bound < limits_.margin || bound < Real(room(with.in))) return bound;
  Boundaries boundaries = with.boundaries;
  boundaries.reactions = {};  // nothing acts yet
  return measure_paths(with.exec, with.in, blocks_, nodes_, boundaries, with.points, rows_);
}

MovedGrid Stages::move_grid(const StepContext& with, bool) {
  const Real path = path_of(with, update_nodes(with));
  must_rebin_ = !(path < limits_.margin);
  return {double(path), !must_rebin_ || path < Real(room(with.in))};
}

Vec3d Stages::field_impulse(const StepContext& with) const {
  Vec3d sum = Vec3d::zero();
  if (with.boundaries.fields.count > 0)
    for (const Vec3d& impulse : nodes_.impulses) sum += impulse;
  return sum;
}

void Stages::advance(const StepContext& with) {
  if (must_rebin_) rebin(with);
  advance_particles(with.exec, with.in, with.laws, blocks_, with.boundaries, with.points, nodes_,
                    rows_);
  total_limits();
  if (!std::isfinite(limits_.speed_squared)) report_bad_nodes(find_bad(with));
  if (!with.in.particles_to_grid) write_particles(with);
}

void Stages::write_particles(const StepContext& with) const {
  const Points& p = with.points;
  for_each_coarse(with.exec, "mpm.write", static_cast<Index>(blocks_.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks_.chunks[c];
    const Int3 block = blocks_.map.place(chunk.block);
    for (Index r = chunk.first; r < chunk.first + chunk.count; ++r) {
      const Row16& row = rows_.row[r];
      const Index i = rows_.particle[r];
      p.x[i] = world_place(block, row.c, with.in.dx);
      p.memory[i] = row.c[row_memory];
      if (p.memory_2) p.memory_2[i] = row.c[row_memory_2];
      for (int k = 0; k < 9; ++k) p.deformation[i][k / 3][k % 3] = row.c[row_f + k];
    }
  });
}

BadPoint Stages::find_bad(const StepContext& with) const {
  const NamedRow bad = reduce(
      with.exec, "mpm.find_bad", static_cast<Index>(rows_.row.size()), NamedRow{},
      [&](Index r) {
        return is_finite_row(rows_.row[r]) ? NamedRow{}
                                           : NamedRow{with.points.id[rows_.particle[r]], r};
      },
      SmallerId{});
  return bad.row < 0 ? BadPoint{} : BadPoint{bad.id, bad_part(rows_.row[bad.row])};
}

void Stages::total_limits() {
  limits_ = {};
  for (const ChunkLimits& l : rows_.limits) {
    limits_.speed_squared = std::max(limits_.speed_squared, l.speed_squared);
    limits_.wave_speed_squared = std::max(limits_.wave_speed_squared, l.wave_speed_squared);
    limits_.margin = std::min(limits_.margin, l.margin);
  }
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
