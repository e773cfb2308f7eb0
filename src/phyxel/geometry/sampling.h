#pragma once

#include <cstdint>
#include <vector>

#include "phyxel/geometry/shape.h"

namespace phyxel {

/// How points fill a solid. `spacing` is the distance between neighbours, m.
enum class Packing {
  closest,    // cubic closest packing, sqrt(2) / spacing^3 points; in 2D the same as hexagonal
  hexagonal,  // rows of a triangular lattice, 2D only
  cubic,      // 1 / spacing^3
  jittered,   // cubic, each point moved by up to a quarter of the spacing along each axis
  poisson,    // no two nearer than the spacing, and no room for another
  random      // independent, as dense as cubic
};

/// Points inside the shape, in an order that depends on nothing but the arguments. Lattices lie
/// symmetric about the middle of the shape's bounds. In 2 dimensions points have z = 0. Throws
/// InputError for an unbounded shape or a packing that the dimensions do not have.
std::vector<Vec3> sample_inside(const Shape& shape, Packing packing, Real spacing,
                                std::uint32_t seed, int dimensions);

/// Volume that a point stands for deep inside a solid: 1 / (points per m^3), m^3; in 2 dimensions
/// the area, m^2.
double volume_per_point(Packing packing, double spacing, int dimensions);

/// About how many points sample_inside would give (within 10 %), without making them.
std::size_t estimate_count(const Shape& shape, Packing packing, Real spacing, int dimensions);

/// Volume (m^3) of where the distance is below `offset`; the area (m^2) of its cut by z = 0 in 2
/// dimensions. An estimate, good to about a percent.
double volume(const Shape& shape, int dimensions = 3, Real offset = 0);

}  // namespace phyxel
