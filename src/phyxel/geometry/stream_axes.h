#pragma once

#include <cmath>

#include "phyxel/geometry/lattice.h"
#include "phyxel/geometry/stream.h"

// What the packings of streams share.

namespace phyxel {

/// Two directions across a stream, along the axes where the stream is along one. The second
/// vanishes in 2 dimensions.
struct Across {
  Vec3 u, v;
};

inline Across across(const Vec3& direction, int dimensions) {
  if (dimensions == 2) return {{-direction[1], direction[0], 0}, Vec3::zero()};
  const Vec3 aside = std::abs(direction[2]) < Real(0.9) ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  const Vec3 u = normalized(cross(direction, aside));
  return {u, cross(direction, u)};
}

/// Layers and thickness of a stream without order; the direction is known.
void fill_poisson(Stream& stream, const Shape& shape, Real spacing, std::uint32_t seed,
                  int dimensions);

}  // namespace phyxel
