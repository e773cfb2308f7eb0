#pragma once

#include "phyxel/core/range.h"

namespace phyxel {

/// What the table of a pin says besides its body, shape and motion; kernels read these.
struct PinParameters {
  Real temperature = not_given;  // degrees C, that its particles keep; not given: none
  bool active = true;            // holds its particles
};

template <class Fields>
void describe(Fields& field, PinParameters& p) {
  field("temperature", p.temperature, "degC", above_absolute_zero,
        "that the held particles keep; theirs changes freely when absent")
      .changeable = true;
  field("active", p.active, "an event may let go or take hold").changeable = true;
}

}  // namespace phyxel
