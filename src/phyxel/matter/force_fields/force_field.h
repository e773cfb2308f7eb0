#pragma once

#include <any>
#include <cstdint>
#include <string>
#include <vector>

#include "phyxel/geometry/shape.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

struct FieldType;

/// What the table of every force field may say, whatever its type.
struct FieldParameters {
  bool active = true;
  Real edge = 0;  // m
};

inline void describe(Fields& field, FieldParameters& p) {
  field("active", p.active, "an event may switch it off and on").changeable = true;
  field("edge", p.edge, "m", not_negative,
        "width of a layer inside the region in which the field grows smoothly from nothing to its "
        "strength");
}

/// Something outside that accelerates matter, or draws its velocity towards one of its own: wind,
/// drag, an attractor, a vortex, or a type of a program's own (field_types.h).
struct ForceField : FieldParameters {
  std::string name;
  const FieldType* type = nullptr;
  std::any parameters;             // of the type
  Shape region;                    // no nodes: everywhere
  std::vector<std::uint8_t> acts;  // by material, 1 where it acts; empty: on all
};

}  // namespace phyxel
