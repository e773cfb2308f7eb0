#pragma once

#include "phyxel/colliders/motion.h"
#include "phyxel/matter/pin_parameters.h"
#include "phyxel/scene/shape_spec.h"

namespace phyxel {

/// Particles of a body inside `shape` at the start follow `motion`.
struct PinSpec : PinParameters {
  std::string name;
  Place place;
  std::string body;
  ShapeSpec shape;
  Motion motion;
};

inline void describe(Fields& field, PinSpec& p) {
  field("body", p.body, "name of the body that is held");
  describe(field, static_cast<PinParameters&>(p));
}

}  // namespace phyxel
