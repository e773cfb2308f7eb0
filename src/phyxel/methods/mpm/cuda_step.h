#pragma once

#include "phyxel/colliders/collider_view.h"
#include "phyxel/methods/mpm/cuda_blocks.h"
#include "phyxel/methods/mpm/step.h"

// The two parts of a step on a GPU: nodes and particles. Nothing is waited for: a step that would
// carry particles out of their tiles stops itself, and the host, which looks one step later, sorts
// and starts it again.

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// What a step tells the next one and the host. Numbers are not negative: as whole numbers their
/// bits have the same order, so that whole numbers can be compared by many threads at once.
struct StepStatus {
  unsigned node_speed;     // m/s, largest component
  unsigned speed_squared;  // of particles
  unsigned wave_speed_squared;
  unsigned margin;  // cells that a particle has left before it leaves its tile
  int stop;         // the particles did not take the step
};

/// The larger one stays. Most numbers set no record and need not wait for each other.
__device__ inline void note_largest(unsigned* largest, unsigned number) {
  if (number > *static_cast<volatile unsigned*>(largest)) atomicMax(largest, number);
}

/// Where the particles of a step are.
struct ParticlesView {
  Row16* row;          // place in the block's tile in cells, memory, F, volume, mass
  Index* order;        // rows of chunks, in the order of cells
  std::uint8_t* cell;  // of those rows, in their tiles
  Quad* tile;          // momentum and mass: nodes_in_tile for each chunk
  Vec3* x;             // columns, for the ends of a frame
  Vec3* v;
  Mat3* gradient;
  Mat3* deformation;
  Real* memory;
  const Index* pin;
};

/// What particles and nodes meet; see Surroundings.
struct DeviceSurroundings {
  Vec3 gravity;  // m/s^2
  bool flat;     // nothing moves along z
  ColliderViews colliders;
  const PinView* pins;  // null: there are none
};

struct AdvanceView {
  StepNumbers in;
  BlocksView blocks;
  const Quad* nodes;
  ParticlesView particles;
  DeviceSurroundings around;
  const std::uint8_t* near;  // of chunks; null: nobody meets anything
  StepStatus* status;
  bool may_stop;
  Index material;
  Index chunk_rows;
};

/// Numbers of a row.
constexpr int row_memory = 3, row_f = 4, row_volume = 13, row_mass = 14;

/// Particles of a chunk for which this GPU has room.
Index largest_chunk_rows();

/// Whether particles of the block may touch the collider in this step. They are at most three cells
/// from the middle of their tile along each axis, and cross less than one.
__device__ inline bool may_touch(const ColliderView& collider, const Int3& block, Real dx) {
  const Real middle[3] = {Real(1.5), Real(1.5), Real(1.5)};
  return contact_at(collider, world_place(block, middle, dx)).distance < Real(4 * 1.7321) * dx;
}

/// Marks chunks that may touch a collider or have pins; few do, and the others are quicker.
void find_near_chunks(const Exec& exec, const BlocksView& blocks, const DeviceSurroundings& around,
                      Real dx, Column<std::uint8_t>& near);
/// The same for blocks of nodes.
void find_near_nodes(const Exec& exec, const BlocksView& blocks, const DeviceSurroundings& around,
                     Real dx, Column<std::uint8_t>& near);

/// All chunks of a material gather, move, deform and spread, as view.in says; at the end of a frame
/// they fill the columns.
void advance_particles(const Exec& exec, const AnyLaw& law, const AdvanceView& view);

struct NodesView {
  Real dt, dx;
  BlocksView blocks;
  const Quad* tile;
  Quad* nodes;
  DeviceSurroundings around;
  const std::uint8_t* near;  // of blocks of nodes; null: none touches a collider
  StepStatus* status;
};

/// Velocities of all nodes from what the tiles hold: momentum over mass, gravity, colliders.
void update_nodes(const Exec& exec, const NodesView& view);

/// Counts particles under pins, which may be faster than nodes, among those.
void note_pins(const Exec& exec, const AdvanceView& view);

/// Says in `now` whether a step of dt stops, by the margin that the one `before` has left, and
/// makes `next` ready.
void decide(const Exec& exec, Real dt, Real dx, const StepStatus* before, StepStatus* now,
            StepStatus* next);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
