#pragma once

#include "phyxel/colliders/mesh_sequence.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/mesh_distance_view.h"

namespace phyxel {

/// Non-owning view of a MovingMesh, on the host or on a device.
struct MovingMeshView {
  MeshDistanceView mesh;
  // How the surface moves; without either it is at rest.
  const Vec3* velocity = nullptr;  // m/s, of each vertex
  const Int3* corners = nullptr;   // vertices of each triangle of the mesh
  const Index* order = nullptr;    // triangle k of the BVH is triangle order[k] of the mesh
  std::size_t vertex_count = 0, corner_count = 0;
  MeshDistanceView before, after;
  double interval = 0;  // s, from before to after; 0: there are none
};

inline MovingMeshView view_of(const MovingMesh& moving) {
  MovingMeshView view;
  if (moving.mesh) view.mesh = view_of(*moving.mesh);
  if (!moving.velocity.empty()) {
    view.velocity = moving.velocity.data();
    view.corners = moving.mesh->mesh.triangles.data();
    view.order = moving.mesh->bvh.order.data();
    view.vertex_count = moving.velocity.size();
    view.corner_count = moving.mesh->mesh.triangles.size();
  } else if (moving.before) {
    view.before = view_of(*moving.before);
    view.after = view_of(*moving.after);
    view.interval = moving.interval;
  }
  return view;
}

inline namespace PHYXEL_BACKEND {

/// Weights of the corners at a point of a triangle's plane.
PHYXEL_FN Vec3 barycentric(const TriangleBvh::Triangle& t, const Vec3& p) {
  const Vec3 ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const Real bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const Real pb = dot(ap, ab), pc = dot(ap, ac), area = bb * cc - bc * bc;
  if (!(area > 0)) return {1, 0, 0};
  const Real v = (cc * pb - bc * pc) / area, w = (bb * pc - bc * pb) / area;
  return {1 - v - w, v, w};
}

PHYXEL_FN bool is_moving(const MovingMeshView& moving) {
  return moving.vertex_count > 0 || moving.interval > 0;
}

PHYXEL_FN Vec3 velocity_of_vertices(const MovingMeshView& moving, const NearestPoint& nearest) {
  const Vec3 weight = barycentric(moving.mesh.bvh.triangles[nearest.triangle], nearest.point);
  const Int3& corner = moving.corners[moving.order[nearest.triangle]];
  return moving.velocity[corner[0]] * weight[0] + moving.velocity[corner[1]] * weight[1] +
         moving.velocity[corner[2]] * weight[2];
}

/// A surface that moves along its normal with speed u lowers the distance at x by u: the level-set
/// equation, Osher and Sethian 1988, eq. 2.
PHYXEL_FN Vec3 velocity_of_distance(const MovingMeshView& moving, const Vec3& x) {
  const Real change =
      signed_distance(moving.after, x).distance - signed_distance(moving.before, x).distance;
  return signed_distance(moving.mesh, x).normal * (-change / static_cast<Real>(moving.interval));
}

/// Velocity of the surface nearest to x, m/s. Where triangles change from frame to frame only its
/// part along the normal is known: that by which the signed distance at x changes.
PHYXEL_FN Vec3 surface_velocity(const MovingMeshView& moving, const Vec3& x) {
  if (moving.vertex_count > 0)
    return velocity_of_vertices(moving, nearest_point(moving.mesh.bvh, x));
  if (moving.interval > 0) return velocity_of_distance(moving, x);
  return Vec3::zero();
}

/// The same where the nearest point of the mesh is known.
PHYXEL_FN Vec3 surface_velocity(const MovingMeshView& moving, const NearestPoint& nearest,
                                const Vec3& x) {
  if (moving.vertex_count > 0) return velocity_of_vertices(moving, nearest);
  return surface_velocity(moving, x);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
