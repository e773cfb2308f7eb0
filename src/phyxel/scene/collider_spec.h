#pragma once

#include "phyxel/colliders/collider_parameters.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/scene/shape_spec.h"

namespace phyxel {

/// The table of a collider. Its parameters are described beside ColliderParameters.
struct ColliderSpec : ColliderParameters {
  std::string name;
  Place place;
  ShapeSpec shape;
  Motion motion;
};

}  // namespace phyxel
