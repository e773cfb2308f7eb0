#pragma once

#include <algorithm>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/matter/moving.h"
#include "phyxel/methods/skeleton/passes.h"

// Moves of particles on the CPU, a pack at a time, where nothing holds them and nothing is met:
// most particles of most steps.

namespace phyxel {

namespace detail {

/// x += v dt of particles first to first + lanes - 1, as move_particle has it; `pack(first, x, v)`
/// follows with their positions and velocities.
template <class View, class PackLanes>
PHYXEL_INLINE void move_lanes(const View& s, Index first, Real dt, const PackLanes& pack,
                              Pack& path_squared, Pack& speed_squared) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Vec3Pack v = load_vectors(s.v + first, lanes),
                 at_build = load_vectors(s.x_at_build + first, lanes);
  Vec3Pack x = load_vectors(s.x + first, lanes), path;
  for (int k = 0; k < 3; ++k) {
    x[k] = xsimd::fma(v[k], Pack(dt), x[k]);
    path[k] = x[k] - at_build[k];
  }
  store_vectors(x, s.x + first, lanes);
  pack(first, x, v);
  const Pack squared = length_squared(path);
  path_squared = max(path_squared, select(squared < Pack(infinity), squared, Pack(infinity)));
  speed_squared = max(speed_squared, length_squared(v));
}

}  // namespace detail

/// Moves all particles. Lanes for which are_free(first) holds go on straight ahead, and
/// `pack(first, x, v)` gets their positions and velocities; `move(i)` moves one of the others and
/// packs it.
template <class View, class AreFree, class MoveOne, class PackLanes>
Moved move_in_packs(const Exec& exec, const char* stage, const View& s, Real dt,
                    const AreFree& are_free, const MoveOne& move, const PackLanes& pack) {
  const bool straight = !s.pin && !s.periodic;
  return reduce_runs(
      exec, stage, s.n, run_of_rows, Moved{},
      [=](Index begin, Index end) {
        Moved moved;
        Pack path_squared(Real(0)), speed_squared(Real(0));
        for (Index first = begin; first < end; first += lanes) {
          if (straight && first + lanes <= end && are_free(first)) {
            detail::move_lanes(s, first, dt, pack, path_squared, speed_squared);
            continue;
          }
          for (Index i = first; i < std::min(first + lanes, end); ++i)
            moved = LargerMove{}(moved, move(i));
        }
        return LargerMove{}(moved, {largest_lane(path_squared), largest_lane(speed_squared)});
      },
      LargerMove{});
}

/// Whether particles first to first + lanes - 1 of a ContactView meet no collider.
template <class View>
PHYXEL_INLINE bool lanes_meet_nothing(const View& s, Index first) {
  if (s.colliders.count == 0) return true;
  if (s.colliders_moved) return false;
  Index near = 0;
  for (Index l = 0; l < lanes; ++l) near |= s.is_near[first + l];
  return near == 0;
}

/// Positions and velocities of a pack of particles, with a number beside each, as pairs read them.
PHYXEL_INLINE void store_moving(const QuadPack& x, const QuadPack& v, Moving* to) {
  store_fours(
      x, [&](Index l) __attribute__((always_inline)) { return to[l].x.c; }, lanes);
  store_fours(
      v, [&](Index l) __attribute__((always_inline)) { return to[l].v.c; }, lanes);
}

}  // namespace phyxel
