#pragma once

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/methods/lennard_jones/forces.h"

// The passes of a step, a pack of particles at a time, where only pairs of one material and gravity
// act: the same as one by one, but four times as fast.

namespace phyxel::lennard_jones {

/// No colliders, pins, viscosity or second material, and velocity Verlet.
inline bool are_free(const StepView& s) {
  return s.colliders.count == 0 && !s.pin && !s.dissipative && !s.v_quad && !s.euler;
}

/// Whether some position has left the box along a periodic axis.
PHYXEL_INLINE bool any_outside(const PeriodicBox& box, const Vec3Pack& x) {
  for (int k = 0; k < 3; ++k)
    if (box.periodic[k] &&
        any((x[k] < Pack(box.min[k])) | (x[k] >= Pack(box.min[k] + box.size[k]))))
      return true;
  return false;
}

/// The first half kick, the drift and the energy lost by damping.
template <bool periodic>
void move_free(const StepView& s, Index first, Index last, Real dt) {
  const Real material = static_cast<Real>(s.material[first]);
  const Real rate = s.damping[s.material[first]], kept = rate == 0 ? Real(1) : std::exp(-rate * dt);
  for (Index i = first; i < last; i += lanes) {
    const Index count = std::min(lanes, last - i);
    const Pack m = load(s.mass + i, count);
    const Pack kick = Pack(dt / 2) / m;
    const Vec3Pack before = load_vectors(s.v + i, count) + load_vectors(s.force + i, count) * kick;
    const Vec3Pack v = before * Pack(kept);
    Vec3Pack x = load_vectors(s.x + i, count) + v * Pack(dt);
    store_vectors(v, s.v + i, count);
    store_vectors(x, s.x + i, count);
    if (periodic && any_outside(s.box, x)) {
      for (Index k = i; k < i + count; ++k) s.x[k] = wrap(s.box, s.x[k]);
      x = load_vectors(s.x + i, count);
    }
    store_quads({{x[0], x[1], x[2], Pack(material)}}, s.x_quad + i, count);
    if (rate == 0) continue;
    const Pack lost = Pack(Real(0.5)) * m * (length_squared(before) - length_squared(v));
    store(load(s.lost + i, count) + lost, s.lost + i, count);
  }
}

/// Largest of all lanes.
inline Real largest_lane(const Pack& pack) {
  alignas(64) Real lane[lanes];
  pack.store_aligned(lane);
  return *std::max_element(lane, lane + lanes);
}

/// Forces from the sums over the rows [first, last), the second half kick over `dt`, and what
/// limits the next step. `found_bad` becomes true where some number is not finite; first_bad is not
/// set.
inline Extremes finish_free(const StepView& s, Quad* sums, Index first, Index last, Real dt,
                            bool& found_bad) {
  alignas(64) static constexpr Index in_order[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                     8, 9, 10, 11, 12, 13, 14, 15};
  // A pack that is not full repeats its last particle, as `load` does.
  for (Index k = last - first; k % lanes != 0; ++k) sums[k] = sums[last - first - 1];
  const Pack zero(Real(0));
  Pack speed2 = zero, acceleration2 = zero, frequency2 = zero, moved2 = zero, check = zero;
  for (Index i = first; i < last; i += lanes) {
    const Index count = std::min(lanes, last - i);
    const QuadPack q = gather(sums + (i - first), in_order);
    const Pack m = load(s.mass + i, count), over_m = Pack(Real(1)) / m;
    Vec3Pack force, moved = load_vectors(s.x + i, count) - load_vectors(s.x_at_build + i, count);
    for (int k = 0; k < 3; ++k) {
      force[k] = q.c[k] + Pack(s.gravity[k]) * m;
      moved[k] = nearest(moved[k], s.pairs.period.size[k], s.pairs.period.half[k]);
    }
    store_vectors(force, s.force + i, count);
    Vec3Pack v = load_vectors(s.v + i, count);
    if (dt > 0) {
      v += force * (Pack(dt) * over_m);
      store_vectors(v, s.v + i, count);
    }
    // Finite numbers times zero are zero; a number or square that is not finite leaves a NaN.
    const Pack now[4] = {length_squared(v), length_squared(force) * over_m * over_m,
                         Pack(Real(2)) * q.c[3] * over_m, length_squared(moved)};
    speed2 = max(speed2, now[0]);
    acceleration2 = max(acceleration2, now[1]);
    frequency2 = max(frequency2, now[2]);
    moved2 = max(moved2, now[3]);
    check += (now[0] + now[1] + now[2] + now[3]) * zero;
  }
  found_bad = !all(check == zero);
  Extremes e;
  e.speed_squared = largest_lane(speed2);
  e.squared_acceleration = largest_lane(acceleration2);
  e.squared_frequency = largest_lane(frequency2);
  e.moved_squared = largest_lane(moved2);
  return e;
}

}  // namespace phyxel::lennard_jones
