#pragma once

#include <memory>

#include "phyxel/grid/batch.h"
#include "phyxel/methods/mpm/deform.h"
#include "phyxel/methods/mpm/step.h"

// A step of the particles of a chunk, a pack of them at a time: grid to particles, move and deform,
// stress by their law, and the layout of mass and momentum for particles to grid.

namespace phyxel::mpm {

/// A collider that a chunk may touch, with those of its eight parts that may.
struct NearCollider {
  const ColliderView* collider;
  unsigned parts;
};

/// Room for one chunk, one for each thread.
struct Buffers : TransferBuffers {
  alignas(64) Real path[3][batch_room];  // m/s along which particles move
  std::vector<NearCollider> near;
};

/// That of this thread.
inline Buffers& thread_buffers() {
  static thread_local const auto buffers = std::make_unique<Buffers>();
  return *buffers;
}

inline Mat3Pack matrix_of(const Pack (&c)[16], int first) {
  Mat3Pack m;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) m[r][k] = c[first + 3 * r + k];
  return m;
}

/// Particles to grid: momentum at the middle node, mass, and how momentum changes from node to
/// node, m (v + C d) - dt V0 4/dx^2 tau d (MLS-MPM), for d in cells.
PHYXEL_INLINE RowPack momentum_of(Quadratic, const StepNumbers& in,
                                  const CellPlace<Quadratic>& place, const Vec3Pack& v,
                                  const Mat3Pack& gradient, const Pack& mass, const Pack& volume,
                                  const Symmetric<Pack>& stress) {
  const Pack inertia = mass * Pack(in.dx), push = volume * Pack(-4 * in.next_dt / in.dx);
  const Mat3Pack tau = {{{stress.xx, stress.xy, stress.xz},
                         {stress.xy, stress.yy, stress.yz},
                         {stress.xz, stress.yz, stress.zz}}};
  RowPack p;
  for (int c = 0; c < 3; ++c) {
    Pack middle = mass * v[c];
    for (int k = 0; k < 3; ++k) {
      const Pack slope = inertia * gradient[c][k] + push * tau[c][k];
      middle -= slope * place.offset[k];
      p.c[4 + 4 * k + c] = slope;
    }
    p.c[c] = middle;
  }
  p.c[3] = mass;
  return p;
}

/// Momentum and mass, and impulses of the stress along x, y and z.
PHYXEL_INLINE RowPack momentum_of(Cubic, const StepNumbers& in, const CellPlace<Cubic>&,
                                  const Vec3Pack& v, const Mat3Pack&, const Pack& mass,
                                  const Pack& volume, const Symmetric<Pack>& stress) {
  const Pack push = volume * Pack(-in.next_dt / in.dx), zero(Real(0));
  const Pack tau[6] = {push * stress.xx, push * stress.yy, push * stress.zz,
                       push * stress.yz, push * stress.xz, push * stress.xy};
  return {{mass * v[0], mass * v[1], mass * v[2], mass, tau[0], tau[5], tau[4], zero, tau[5],
           tau[1], tau[3], zero, tau[4], tau[3], tau[2], zero}};
}

/// The velocity gradient (1/s) from the sums of grid to particles.
PHYXEL_INLINE Mat3Pack gradient_of(Quadratic, const StepNumbers& in, const Vec3Pack& v,
                                   const Pack (&offset)[3], const Mat3Pack& moments) {
  Mat3Pack c;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) c[r][k] = (moments[r][k] - v[r] * offset[k]) * Pack(4 / in.dx);
  return c;
}

PHYXEL_INLINE Mat3Pack gradient_of(Cubic, const StepNumbers& in, const Vec3Pack&, const Pack (&)[3],
                                   const Mat3Pack& slopes) {
  return slopes * Pack(1 / in.dx);
}

/// The largest and smallest of what limits the next steps, lane by lane.
struct PackLimits {
  Pack speed2 = Pack(Real(0)), stiffest = Pack(Real(0)), margin = Pack(Real(16));
  Pack zero_or_nan = Pack(Real(0));  // NaN where a speed was not: max forgets it

  /// A speed that is not finite counts as infinite.
  ChunkLimits of_chunk() const {
    const bool all_finite = is_finite_number(xsimd::hadd(zero_or_nan));
    return {all_finite ? largest_lane(speed2) : Real(HUGE_VAL), largest_lane(stiffest),
            smallest_lane(margin)};
  }
};

/// The rows of the pack of particles at k of a batch, as far as their law needs them.
template <class Law, class Address>
PHYXEL_INLINE RowPack load_rows_of(const Law&, const Address& row_at, Index k, const Buffers& b) {
  if constexpr (!uses_shape<Law>()) {
    RowPack r;
    for (int q = 0; q < 4; ++q) r.c[q] = Pack::load_aligned(b.head[q] + k);
    const QuadPack last = load_fours([&](Index l) { return row_at(l)->c + 12; });
    for (int q = 0; q < 4; ++q) r.c[12 + q] = last.c[q];
    return r;
  } else {
    return load_rows(row_at);
  }
}

/// Moves and deforms the particles of a batch.
template <class T, class Law>
void advance_batch(const Law& law, const StepNumbers& in, const Places& places, bool own_path,
                   Row16* rows, Buffers& b, PackLimits& in_all) {
  static_assert(uses_shape<Law>() || !has_own_memory<Law>, "only the first four numbers are kept");
  PackLimits limits = in_all;
  Index strays = 0;
  for (Index k = 0; k < places.count(); k += lanes) {
    const Index count = std::min(lanes, places.count() - k);
    const Index* const at = b.at + places.first + k;
    const auto row_at = [&](Index l) __attribute__((always_inline)) {
      return rows + at[l];
    };
    RowPack r = load_rows_of(law, row_at, k, b);
    // Those of the next batch, which get their velocities before they are loaded.
    for (Index l = 0; l < lanes; ++l) __builtin_prefetch(rows + at[batch + l], 0, 3);
    const auto number = [&](int q) { return Pack::load_aligned(b.from_grid[q] + k); };
    const Vec3Pack v{number(0), number(1), number(2)};
    Mat3Pack c{{{number(3), number(4), number(5)},
                {number(6), number(7), number(8)},
                {number(9), number(10), number(11)}}};
    Vec3Pack x{r.c[0], r.c[1], r.c[2]};
    const CellPlace<T> before(x);
    if (in.grid_to_particles) {
      c = gradient_of(T{}, in, v, before.offset, c);
      for (int a = 0; a < 3; ++a) {
        x[a] +=
            Pack::load_aligned((own_path ? b.path[a] : b.from_grid[a]) + k) * Pack(in.dt / in.dx);
        limits.margin = min(limits.margin, min(x[a] - Pack(T::lowest), Pack(T::highest) - x[a]));
      }
    }
    Mat3Pack f = matrix_of(r.c, 4);
    auto memory = memory_in<Law>(r.c);
    Pack modulus;
    const Symmetric<Pack> stress =
        deform(law, c, in.grid_to_particles ? in.dt : Real(0), f, memory, modulus);
    if (in.grid_to_particles) {
      for (int a = 0; a < 3; ++a) r.c[a] = x[a];
      store_memory<Law>(memory, r.c);
      if constexpr (!uses_shape<Law>()) {
        store_fours(
            {{r.c[0], r.c[1], r.c[2], r.c[3]}}, [&](Index l) { return row_at(l)->c; }, count);
      } else {
        for (int a = 0; a < 9; ++a) r.c[4 + a] = f[a / 3][a % 3];
        store_rows(r, row_at, count);
      }
    }
    const CellPlace<T> place(x);
    store_whole(place.number, b.cell + places.first + k);
    if (in.particles_to_grid) {
      RowPack p = momentum_of(T{}, in, place, v, c, r.c[14], r.c[13], stress);
      store_for_grid(T{}, place, p, k, b);
      const std::uint32_t gone = bits_of(place.number != before.number) & ((1u << count) - 1);
      strays += compress(batch_places.data() + k, gone, b.stray + strays);
    } else {
      for (int a = 0; a < 9; ++a) c[a / 3][a % 3].store_aligned(b.from_grid[3 + a] + k);
    }
    const Pack speed2 = dot(v, v);
    limits.speed2 = max(limits.speed2, speed2);
    limits.zero_or_nan += speed2 - speed2;
    limits.stiffest = max(limits.stiffest, modulus * r.c[13] * Quick<Pack>::reciprocal(r.c[14]));
  }
  b.strays = strays;
  in_all = limits;
}

/// Lanes that are left over in the last pack count for the limits of the step: they repeat the last
/// particle, as its row is repeated.
template <class T>
PHYXEL_INLINE void repeat_last(const Places& places, Buffers& b) {
  for (Index k = places.count(); k % lanes != 0; ++k) {
    for (int q = 0; q < T::sums; ++q) b.from_grid[q][k] = b.from_grid[q][places.count() - 1];
    for (int a = 0; a < 3; ++a) b.path[a][k] = b.path[a][places.count() - 1];
  }
}

}  // namespace phyxel::mpm
