#pragma once

#include <vector>

#include "phyxel/geometry/sampling.h"

namespace phyxel {

/// Matter that comes out of a nozzle: layers of points across the mouth, one behind the other, of
/// which every other one is the same.
struct Stream {
  Vec3 direction = {0, -1, 0};  // unit
  std::vector<Vec3> layers[2];  // points of even and odd layers as they pass the mouth, m
  Real thickness = 0;           // from layer to layer, m
  Real area = 0;                // of the mouth, m^2: what a layer stands for over its thickness

  bool empty() const { return layers[0].empty() && layers[1].empty(); }
};

/// The mouth is where the plane through the middle of the shape, across the direction, cuts it. The
/// packing is one of those that have layers: closest, hexagonal, cubic or jittered, of which the
/// last two have the same. In 2 dimensions the mouth is a line in the plane z = 0.
Stream make_stream(const Shape& shape, const Vec3& direction, Packing packing, Real spacing,
                   int dimensions);

}  // namespace phyxel
