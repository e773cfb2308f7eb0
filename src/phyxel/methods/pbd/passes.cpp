#include "phyxel/methods/pbd/passes.h"

#include "phyxel/methods/skeleton/passes.h"

// Apart from projections, products and sums are not fused here: finish() finds the prediction of
// predict() again to the bit.

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

PHYXEL_FN Vec3 position(const Quad& p) {
  return {p.c[0], p.c[1], p.c[2]};
}

PHYXEL_FN Real predict_pinned(const StepView& s, Index i, Real dt) {
  const Vec3 from = s.x[i];
  Vec3 v = s.v[i];
  count_hold(s, i, s.gravity * (s.mass[i] * dt));
  const Vec3 to = moved_by_pin(s.pins[s.pin[i]], from, v);
  count_pin(s, i, to, v);
  s.p[i] = {{to[0], to[1], to[2], 0}};
  s.v[i] = v;
  if (s.pull) s.pull[i] = Vec3::zero();
  return length_squared(to - from);
}

PHYXEL_INLINE Real predict_particle(const StepView& s, Index i, Real dt) {
  if (s.is_pinned(i)) return predict_pinned(s, i, dt);
  const Vec3 v = s.v[i] + s.gravity * dt, p = predicted_end(s.x[i], v, dt);
  s.v[i] = v;
  if (s.pull && s.anchor) s.pull[i] = Vec3::zero();
  s.p[i] = {{p[0], p[1], p[2], Real(1) / s.mass[i]}};
  return length_squared(v) * dt * dt;
}

template <int Dim>
PHYXEL_FN void find_touches_of(const StepView& s, Index i, Real dt, Touch* touch) {
  const Vec3 x = s.x[i], p = position(s.p[i]);
  const Real gap = s.gap[s.material[i]], way = length(p - x), reach = 2 * gap + way;
  int count = 0;
  const NearColliders near = colliders_near_path(s.colliders, x, p, reach);
  for (Index k = near.next(0); k < s.colliders.count && count < touches_of_particle;
       k = near.next(k + 1)) {
    const ColliderView& collider = s.colliders.data[k];
    const Contact c = in_plane<Dim>(contact_on_path(collider, x, p, dt, gap / 16));
    if (c.distance >= reach) continue;
    const Vec3 from = carried(collider, x, dt);
    // One that is nearer than the gap already leaves slowly: pushing it out would do work on it.
    const Real before = contact_at(collider, from).distance;
    const Real keep = min(gap, max(before, Real(0)) + 20 * dt * gap);
    Touch& t = touch[count++];
    t = {k, c.normal, dot(c.normal, p) - c.distance + keep, from - x,
         -dot(s.v[i] - c.velocity, c.normal)};
  }
  for (; count < touches_of_particle; ++count) touch[count].collider = -1;
}

/// Coulomb: rubbing is limited by all that presses, not by its change.
PHYXEL_FN void project_touch(const StepView& s, Index i, Touch& t) {
  const Real w = s.p[i].c[3];
  Vec3 p = position(s.p[i]);
  const Real press = max(t.press - (dot(t.normal, p) - t.offset) / w, Real(0));
  p += t.normal * ((press - t.press) * w);
  t.press = press;
  const Vec3 slide = p - s.x[i] - t.carried;
  Vec3 rub = t.rub - (slide - t.normal * dot(t.normal, slide)) / w;
  const Real most = s.colliders.data[t.collider].friction * press, size = length(rub);
  if (size > most) rub *= most / size;
  p += (rub - t.rub) * w;
  t.rub = rub;
  for (int k = 0; k < 3; ++k) s.p[i].c[k] = p[k];
}

/// What a collider does to a particle in a step, with what makes it bounce.
PHYXEL_FN void finish_touch(const StepView& s, Index i, const Touch& t, Real dt) {
  const ColliderView& collider = s.colliders.data[t.collider];
  Vec3d impulse = cast<double>(t.normal * t.press + t.rub) / double(dt);
  const Real leaving = dot(s.v[i], t.normal) - dot(t.carried, t.normal) / dt;
  const Real bounce = collider.restitution * t.approach - leaving;
  if (t.press > 0 && collider.restitution > 0 && bounce > 0) {
    s.v[i] += t.normal * bounce;
    impulse += cast<double>(t.normal) * double(bounce * s.mass[i]);
  }
  if (s.reactions.counts())
    add_contact_impulse(s.reactions, t.collider, position(s.p[i]), t.normal, impulse);
}

PHYXEL_FN void finish_pinned(const StepView& s, Index i, Real dt) {
  if (s.pull) count_hold(s, i, s.pull[i] / dt);
  s.x[i] = position(s.p[i]);
}

PHYXEL_INLINE void finish_particle(const StepView& s, Index i, Real dt, Real over_dt) {
  const Vec3 p = position(s.p[i]);
  s.v[i] += (p - predicted_end(s.x[i], s.v[i], dt)) * over_dt;
  if (const Index g = s.spins.group_of ? s.spins.group_of[i] : -1; g >= 0) {
    const PieceTurn& turn = s.spins.turn[g];
    s.v[i] += cross(turn.rate, p - turn.centre);
  }
  s.x[i] = p;
}

PHYXEL_FN Extremes extremes_of(const StepView& s, Index i) {
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  if (s.x_at_build) e.moved_squared = length_squared(s.x[i] - s.x_at_build[i]);
  if (!std::isfinite(e.speed_squared + length_squared(s.x[i]))) e.first_bad = i;
  return e;
}

}  // namespace

Real predict(const Exec& exec, const StepView& view, Real dt) {
  const StepView s = view;
  const Real squared = reduce_max(
      exec, "pbd.predict", s.n + 1, Real(0), PHYXEL_LAMBDA(Index i) {
        if (i < s.n) return predict_particle(s, i, dt);
        s.p[i] = {{0, 0, 0, 0}};
        return Real(0);
      });
  return std::sqrt(squared);
}

void find_near(const Exec& exec, const StepView& view, Real reach) {
  mark_near_colliders(exec, "pbd.near", view, reach);
}

void list_near(const Exec& exec, const StepView& view, Column<Index>& places, Column<Index>& near) {
  const Index n = view.n;
  const Index* const is_near = view.is_near;
  places.resize(n);
  Index* place = places.data();
  for_each(
      exec, "pbd.near", n, PHYXEL_LAMBDA(Index i) { place[i] = is_near[i]; });
  near.resize(scan(exec, "pbd.near", places));
  Index* const to = near.data();
  place = places.data();
  for_each(
      exec, "pbd.near", n, PHYXEL_LAMBDA(Index i) {
        if (is_near[i]) to[place[i]] = i;
      });
}

void find_touches(const Exec& exec, const StepView& view, Real dt) {
  const StepView s = view;
  for_each(
      exec, "pbd.touches", s.near_count, PHYXEL_LAMBDA(Index k) {
        Touch* const touch = s.touch + touches_of_particle * k;
        const Index i = s.near[k];
        if (s.is_pinned(i)) {
          for (Index t = 0; t < touches_of_particle; ++t) touch[t].collider = -1;
        } else if (s.flat) {
          find_touches_of<2>(s, i, dt, touch);
        } else {
          find_touches_of<3>(s, i, dt, touch);
        }
      });
}

void project_touches(const Exec& exec, const StepView& view) {
  const StepView s = view;
  for_each(
      exec, "pbd.touches", s.near_count, PHYXEL_LAMBDA(Index k) {
        for (Index t = touches_of_particle * k; t < touches_of_particle * (k + 1); ++t)
          if (s.touch[t].collider >= 0) project_touch(s, s.near[k], s.touch[t]);
      });
}

void count_ties(const Exec& exec, const StepView& view, Index pin, Real dt) {
  const StepView s = view;
  const Impulse sum = reduce(
      exec, "pbd.ties", s.n, Impulse{},
      PHYXEL_LAMBDA(Index i) {
        const Index a = s.anchor[i];
        if (a < 0 || s.pin[a] != pin) return Impulse{};
        const Vec3d held = cast<double>(s.pull[i]) * (-1 / double(dt));
        return Impulse{held, cross(cast<double>(s.x[a]), held)};
      },
      AddedImpulses{});
  for_each(
      exec, "pbd.ties", 1,
      PHYXEL_LAMBDA(Index) { add_impulse(s.reactions, s.reactions.first_pin + pin, sum); });
}

Extremes finish(const Exec& exec, const StepView& view, Real dt) {
  const StepView s = view;
  const Real over_dt = 1 / dt;
  for_each(
      exec, "pbd.finish", s.n, PHYXEL_LAMBDA(Index i) {
        if (s.is_pinned(i))
          finish_pinned(s, i, dt);
        else
          finish_particle(s, i, dt, over_dt);
      });
  for_each(
      exec, "pbd.finish", s.near_count, PHYXEL_LAMBDA(Index k) {
        for (Index t = touches_of_particle * k; t < touches_of_particle * (k + 1); ++t)
          if (s.touch[t].collider >= 0 && s.touch[t].press > 0)
            finish_touch(s, s.near[k], s.touch[t], dt);
      });
  return measure_extremes(exec, s);
}

Impulse momentum_of_ends(const Exec& exec, const StepView& view, Real dt) {
  const StepView s = view;
  return reduce(
      exec, "pbd.ends", s.n, Impulse{},
      PHYXEL_LAMBDA(Index i) {
        if (!(s.p[i].c[3] > 0)) return Impulse{};
        const Vec3d end = cast<double>(position(s.p[i])) * (double(s.mass[i]) / double(dt));
        return Impulse{end, cross(cast<double>(s.x[i]), end)};
      },
      AddedImpulses{});
}

void store_difference(const Exec& exec, const Impulse& a, const Impulse& b, Impulse* to) {
  const Impulse difference{a.linear - b.linear, a.angular - b.angular};
  for_each(
      exec, "pbd.ends", 1, PHYXEL_LAMBDA(Index) { *to = difference; });
}

Extremes measure_extremes(const Exec& exec, const StepView& view) {
  const StepView s = view;
  return reduce(
      exec, "pbd.extremes", s.n, Extremes{}, PHYXEL_LAMBDA(Index i) { return extremes_of(s, i); },
      LargerExtremes{});
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
