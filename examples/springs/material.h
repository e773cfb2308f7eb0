#pragma once

#include "phyxel/matter/material.h"

namespace phyxel::springs {

/// The parameters of a material with method = "springs".
struct Parameters {
  Real stiffness = not_given;
  Real damping = 0;
  Real reach = Real(1.2);
};

inline void describe(Fields& field, Parameters& p) {
  field("stiffness", p.stiffness, "N/m", positive, "of the spring between two neighbours");
  field("damping", p.damping, "N s/m", not_negative, "of the damper beside each spring");
  // Beyond 1.25 the integral of the energy over space is negative: matter would shrink to a lump.
  field("reach", p.reach, "", {1, 1.25, false, true, "longer springs pull matter into a lump"},
        "longest spring in spacings: longer ones break");
}

}  // namespace phyxel::springs
