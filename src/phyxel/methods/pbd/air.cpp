#include "phyxel/methods/pbd/air.h"

#include "phyxel/methods/skeleton/passes.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

PHYXEL_FN Vec3 air_velocity(const ForceFieldViews& fields, Index material, const Vec3& x) {
  Vec3 sum = Vec3::zero();
  for (Index k = 0; k < fields.count; ++k) {
    const ForceFieldView& field = fields.data[k];
    if (field.kind != ForceFieldKind::wind || !fields.acts[k * fields.materials + material])
      continue;
    const Real share = share_at(fields, field, x);
    if (share > 0) sum += effect_of(field, {x, fields.time}).velocity * share;
  }
  return sum;
}

/// A third of the impulse on a triangle. It never takes more than the velocity against the air.
PHYXEL_FN Vec3 push_of(const StepView& s, const ForceFieldViews& fields, const AirView& air,
                       const Int3& t, Real dt) {
  const AirLaw& law = air.law[s.material[t[0]]];
  if (!(law.drag + law.lift > 0)) return Vec3::zero();
  const Vec3 a = s.x[t[0]], area = cross(s.x[t[1]] - a, s.x[t[2]] - a) / 2;
  const Real size = length(area);
  if (!(size > 0)) return Vec3::zero();
  const Vec3 centre = (a + s.x[t[1]] + s.x[t[2]]) / 3;
  const Vec3 v = (s.v[t[0]] + s.v[t[1]] + s.v[t[2]]) / 3;
  const Vec3 u = air_velocity(fields, s.material[t[0]], centre) - v;
  const Vec3 impulse = plate_stress(law, u, area / size) * (size * dt);
  // A corner has this part of its mass in a triangle at least: it has no more than twelve of them.
  const Real mass = min(s.mass[t[0]], min(s.mass[t[1]], s.mass[t[2]])) / 4;
  const Real most = mass * length(u), much = length(impulse);
  return much > 0 ? impulse * (most / (3 * (most + much))) : Vec3::zero();
}

struct Joined {
  PHYXEL_FN FieldPass operator()(const FieldPass& a, const FieldPass& b) const {
    return {max(a.speed_squared, b.speed_squared), a.work + b.work, a.impulse + b.impulse};
  }
};

PHYXEL_FN FieldPass push_particle(const StepView& s, const AirView& air, Index i) {
  Vec3 impulse = Vec3::zero();
  for (Index k = air.start[i]; k < air.start[i + 1]; ++k) impulse += air.push[air.entry[k]];
  const Vec3d given = cast<double>(impulse);
  if (s.is_pinned(i)) {
    count_hold(s, i, impulse);
    return {0, 0, given};
  }
  const Vec3d before = cast<double>(s.v[i]);
  s.v[i] += impulse / s.mass[i];
  const Vec3d after = cast<double>(s.v[i]);
  return {0, 0.5 * double(s.mass[i]) * (length_squared(after) - length_squared(before)),
          (after - before) * double(s.mass[i])};
}

}  // namespace

FieldPass push_triangles(const Exec& exec, const StepView& view, const ForceFieldViews& fields,
                         const AirView& air, Real dt) {
  const StepView s = view;
  for_each(
      exec, "pbd.air", air.triangles,
      PHYXEL_LAMBDA(Index k) { air.push[k] = push_of(s, fields, air, air.triangle[k], dt); });
  return reduce(
      exec, "pbd.air", s.n, FieldPass{},
      PHYXEL_LAMBDA(Index i) { return push_particle(s, air, i); }, Joined{});
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
