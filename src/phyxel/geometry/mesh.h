#pragma once

#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel {

/// Triangles by vertex index, counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> vertices;   // m
  std::vector<Int3> triangles;  // indices into vertices
};

Bounds bounds_of(const TriangleMesh& mesh);
double area(const TriangleMesh& mesh);    // m^2
double volume(const TriangleMesh& mesh);  // m^3; negative for a mesh turned inside out

/// What keeps a mesh from being closed. An edge is open where its triangles do not pair up in
/// opposite directions: a border, or neighbours that face opposite sides.
struct OpenEdges {
  std::size_t count = 0;
  std::size_t holes = 0;  // connected groups of open edges
  Real widest_hole = 0;   // largest extent of such a group, m
};
OpenEdges open_edges(const TriangleMesh& mesh);

/// Merges vertices closer than `tolerance` (m) and drops triangles that lose a corner.
TriangleMesh welded(const TriangleMesh& mesh, Real tolerance);
/// For tables of vertices that are equal in every bit.
struct PlaceHash {
  std::size_t operator()(const Vec3& p) const;
};

/// Adds the triangles of `part`, with vertices of their own.
void append(TriangleMesh& mesh, const TriangleMesh& part);
/// The same surface facing the other way.
TriangleMesh flipped(TriangleMesh mesh);

TriangleMesh mesh_box(const Vec3& size);
/// Sphere from an icosahedron split `level` times: 20 * 4^level nearly equal triangles.
TriangleMesh mesh_icosphere(Real radius, int level);
/// Sphere of `rings` bands along y with `sectors` quads each.
TriangleMesh mesh_uv_sphere(Real radius, int rings, int sectors);

}  // namespace phyxel
