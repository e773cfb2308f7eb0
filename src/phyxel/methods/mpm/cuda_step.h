#pragma once

#include "phyxel/colliders/collider_view.h"
#include "phyxel/grid/cuda_blocks.h"
#include "phyxel/methods/mpm/step.h"

// The two parts of a step on a GPU: nodes and particles. The host does not wait for a step: one
// that would move particles out of their tiles stops itself; the host sees it one step later, sorts
// and starts it again.

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// Results of a step for the next one and the host. Floating-point numbers that are not negative,
/// as bits: these have the same order as whole numbers, which threads can compare atomically.
struct StepStatus {
  unsigned node_speed;     // m/s, largest component
  unsigned speed_squared;  // of particles
  unsigned wave_speed_squared;
  unsigned margin;  // cells that a particle has left before it leaves its tile
  int stop;         // the particles did not take the step
};

/// Keeps the larger one. Most numbers are not the largest so far and need no atomic operation.
__device__ inline void note_largest(unsigned* largest, unsigned number) {
  if (number > *static_cast<volatile unsigned*>(largest)) atomicMax(largest, number);
}

/// Particles by chunks.
struct RowsView {
  Row16* row;          // place in the block's tile in cells, memory, F, volume, mass
  Index* order;        // rows of chunks, in the order of cells
  std::uint8_t* cell;  // of those rows, in their tiles
  Quad* tile;          // momentum and mass: nodes_in_tile for each chunk
};

struct AdvanceView {
  StepNumbers in;
  BlocksView blocks;
  const Quad* nodes;
  RowsView rows;
  Points points;  // for the ends of a frame; without v all are at rest
  Boundaries boundaries;
  const std::uint8_t* near;  // of chunks; null: no chunk meets a collider or has pins
  StepStatus* status;
  bool may_stop;
  Index material;
  Index chunk_rows;
};

/// Particles of a chunk for which this GPU has room.
Index largest_chunk_rows();

/// Whether particles of the block may touch the collider in this step. They are at most three cells
/// from the middle of their tile along each axis, and cross less than one; the collider may have
/// passed them by the distance that it moved.
__device__ inline bool may_touch(const ColliderView& collider, const Int3& block, Real dt,
                                 Real dx) {
  const Real middle[3] = {Real(1.5), Real(1.5), Real(1.5)};
  const Vec3 x = world_place(block, middle, dx);
  const Contact contact = contact_at(collider, x);
  const Real way = max(length(apply(collider.moved, x) - x), length(contact.velocity) * dt);
  return contact.distance < Real(4 * 1.7321) * dx + way;
}

/// Marks chunks that may touch a collider or have pins; few do, and the others are quicker.
void find_near_chunks(const Exec& exec, const BlocksView& blocks, const Boundaries& boundaries,
                      Real dt, Real dx, Column<std::uint8_t>& near);
/// The same for blocks of nodes.
void find_near_nodes(const Exec& exec, const BlocksView& blocks, const Boundaries& boundaries,
                     Real dx, Column<std::uint8_t>& near);

/// Grid to particles, move, deform and particles to grid of all chunks of a material, as view.in
/// says; at the end of a frame the columns are filled.
void advance_particles(const Exec& exec, const AnyLaw& law, const AdvanceView& view);

struct NodesView {
  Real dt, dx;
  BlocksView blocks;
  const Quad* tile;
  Quad* nodes;
  Boundaries boundaries;
  const std::uint8_t* near;  // of blocks of nodes; null: none touches a collider
  StepStatus* status;
  const Index* pin;  // that moves a node; null: there is one, or nothing counts
};

/// Velocities of all nodes from what the tiles hold: momentum over mass, gravity, fields,
/// colliders.
void update_nodes(const Exec& exec, const NodesView& view);

/// The impulse of fields in that, kg m/s.
Vec3d impulse_of_fields(const Exec& exec, const NodesView& view);

/// Fills the tiles of chunks with pinned particles with mass and momentum of those alone, as they
/// follow their pins. The tiles of other chunks stay as they are. `of_node`: names the last pin
/// near each node, where not null; it holds zeros.
void pins_to_tiles(const Exec& exec, const AdvanceView& view, Index* of_node);

/// Nodes whose mass is pinned by more than `pinned_part` move with their pins; view.tile: what
/// pins_to_tiles gives.
void move_pinned_nodes(const Exec& exec, const NodesView& view);

/// Includes the speeds of pinned particles, which may be faster than nodes.
void note_pins(const Exec& exec, const AdvanceView& view);

/// Says in `now` whether a step of dt stops, by the margin that the one `before` has left, and
/// makes `next` ready. `carried`: m/s, by which particles may be faster than nodes.
void decide(const Exec& exec, Real dt, Real dx, Real carried, const StepStatus* before,
            StepStatus* now, StepStatus* next);

/// Adds momentum, without mass, of some tiles to others.
void add_momentum(const Exec& exec, const Column<Quad>& from, Column<Quad>& to);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
