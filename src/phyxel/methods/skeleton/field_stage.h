#pragma once

#include <map>
#include <string>
#include <utility>

#include "phyxel/matter/diagnostics.h"
#include "phyxel/matter/force_fields/packed_force_fields.h"
#include "phyxel/methods/method.h"
#include "phyxel/methods/skeleton/particle_view.h"

namespace phyxel {

/// What force fields have done to the particles of a method since the start. Shown in stats.csv, so
/// that momentum and energy balance.
struct FieldTotals {
  bool in_use = false;            // there has been a field
  double work = 0;                // J
  Vec3d impulse = Vec3d::zero();  // kg m/s
  Vec3d told = Vec3d::zero();     // of it, to reactions
};

/// The impulse since the last call, kg m/s.
inline Vec3d take_impulse(FieldTotals& totals) {
  return totals.impulse - std::exchange(totals.told, totals.impulse);
}

void save_fields(const FieldTotals& totals, std::map<std::string, double>& numbers);
void load_fields(const std::map<std::string, double>& numbers, FieldTotals& totals);

inline namespace PHYXEL_BACKEND {

/// One pass of the field stage over the particles.
struct FieldPass {
  Real speed_squared = 0;         // m^2/s^2, the largest afterwards
  double work = 0;                // J
  Vec3d impulse = Vec3d::zero();  // kg m/s
};

/// v after `dt` in the fields, for all particles that no pin holds. Pins take up what fields do to
/// those that they hold: it is counted as a reaction of theirs.
FieldPass push_particles(const Exec& exec, const ParticleView& view, const ForceFieldViews& fields,
                         Real dt);

/// The step that fields allow where the particles are: `spacing` (m) is that of the finest matter.
StableStep field_limit(const Exec& exec, const ParticleView& view, const ForceFieldViews& fields,
                       Real spacing);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
