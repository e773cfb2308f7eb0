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

/// For each vertex the first one that is closer than `tolerance` (m), counted among those first
/// ones: 0, 1, ... in the order in which they appear.
std::vector<Index> weld_numbers(const TriangleMesh& mesh, Real tolerance);

/// Merges vertices closer than `tolerance` (m) and drops triangles that lose a corner.
TriangleMesh welded(const TriangleMesh& mesh, Real tolerance);
/// For tables of vertices that are equal in every bit.
struct PlaceHash {
  std::size_t operator()(const Vec3& p) const;
};

/// Adds a triangle unless it repeats a corner.
void add_triangle(TriangleMesh& mesh, Index a, Index b, Index c);
/// Adds the triangles of a simple polygon, by ear clipping along its mean normal: right for concave
/// ones. Corners are indices into mesh.vertices.
void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners);
/// Adds the triangles of `part`, with vertices of their own.
void append(TriangleMesh& mesh, const TriangleMesh& part);
/// The same surface facing the other way.
TriangleMesh flipped(TriangleMesh mesh);

}  // namespace phyxel
