#include "phyxel/surfaces/cube_table.h"

#include <vector>

#include "phyxel/core/error.h"

// Lorensen and Cline's table, made instead of typed: the surface cuts each face of the cube in
// segments, the segments of the six faces join to loops, and loops are cut into triangles. On a
// face whose inside corners lie across, each is cut off by itself; both cubes at the face do the
// same, so that the surface has no holes. A cut between triangles never lies in a face, where a
// triangle of the next cube could share it: every edge has two triangles.

namespace phyxel {

namespace {

using Loop = std::vector<int>;  // edges of the cube

int edge_between(int a, int b) {
  const int low = a < b ? a : b, axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  return 4 * axis + (low >> first & 1) + 2 * (low >> second & 1);
}

/// Corners of a face, counter-clockwise seen from outside.
std::array<int, 4> corners_of_face(int axis, int side) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
  if (side == 1) return {base, base | u, base | u | v, base | v};
  return {base, base | v, base | u | v, base | u};
}

/// next[e]: the edge that the loop through edge e goes to.
void add_segments(int pattern, const std::array<int, 4>& corner, std::array<int, 12>& next) {
  const auto inside = [&](int k) { return pattern >> corner[k % 4] & 1; };
  for (int k = 0; k < 4; ++k) {
    if (inside(k) || !inside(k + 1)) continue;  // a run of inside corners begins behind edge k
    int end = k + 1;
    while (inside(end + 1)) ++end;
    next[edge_between(corner[k], corner[(k + 1) % 4])] =
        edge_between(corner[end % 4], corner[(end + 1) % 4]);
  }
}

bool share_face(int a, int b) {
  const CubeEdge p = cube_edge(a), q = cube_edge(b);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const auto on = [&](int corner) { return (corner >> axis & 1) == side; };
      if (on(p.from) && on(p.to) && on(q.from) && on(q.to)) return true;
    }
  return false;
}

/// Cuts ears off the loop; false where every way needs a cut within a face.
bool cut(const Loop& loop, std::vector<int>& triangles) {
  const std::size_t n = loop.size(), before = triangles.size();
  for (std::size_t k = 0; k < n; ++k) {
    const int a = loop[(k + n - 1) % n], b = loop[k], c = loop[(k + 1) % n];
    if (n > 3 && share_face(a, c)) continue;
    triangles.insert(triangles.end(), {a, b, c});
    if (n == 3) return true;
    Loop rest = loop;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    if (cut(rest, triangles)) return true;
    triangles.resize(before);
  }
  return false;
}

CubeCase make_case(int pattern) {
  std::array<int, 12> next;
  next.fill(-1);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) add_segments(pattern, corners_of_face(axis, side), next);
  std::vector<int> triangles;
  for (int e = 0; e < 12; ++e) {
    Loop loop;
    for (int at = e; next[at] >= 0;) {
      loop.push_back(at);
      const int to = next[at];
      next[at] = -1;
      at = to;
    }
    if (!loop.empty() && !cut(loop, triangles)) throw Error("cube_table: a loop cannot be cut");
  }
  CubeCase made;
  if (triangles.size() > std::size(made.edge)) throw Error("cube_table: too many triangles");
  made.triangles = static_cast<std::uint8_t>(triangles.size() / 3);
  for (std::size_t k = 0; k < triangles.size(); ++k)
    made.edge[k] = static_cast<std::uint8_t>(triangles[k]);
  return made;
}

}  // namespace

const std::array<CubeCase, 256>& cube_cases() {
  static const auto cases = [] {
    std::array<CubeCase, 256> all;
    for (int pattern = 0; pattern < 256; ++pattern) all[pattern] = make_case(pattern);
    return all;
  }();
  return cases;
}

}  // namespace phyxel
