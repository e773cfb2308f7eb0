#pragma once

#include <vector>

#include "phyxel/geometry/mesh.h"
#include "phyxel/geometry/sampling.h"

namespace phyxel {

/// A mesh that a body has, and its connection to the points that the body is made of.
struct BodyMesh {
  TriangleMesh surface;               // vertices, also those of a line, in m; triangles
  std::vector<Vec<Real, 2>> texture;  // u, v of each vertex, or none
  std::vector<Index> point;           // of each vertex: the point of the body that it is, or none
  std::vector<Vec<Index, 2>> edges;   // pairs of points that the mesh joins, each once, ordered

  /// Whether its vertices are points of the body and move with them.
  bool is_bound() const { return !point.empty(); }
};

/// Each edge of the triangles once, between the points of their vertices (the vertices themselves
/// where `point` is empty), in ascending order.
std::vector<Vec<Index, 2>> edges_of(const TriangleMesh& mesh, const std::vector<Index>& point);

/// A sheet in the plane z = 0 around the origin, whose vertices are the points: rows of triangles
/// with equal sides (closest and hexagonal packing), or a square grid (cubic). Neighbours are
/// exactly `spacing` apart, so its sides may be up to half of that from those asked for. Texture
/// coordinates run from 0 to 1 along x and y. InputError for other packings, and for a sheet of one
/// row.
BodyMesh make_sheet(Real width, Real height, Packing packing, Real spacing);

/// Points `spacing` apart along a polyline, and the edges between them; u runs from 0 to 1. What
/// the length leaves over is shared by both ends. InputError for a line of one point, of no length
/// or shorter than a spacing.
BodyMesh make_line(const std::vector<Vec3>& corners, Real spacing);

/// The vertices of a triangle mesh as points; those nearer than a hundredth of the spacing are one
/// point, as along seams of a texture. InputError for triangles without area, vertices that no
/// triangle has, and edges whose mean length is not about the spacing.
BodyMesh make_shell(const TriangleMesh& mesh, const std::vector<Vec<Real, 2>>& texture,
                    Real spacing);

/// The points of a mesh that is bound to them.
std::vector<Vec3> points_of(const BodyMesh& mesh);

/// Means over the triangles at a place, weighted by area: vertices that a seam of the texture has
/// split get the same. (0, 1, 0) for vertices without triangles.
std::vector<Vec3> vertex_normals(const TriangleMesh& mesh);

/// Area (m^2) that a point of a sheet stands for.
double area_per_point(Packing packing, double spacing);

}  // namespace phyxel
