#include "phyxel/surfaces/cube_table.h"

#include <doctest/doctest.h>
#include <map>

using namespace phyxel;

TEST_CASE("triangles_of_a_cube_use_exactly_the_edges_that_cross") {
  for (int pattern = 0; pattern < 256; ++pattern) {
    unsigned crossing = 0, used = 0;
    for (int e = 0; e < 12; ++e) {
      const CubeEdge edge = cube_edge(e);
      if ((pattern >> edge.from & 1) != (pattern >> edge.to & 1)) crossing |= 1u << e;
    }
    const CubeCase& cube = cube_cases()[pattern];
    for (int k = 0; k < 3 * cube.triangles; ++k) used |= 1u << cube.edge[k];
    CHECK(used == crossing);
  }
}

TEST_CASE("edges_between_triangles_of_a_cube_pair_up_and_the_others_lie_in_its_faces") {
  for (int pattern = 0; pattern < 256; ++pattern) {
    const CubeCase& cube = cube_cases()[pattern];
    std::map<std::pair<int, int>, int> directed;
    for (int t = 0; t < cube.triangles; ++t)
      for (int k = 0; k < 3; ++k)
        ++directed[{cube.edge[3 * t + k], cube.edge[3 * t + (k + 1) % 3]}];
    for (const auto& [edge, count] : directed) {
      CHECK(count == 1);
      if (directed.count({edge.second, edge.first})) continue;
      // A border of the cube's part: both ends must lie in one face.
      const CubeEdge a = cube_edge(edge.first), b = cube_edge(edge.second);
      bool in_a_face = false;
      for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
          const auto on = [&](int corner) { return (corner >> axis & 1) == side; };
          in_a_face |= on(a.from) && on(a.to) && on(b.from) && on(b.to);
        }
      CHECK(in_a_face);
    }
  }
}
