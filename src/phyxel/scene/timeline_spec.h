#pragma once

#include "phyxel/colliders/motion.h"
#include "phyxel/core/error.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

/// "material.wax.damping" <- value.
struct Assignment {
  std::string path;
  ParameterValue value;
  Place place;
};

struct EventSpec {
  double time = 0;  // s
  std::vector<Assignment> set;
  std::vector<std::string> remove;  // "body.wax": matter that vanishes then
};

inline void describe(Fields& field, EventSpec& e) {
  field("time", e.time, "s", not_negative, "when it happens");
  field("remove", e.remove,
        "matter that vanishes then: \"body.NAME\", \"emitter.NAME\" without what is in the nozzle, "
        "\"material.NAME\", or \"sink.NAME\" for what is in the shape of that sink; one or a list");
}

/// A number or three numbers that follow keys in time.
struct KeyframeSpec {
  std::string path;
  std::vector<double> times;                // s
  std::vector<std::vector<double>> values;  // one or three numbers a key
  Interpolation interpolation = Interpolation::linear;
  Place place;
};

inline void describe(Fields& field, KeyframeSpec& k) {
  field("path", k.path, "what follows the keys, e.g. \"material.wax.damping\"");
  field("times", k.times, "s", any_number, "times of the keys, rising");
  field.choice("interpolation", k.interpolation, {"linear", "smooth", "step"}, "between keys");
}

}  // namespace phyxel
