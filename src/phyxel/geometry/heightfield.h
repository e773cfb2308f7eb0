#pragma once

#include <memory>
#include <string>

#include "phyxel/geometry/shape.h"
#include "phyxel/geometry/triangle_bvh.h"

namespace phyxel {

/// Land: heights on a grid over a rectangle in xz about the origin, solid down to a flat floor.
/// Each cell is four triangles round its middle, where the height is the mean of the corners, so
/// that distances are exact.
struct Heightfield {
  Vec2 size;                  // extent along x and z, m
  Index nx = 0, nz = 0;       // heights along x and z, at least 2
  std::vector<Real> heights;  // heights[x + nx * z], m
  Real floor = 0;             // underside, m
  Bounds bounds;
  TriangleBvh bvh;  // top, walls and floor
};

/// heights[x + nx * z]; `depth` (m) is the thickness of solid below the lowest height. Throws
/// InputError for a wrong number of heights, a non-finite one, or sizes that are not positive.
std::shared_ptr<const Heightfield> make_heightfield(const Vec2& size, Index nx, Index nz,
                                                    std::vector<Real> heights, Real depth);
/// Heights from text: one line for each z, numbers along x split by spaces or commas, # begins a
/// comment. `name` (the file) stands in messages.
std::shared_ptr<const Heightfield> parse_heightfield(const std::string& text,
                                                     const std::string& name, const Vec2& size,
                                                     Real depth);

SignedDistance signed_distance(const Heightfield& field, const Vec3& p);

}  // namespace phyxel
