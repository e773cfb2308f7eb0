#pragma once

#include "phyxel/matter/force_fields/force_field_law.h"

namespace phyxel {

/// Slows all motion: v' = -(linear + quadratic |v|) v.
struct DragParameters {
  Real linear = 0;     // 1/s
  Real quadratic = 0;  // 1/m
};

template <class Fields>
void describe(Fields& field, DragParameters& p) {
  field("linear", p.linear, "1/s", not_negative, "rate at which velocities fall").changeable = true;
  field("quadratic", p.quadratic, "1/m", not_negative,
        "the same for each m/s of speed, as of fast bodies in air")
      .changeable = true;
}

PHYXEL_FN FieldEffect effect_of(const DragParameters& p, const FieldPoint&) {
  FieldEffect e;
  e.rate = p.linear;
  e.quadratic = p.quadratic;
  return e;
}

}  // namespace phyxel
