#pragma once

#include "phyxel/matter/force_fields/force_field_law.h"
#include "phyxel/matter/force_fields/turbulence.h"

namespace phyxel {

/// Air that moves: matter is drawn towards its velocity.
struct WindParameters {
  Vec3 velocity = Vec3::zero();  // m/s
  Real rate = 1;                 // 1/s
  Real quadratic = 0;            // 1/m
  Real turbulence = 0;           // m/s, root mean square
  Real eddy_size = 1;            // m
  Real eddy_time = 1;            // s
};

template <class Fields>
void describe(Fields& field, WindParameters& p) {
  field("velocity", p.velocity, "m/s", any_number, "of the air").changeable = true;
  field("rate", p.rate, "1/s", not_negative, "at which matter takes on the velocity of the air")
      .changeable = true;
  field("quadratic", p.quadratic, "1/m", not_negative,
        "the same for each m/s of speed relative to the air")
      .changeable = true;
  field("turbulence", p.turbulence, "m/s", not_negative,
        "root mean square of a random velocity of the air, without divergence, beside the steady "
        "one")
      .changeable = true;
  field("eddy_size", p.eddy_size, "m", positive, "mean length of the waves of the turbulence");
  field("eddy_time", p.eddy_time, "s", positive, "in which the pattern of the turbulence changes");
}

/// A wind as it is at some time.
struct Wind : WindParameters {
  Turbulence eddies;
};

inline Wind wind_at(const WindParameters& p, double time, std::uint32_t seed, bool flat) {
  return {p, make_turbulence(p.turbulence, p.eddy_size, p.eddy_time, time, seed, flat)};
}

PHYXEL_FN FieldEffect effect_of(const Wind& p, const FieldPoint& at) {
  FieldEffect e;
  e.velocity = p.velocity + velocity_of(p.eddies, at.x);
  e.rate = p.rate;
  e.quadratic = p.quadratic;
  return e;
}

}  // namespace phyxel
