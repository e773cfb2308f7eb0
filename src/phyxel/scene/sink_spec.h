#pragma once

#include "phyxel/colliders/motion.h"
#include "phyxel/scene/shape_spec.h"

namespace phyxel {

/// Matter of these materials that gets into `shape` vanishes.
struct SinkSpec {
  std::string name;
  Place place;
  std::vector<std::string> materials;  // none: all
  ShapeSpec shape;
  Motion motion;
  bool active = true;
};

inline void describe(Fields& field, SinkSpec& s) {
  field("material", s.materials,
        "name of a [material.NAME] table, or a list of them: what it removes; all when absent");
  field("active", s.active, "an event may close and open it").changeable = true;
}

}  // namespace phyxel
