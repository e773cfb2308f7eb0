#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "phyxel/core/vec.h"
#include "phyxel/io/lines.h"

// The structure of a USD text file whose arrays wait in a scratch file.

namespace phyxel {

/// An array that changes with time, as in `point3f[] points.timeSamples = { 1: [...], }`.
struct UsdAttribute {
  struct Bytes {
    std::size_t first, size;  // of the scratch file
  };
  std::string type, name;  // "point3f[]", "points"
  std::string metadata;    // "" or "interpolation = \"vertex\""
  std::map<double, Bytes> samples;
};

struct UsdPrim {
  std::string type, identifier;  // "Mesh", "water"
  std::string constants;         // lines that do not change with time
  std::optional<Vec3d> origin;   // m, of its points; that of the first time
  std::set<double> times;        // that have been added as a whole
  std::deque<UsdAttribute> attributes;
};

struct UsdLayer {
  double frames_per_second = 24;
  std::deque<UsdPrim> prims;
};

/// All times of all prims.
std::set<double> times_of(const UsdLayer& layer);

void write_layer(const UsdLayer& layer, ScratchFile& scratch, FileWriter& file);

/// "[(0, 1), (2, 3)]", or "[0, 1]" for one component; value(i, c) is a number.
template <class Value>
void add_array(Lines& lines, std::size_t count, int components, Value&& value) {
  const bool tuples = components > 1;
  lines.add("[");
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) lines.plain(", ");
    if (tuples) lines.plain("(");
    for (int c = 0; c < components; ++c) {
      if (c > 0) lines.plain(", ");
      const auto number = value(i, c);
      if (number == number)
        lines.number(number);
      else
        lines.plain("nan");  // without a sign, which printing would add
    }
    if (tuples) lines.plain(")");
    lines.flush_when_long();
  }
  lines.add("]");
}

}  // namespace phyxel
