#include "phyxel/methods/pbd/closed_surface.h"

#include <algorithm>
#include <fmt/format.h>

namespace phyxel::pbd {

namespace {

/// An edge of a triangle, from the lower to the higher number.
struct Side {
  Index low, high;
  bool rising;  // the triangle runs along it that way

  bool same_edge(const Side& b) const { return low == b.low && high == b.high; }
};

std::vector<Side> sides_of(const std::vector<Int3>& triangles) {
  std::vector<Side> sides;
  for (const Int3& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  std::ranges::stable_sort(sides, [](const Side& a, const Side& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  return sides;
}

std::string place_of(const Side& side, const std::vector<Vec3>& points) {
  const Vec3d at = cast<double>(points[side.low] + points[side.high]) / 2;
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", at[0], at[1], at[2]);
}

}  // namespace

std::string why_not_closed(const std::vector<Int3>& triangles, const std::vector<Vec3>& points) {
  const std::vector<Side> sides = sides_of(triangles);
  std::size_t open = 0, crowded = 0, turned = 0;
  std::string open_at, crowded_at, turned_at;
  const auto count = [&](std::size_t& number, std::string& at, const Side& side) {
    if (number++ == 0) at = place_of(side, points);
  };
  for (std::size_t k = 0; k < sides.size();) {
    std::size_t end = k;
    while (end < sides.size() && sides[end].same_edge(sides[k])) ++end;
    if (end - k == 1) count(open, open_at, sides[k]);
    if (end - k > 2) count(crowded, crowded_at, sides[k]);
    if (end - k == 2 && sides[k].rising == sides[k + 1].rising) count(turned, turned_at, sides[k]);
    k = end;
  }
  if (open > 0)
    return fmt::format(
        "{} edges belong to one triangle, the first at {}; close the holes of the mesh", open,
        open_at);
  if (crowded > 0)
    return fmt::format(
        "{} edges belong to more than two triangles, the first at {}; remove walls "
        "inside of the mesh",
        crowded, crowded_at);
  if (turned > 0)
    return fmt::format(
        "{} edges lie between triangles that face opposite ways, the first at {}; "
        "turn them to one side",
        turned, turned_at);
  return "";
}

double enclosed_volume(const std::vector<Int3>& triangles, const std::vector<Vec3>& points) {
  if (triangles.empty()) return 0;
  // From a point of the surface, so that places far from the origin keep their digits.
  const Vec3d from = cast<double>(points[triangles.front()[0]]);
  double sum = 0;
  for (const Int3& t : triangles) {
    Vec3d x[3];
    for (int k = 0; k < 3; ++k) x[k] = cast<double>(points[t[k]]) - from;
    sum += dot(x[0], cross(x[1], x[2])) / 6;
  }
  return sum;
}

}  // namespace phyxel::pbd
