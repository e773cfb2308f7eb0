#pragma once

#include <array>
#include <cstdint>

namespace phyxel {

// Corner c of a cube lies at x = c & 1, y = c >> 1 & 1, z = c >> 2 & 1. Edge 4 a + k runs along
// axis a; k counts the other two axes in cyclic order (a + 1, a + 2), the first of them fastest.

/// Triangles of one pattern of inside corners, as edges of the cube, outward.
struct CubeCase {
  std::uint8_t triangles = 0;
  std::uint8_t edge[15] = {};
};

/// The pattern is the bit mask of the corners inside.
const std::array<CubeCase, 256>& cube_cases();

/// The two corners that an edge joins, the lower one first.
struct CubeEdge {
  int from, to;
};
constexpr CubeEdge cube_edge(int edge) {
  const int axis = edge / 4, first = (axis + 1) % 3, second = (axis + 2) % 3;
  const int from = (edge & 1) << first | (edge >> 1 & 1) << second;
  return {from, from | 1 << axis};
}

}  // namespace phyxel
