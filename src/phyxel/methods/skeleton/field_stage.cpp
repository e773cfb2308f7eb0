#include "phyxel/methods/skeleton/field_stage.h"

#include <cmath>

#include "phyxel/methods/skeleton/passes.h"

namespace phyxel {

#ifndef __CUDACC__
void save_fields(const FieldTotals& totals, std::map<std::string, double>& numbers) {
  if (!totals.in_use) return;
  numbers["field_work"] = totals.work;
  for (int k = 0; k < 3; ++k) numbers[std::string("field_impulse_") + "xyz"[k]] = totals.impulse[k];
}

void load_fields(const std::map<std::string, double>& numbers, FieldTotals& totals) {
  totals.in_use = numbers.contains("field_work");
  if (!totals.in_use) return;
  totals.work = numbers.at("field_work");
  for (int k = 0; k < 3; ++k)
    totals.impulse[k] = numbers.at(std::string("field_impulse_") + "xyz"[k]);
  totals.told = totals.impulse;
}
#endif

inline namespace PHYXEL_BACKEND {

namespace {

struct Joined {
  PHYXEL_FN FieldPass operator()(const FieldPass& a, const FieldPass& b) const {
    return {max(a.speed_squared, b.speed_squared), a.work + b.work, a.impulse + b.impulse};
  }
};

/// A pin takes up the impulse that fields give to its particles.
PHYXEL_FN FieldPass push_pinned(const ParticleView& s, Index i, const Vec3& impulse) {
  count_hold(s, i, impulse);
  return {length_squared(s.v[i]), 0, cast<double>(impulse)};
}

PHYXEL_FN FieldPass push_particle(const ParticleView& s, const ForceFieldViews& fields, Index i,
                                  Real dt) {
  const Vec3 before = s.v[i];
  const Vec3 after = pushed_by_fields(fields, s.material[i], s.x[i], before, s.flat, dt);
  if (s.is_pinned(i)) return push_pinned(s, i, (after - before) * s.mass[i]);
  s.v[i] = after;
  const double mass = s.mass[i];
  const Vec3d a = cast<double>(before), b = cast<double>(after);
  return {length_squared(after), 0.5 * mass * (length_squared(b) - length_squared(a)),
          (b - a) * mass};
}

/// What limits a step: the largest acceleration and the fastest swing.
struct FieldLimits {
  Real squared_acceleration = 0;  // m^2/s^4
  Real squared_frequency = 0;     // 1/s^2
};
struct LargerLimits {
  PHYXEL_FN FieldLimits operator()(const FieldLimits& a, const FieldLimits& b) const {
    return {max(a.squared_acceleration, b.squared_acceleration),
            max(a.squared_frequency, b.squared_frequency)};
  }
};

}  // namespace

FieldPass push_particles(const Exec& exec, const ParticleView& view, const ForceFieldViews& fields,
                         Real dt) {
  return reduce(
      exec, "fields.push", view.n, FieldPass{},
      PHYXEL_LAMBDA(Index i) { return push_particle(view, fields, i, dt); }, Joined{});
}

StableStep field_limit(const Exec& exec, const ParticleView& view, const ForceFieldViews& fields,
                       Real spacing) {
  const FieldLimits limits = reduce(
      exec, "fields.limit", view.n, FieldLimits{},
      PHYXEL_LAMBDA(Index i) {
        // The change of velocity in a short time: drag counts as far as it accelerates.
        const FieldSum sum = sum_fields(fields, view.material[i], view.x[i], view.v[i], Real(0));
        return FieldLimits{length_squared(sum.gain), sum.squared_frequency};
      },
      LargerLimits{});
  const double acceleration = std::sqrt(double(limits.squared_acceleration));
  StableStep limit{std::sqrt(0.1 * double(spacing) / (acceleration + 1e-30)),
                   "a force field may move a particle by a twentieth of the spacing",
                   StepLimit::other, 0.5};
  limit.tighten({0.1 / (std::sqrt(double(limits.squared_frequency)) + 1e-30),
                 "a tenth of the time scale of motion about a point or axis of a force field",
                 StepLimit::other, 0});
  return limit;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
