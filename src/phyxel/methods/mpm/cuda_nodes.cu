#include "phyxel/methods/mpm/cuda_step.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr int blocks_of_threads = 4;  // blocks of nodes that a block of threads has

/// The middle of a block of nodes, m.
__device__ Vec3 middle_of(const Int3& block, Real dx) {
  return world_place(block, Vec3::filled(Real(1.5)).c, dx);
}

__device__ Quad sum_of(const Quad& a, const Quad& b) {
  return {a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2], a.c[3] + b.c[3]};
}

/// Along an axis a node is in two tiles: its own block's, and that of the nearer neighbour.
struct Along {
  int side[2], place[2];
  __device__ explicit Along(int node)
      : side{1, node < 2 ? 0 : 2}, place{node + tile_reach, node < 2 ? node + 6 : node - 2} {}
};

/// Sums all that the tiles around a node have for it, in a fixed order.
__device__ Quad sum_tiles(const NodesView& view, Index block, int node) {
  const Index* const around = view.blocks.blocks_around + 27 * std::size_t(block);
  const Along x(node >> 4), y(node >> 2 & 3), z(node & 3);
  Index b[8], first[8], last[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    b[k] = around[(x.side[k >> 2] * 3 + y.side[k >> 1 & 1]) * 3 + z.side[k & 1]];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    first[k] = b[k] < 0 ? 0 : view.blocks.chunk_start[b[k]];
    last[k] = b[k] < 0 ? 0 : view.blocks.chunk_start[b[k] + 1];
  }
  // Most blocks have one chunk: the eight loads of those need not wait for each other.
  Quad part[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int at = (x.place[k >> 2] * tile_edge + y.place[k >> 1 & 1]) * tile_edge + z.place[k & 1];
    const Quad* const tile = view.tile + at;
    part[k] = first[k] < last[k] ? tile[std::size_t(first[k]) * nodes_in_tile] : Quad{};
    for (Index c = first[k] + 1; c < last[k]; ++c)
      part[k] = sum_of(part[k], tile[std::size_t(c) * nodes_in_tile]);
  }
  Quad sum{};
#pragma unroll
  for (int k = 0; k < 8; ++k) sum = sum_of(sum, part[k]);
  return sum;
}

/// Whether a block of nodes may touch a collider.
__device__ bool touches(const ColliderView& collider, const Int3& block, Real dx) {
  const Real radius = Real(1.5 * 1.7321) * dx;  // half the diagonal of a block
  return contact_at(collider, middle_of(block, dx)).distance <= radius;
}

/// Colliders that a block of nodes may touch, 32 of them as bits: each lane tests one.
__device__ unsigned near_colliders(const NodesView& view, const Int3& block, Index first) {
  const Index own = first + threadIdx.x % 32;
  const bool near = own < view.boundaries.colliders.count &&
                    touches(view.boundaries.colliders.data[own], block, view.dx);
  return __ballot_sync(~0u, near);
}

/// Counts what a collider does to a node.
__device__ void count_contact(const NodesView& view, Index collider, const Vec3& x,
                              const Contact& contact, Real mass, Vec3 before, Vec3 after) {
  if (view.boundaries.flat) before[2] = after[2] = 0;
  const CountContact count{view.boundaries.reactions, mass};
  count(collider, x, contact, before, after);
}

__device__ void collide(const NodesView& view, const Int3& block, int node, Real mass, Vec3& v) {
  const Vec3 x = node_place(block, node, view.dx);
  for (Index first = 0; first < view.boundaries.colliders.count; first += 32)
    for (unsigned left = near_colliders(view, block, first); left != 0; left &= left - 1) {
      if (!(mass > 0)) continue;
      const Index number = first + __ffs(left) - 1;
      const ColliderView& collider = view.boundaries.colliders.data[number];
      const Contact contact = contact_at(collider, x);
      if (contact.distance > 0) continue;
      const Vec3 before = v;
      v = velocity_on(v, contact, collider.contact, collider.friction);
      count_contact(view, number, x, contact, mass, before, v);
    }
}

/// A node's step; returns the largest component of its velocity.
template <bool collides, bool pushed>
__device__ float update_node(const NodesView& view, Index block, int node) {
  const Quad sum = sum_tiles(view, block, node);
  const Real mass = sum.c[3], over = mass > 0 ? 1 / mass : 0;
  Vec3 v = Vec3{sum.c[0], sum.c[1], sum.c[2]} * over;
  if (mass > 0)
    v = pushed ? pushed_from_outside(view.boundaries,
                                     node_place(view.blocks.node_place[block], node, view.dx), v,
                                     view.dt)
               : v + view.boundaries.gravity * view.dt;
  if (collides) collide(view, view.blocks.node_place[block], node, mass, v);
  if (view.boundaries.flat) v[2] = 0;
  view.nodes[std::size_t(block) * nodes_in_block + node] = {v[0], v[1], v[2], mass};
  return static_cast<float>(max(max(abs(v[0]), abs(v[1])), abs(v[2])));
}

template <bool collides, bool pushed>
__global__ void update_blocks(const __grid_constant__ NodesView view) {
  __shared__ unsigned fastest;
  if (threadIdx.x == 0) fastest = 0;
  __syncthreads();
  const Index block = blockIdx.x * blocks_of_threads + threadIdx.x / nodes_in_block;
  float speed = 0;
  if (block < view.blocks.node_count && (view.near && view.near[block] != 0) == collides)
    speed = update_node<collides, pushed>(view, block, threadIdx.x % nodes_in_block);
  for (int step = 16; step > 0; step /= 2) speed = max(speed, __shfl_xor_sync(~0u, speed, step));
  if (threadIdx.x % 32 == 0) atomicMax(&fastest, __float_as_uint(speed));
  __syncthreads();
  if (threadIdx.x == 0) note_largest(&view.status->node_speed, fastest);
}

template <bool pushed>
void launch_update(const NodesView& view) {
  const Index blocks = (view.blocks.node_count - 1) / blocks_of_threads + 1;
  constexpr int threads = blocks_of_threads * nodes_in_block;
  update_blocks<false, pushed><<<blocks, threads>>>(view);
  if (view.near) update_blocks<true, pushed><<<blocks, threads>>>(view);
}

}  // namespace

void update_nodes(const Exec& exec, const NodesView& view) {
  const TimerScope scope(exec.timers, "mpm.nodes");
  view.boundaries.fields.count > 0 ? launch_update<true>(view) : launch_update<false>(view);
  phyxel::detail::finish_loop(exec, "mpm.nodes");
}

namespace {

struct SumOfVectors {
  PHYXEL_FN Vec3d operator()(const Vec3d& a, const Vec3d& b) const { return a + b; }
};

}  // namespace

Vec3d impulse_of_fields(const Exec& exec, const NodesView& view) {
  return reduce(
      exec, "mpm.fields", view.blocks.node_count * nodes_in_block, Vec3d::zero(),
      PHYXEL_LAMBDA(Index i)->Vec3d {
        const Index block = i / nodes_in_block;
        const int node = i % nodes_in_block;
        const Quad sum = sum_tiles(view, block, node);
        const Real mass = sum.c[3];
        if (!(mass > 0)) return Vec3d::zero();
        const Vec3 v = Vec3{sum.c[0], sum.c[1], sum.c[2]} * (1 / mass);
        const Vec3 x = node_place(view.blocks.node_place[block], node, view.dx);
        Vec3 gained = pushed_from_outside(view.boundaries, x, v, view.dt) -
                      (v + view.boundaries.gravity * view.dt);
        if (view.boundaries.flat) gained[2] = 0;
        return cast<double>(gained) * double(mass);
      },
      SumOfVectors{});
}

namespace {

/// Colliders within `reach` of the middle of a block.
__device__ NearColliders near_colliders_of(const Boundaries& boundaries, const Int3& block,
                                           Real reach, Real dx) {
  return colliders_near(boundaries.colliders, middle_of(block, dx), reach);
}

}  // namespace

void find_near_chunks(const Exec& exec, const BlocksView& blocks, const Boundaries& boundaries,
                      Real dt, Real dx, Column<std::uint8_t>& near) {
  near.discard_and_resize(blocks.chunk_count);
  std::uint8_t* const is_near = near.data();
  for_each(
      exec, "mpm.near", blocks.chunk_count, PHYXEL_LAMBDA(Index c) {
        bool any = boundaries.pins != nullptr;
        const Int3 block = blocks.place[blocks.chunks[c].block];
        for (const ColliderView& collider :
             near_colliders_of(boundaries, block, Real(4 * 1.7321) * dx, dx))
          any = any || may_touch(collider, block, dt, dx);
        is_near[c] = any ? 1 : 0;
      });
}

void find_near_nodes(const Exec& exec, const BlocksView& blocks, const Boundaries& boundaries,
                     Real dx, Column<std::uint8_t>& near) {
  near.discard_and_resize(blocks.node_count);
  std::uint8_t* const is_near = near.data();
  for_each(
      exec, "mpm.near", blocks.node_count, PHYXEL_LAMBDA(Index b) {
        bool any = false;
        const Int3 block = blocks.node_place[b];
        for (const ColliderView& collider : near_colliders_of(boundaries, block, 4 * dx, dx))
          any = any || touches(collider, block, dx);
        is_near[b] = any ? 1 : 0;
      });
}

void move_pinned_nodes(const Exec& exec, const NodesView& view) {
  for_each(
      exec, "mpm.pins", view.blocks.node_count * nodes_in_block, PHYXEL_LAMBDA(Index i) {
        const Quad sum = sum_tiles(view, i / nodes_in_block, i % nodes_in_block);
        Quad& node = view.nodes[i];
        if (!(sum.c[3] > pinned_part * node.c[3])) return;
        const Vec3 before{node.c[0], node.c[1], node.c[2]};
        for (int k = 0; k < (view.boundaries.flat ? 2 : 3); ++k) {
          node.c[k] = sum.c[k] / sum.c[3];
          note_largest(&view.status->node_speed,
                       __float_as_uint(static_cast<float>(abs(node.c[k]))));
        }
        count_pin(
            view.boundaries.reactions, view.pin ? view.pin[i] : 0, node.c[3],
            node_place(view.blocks.node_place[i / nodes_in_block], i % nodes_in_block, view.dx),
            before, {node.c[0], node.c[1], node.c[2]});
      });
}

void note_pins(const Exec& exec, const AdvanceView& view) {
  constexpr Index threads = 128;
  for_each(
      exec, "mpm.pins", view.blocks.chunk_count * threads, PHYXEL_LAMBDA(Index t) {
        const Chunk chunk = view.blocks.chunks[t / threads];
        for (Index k = t % threads; k < chunk.count; k += threads) {
          const Index i = view.rows.order[chunk.first + k], pin = view.points.pin[i];
          if (pin < 0 || !view.boundaries.pins[pin].active) continue;
          const Vec3 x =
              world_place(view.blocks.place[chunk.block], view.rows.row[i].c, view.in.dx);
          const Real speed = length(apply(view.boundaries.pins[pin].moved, x) - x) / view.in.dt;
          note_largest(&view.status->node_speed, __float_as_uint(static_cast<float>(speed)));
        }
      });
}

void decide(const Exec& exec, Real dt, Real dx, Real carried, const StepStatus* before,
            StepStatus* now, StepStatus* next) {
  for_each(
      exec, "mpm.decide", 1, PHYXEL_LAMBDA(Index) {
        constexpr float rounding = 0.01f;
        const float speed = __uint_as_float(now->node_speed) + float(carried);
        now->stop = speed * float(dt / dx) + rounding >= __uint_as_float(before->margin);
        *next = {0, 0, 0, __float_as_uint(16.0f), 0};
      });
}

void add_momentum(const Exec& exec, const Column<Quad>& from, Column<Quad>& to) {
  const Quad* const more = from.data();
  Quad* const sum = to.data();
  for_each(
      exec, "mpm.shorten", static_cast<Index>(to.size()), PHYXEL_LAMBDA(Index n) {
        for (int k = 0; k < 3; ++k) sum[n].c[k] += more[n].c[k];
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
