#pragma once

#include <vector>

#include "phyxel/core/column.h"

// What can touch: the triangles and single edges of all bodies, in the order of the leaves of a
// tree.

namespace phyxel::pbd {

/// Elements of a leaf.
constexpr Index leaf_width = 8;

/// A triangle, or an edge a b with a third corner b. Every vertex and edge belongs to one of the
/// elements that have it, so that no pair of them is found twice (Curtis et al. 2008).
struct Element {
  Index corner[3];
  Index flags;  // bit k: owns vertex k; 3 + k: owns the edge from k to the next; 6: has a face

  PHYXEL_FN bool owns_vertex(int k) const { return flags >> k & 1; }
  PHYXEL_FN bool owns_edge(int k) const { return flags >> (3 + k) & 1; }
  PHYXEL_FN bool has_face() const { return flags >> 6 & 1; }
  PHYXEL_FN bool has(Index vertex) const {
    return corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
  }
};
constexpr Index face_flag = 1 << 6;

/// Meshes whose corners are particles.
struct ContactMesh {
  std::vector<Int3> triangles;
  std::vector<Vec<Index, 2>> edges;  // also those of the triangles, in any order
};

/// Elements by leaf: element k of leaf l is element[l * leaf_width + k], one without flags where
/// there are no more.
struct ContactElements {
  HostColumn<Element> element;
  Index leaves = 0;
  // Leaves whose triangles are connected by edges with those of leaf l, l itself among them if its
  // own are connected: neighbour[start[l]] up to neighbour[start[l + 1] - 1], rising. None at
  // slits.
  HostColumn<Index> start, neighbour;
};

/// Elements near each other at rest, and of one body, share leaves: a leaf is then small whatever
/// becomes of the body, and the order never changes. `rest` and `body` by particle.
ContactElements make_elements(const ContactMesh& mesh, const HostColumn<Vec3>& rest,
                              const HostColumn<Index>& body);

}  // namespace phyxel::pbd
