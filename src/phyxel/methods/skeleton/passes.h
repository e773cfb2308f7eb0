#pragma once

#include <algorithm>
#include <type_traits>

#include "phyxel/colliders/beside.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"

// Parts of the passes of a step that methods share.

namespace phyxel {

/// Rows that are summed together, in a loop that holds nothing else; their particles follow while
/// the sums are near.
constexpr Index run_of_rows = 64;

/// do_with(condition), the condition known to the compiler.
template <class DoWith>
auto with_known(bool condition, const DoWith& do_with) {
  return condition ? do_with(std::true_type{}) : do_with(std::false_type{});
}

inline namespace PHYXEL_BACKEND {

/// Where a pin takes a particle at x, and the velocity that it has there.
PHYXEL_FN Vec3 moved_by_pin(const PinView& pin, const Vec3& x, Vec3& v) {
  const Vec3 to = apply(pin.moved, x);
  v = pin.pose.velocity +
      cross(pin.pose.angular_velocity, to - apply(pin.pose.transform, pin.pivot));
  return to;
}

/// Counts what a pin does to a particle that it moves.
template <class View>
PHYXEL_FN_APART void count_pin(const View& s, Index i, Vec3 to_x, Vec3 to_v) {
  if (s.reactions.counts())
    add_impulse(s.reactions, s.reactions.first_pin + s.pin[i],
                impulse_between(s.mass[i], s.x[i], s.v[i], to_x, to_v));
}

/// Counts how a pin holds a particle against an impulse of all other forces.
template <class View>
PHYXEL_FN_APART void count_hold(const View& s, Index i, Vec3 impulse) {
  if (!s.reactions.counts()) return;
  if (s.flat) impulse[2] = 0;
  const Vec3d held = cast<double>(impulse) * -1.0;
  add_impulse(s.reactions, s.reactions.first_pin + s.pin[i],
              {held, cross(cast<double>(s.x[i]), held)});
}

/// x += v dt of one particle. Pins move their particles; `beside_colliders(from, v)` returns where
/// one ends that may meet a collider on its way, and changes its velocity.
template <class View, class BesideColliders>
PHYXEL_INLINE Moved move_particle(const View& s, Index i, Real dt, bool may_meet,
                                  const BesideColliders& beside_colliders) {
  const Vec3 from = s.x[i];
  Vec3 v = s.v[i], x = from + v * dt;
  if (s.is_pinned(i)) {
    x = moved_by_pin(s.pins[s.pin[i]], from, v);
    count_pin(s, i, x, v);
  } else if (may_meet) {
    x = beside_colliders(from, v);
    if (s.flat) x[2] = from[2], v[2] = 0;
  }
  s.x[i] = wrap(s.box, x);
  s.v[i] = v;
  return {squared_move(s.box, s.x[i], s.x_at_build[i]), length_squared(v)};
}

// Apart from the loops: few particles meet colliders, and those that do not are done sooner where
// a loop holds little else.

/// Where a ball ends that may meet a collider on its way, and its velocity there.
template <class View>
PHYXEL_FN_APART Vec3 ball_beside_colliders(const View& s, Index i, Vec3 from, Real radius, Real dt,
                                           Vec3& v) {
  const CountContact count{s.reactions, s.mass[i]};
  return s.flat ? beside_colliders<2>(s.colliders, from, radius, dt, v, count)
                : beside_colliders<3>(s.colliders, from, radius, dt, v, count);
}

/// The velocity of a ball beside colliders, of v.
template <class View>
PHYXEL_FN_APART Vec3 ball_held_by_colliders(const View& s, Index i, Real radius, Vec3 v) {
  const CountContact count{s.reactions, s.mass[i]};
  return s.flat ? held_by_colliders<2>(s.colliders, s.x[i], radius, v, count)
                : held_by_colliders<3>(s.colliders, s.x[i], radius, v, count);
}

/// x += v dt of a particle that keeps `radius` from colliders; for views derived from ContactView.
template <class View>
PHYXEL_INLINE Moved move_ball(const View& s, Index i, Real radius, Real dt) {
  return move_particle(s, i, dt, s.meets_colliders(i), [&](const Vec3& from, Vec3& v) {
    Vec3 own = v;  // in memory, as v of other particles need not be
    const Vec3 to = ball_beside_colliders(s, i, from, radius, dt, own);
    v = own;
    return to;
  });
}

/// v += a dt of the same particle. A pinned one keeps its velocity, and one that rests on a
/// collider stays there.
template <class View>
PHYXEL_INLINE void accelerate_ball(const View& s, Index i, const Vec3& a, Real radius, Real dt) {
  if (!(dt > 0)) return;
  if (s.is_pinned(i)) return count_hold(s, i, a * (s.mass[i] * dt));
  Vec3 v = s.v[i] + a * dt;
  if (s.flat) v[2] = 0;
  if (s.meets_colliders(i)) v = ball_held_by_colliders(s, i, radius, v);
  s.v[i] = v;
}

/// pack(i) for all particles, and pack_dummy() for the element behind the last one, which pads of
/// rows name: a particle far away.
template <class Pack, class PackDummy>
void pack_with_dummy(const Exec& exec, const char* stage, Index n, const Pack& pack,
                     const PackDummy& pack_dummy) {
  for_each(
      exec, stage, n + 1, PHYXEL_LAMBDA(Index i) {
        if (i < n)
          pack(i);
        else
          pack_dummy();
      });
}

PHYXEL_FN bool any_collider_within(const ColliderViews& colliders, const Vec3& x, Real reach) {
  for (const ColliderView& collider : colliders_near(colliders, x, reach))
    if (contact_at(collider, x).distance < reach) return true;
  return false;
}

/// take(i, near) for all particles: whether a collider is within reach(i), m.
template <class View, class Reach, class Take>
void find_near_colliders(const Exec& exec, const char* stage, const View& view, const Reach& reach,
                         const Take& take) {
  if (view.colliders.count == 0) return;
#ifdef __CUDACC__
  for_each(
      exec, stage, view.n, PHYXEL_LAMBDA(Index i) {
        take(i, any_collider_within(view.colliders, view.x[i], reach(i)));
      });
#else
  // Particles that follow each other are neighbours: most runs are far from all colliders as a
  // whole.
  constexpr Index run = 16;
  for_runs(exec, stage, view.n, [=](Index begin, Index end) {
    for (Index first = begin; first < end; first += run) {
      const Index last = std::min(first + run, end);
      Vec3 low = view.x[first], high = low;
      Real farthest = 0;
      for (Index i = first; i < last; ++i) {
        low = min(low, view.x[i]), high = max(high, view.x[i]);
        farthest = std::max(farthest, reach(i));
      }
      // Twice the half of the diagonal: distances of some shapes are not exact.
      const bool some =
          any_collider_within(view.colliders, (low + high) / 2, farthest + length(high - low));
      for (Index i = first; i < last; ++i)
        take(i, some && any_collider_within(view.colliders, view.x[i], reach(i)));
    }
  });
#endif
}

/// Marks the particles of a ContactView that are within `reach` of a collider, m.
template <class View>
void mark_near_colliders(const Exec& exec, const char* stage, const View& view, Real reach) {
  find_near_colliders(
      exec, stage, view, PHYXEL_LAMBDA(Index) { return reach; },
      PHYXEL_LAMBDA(Index i, bool near) { view.is_near[i] = near; });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
