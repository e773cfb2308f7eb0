#pragma once

#include <cmath>
#include <vector>

#include "geometry/make_heightfield.h"
#include "geometry/meshes.h"
#include "geometry/random_shapes.h"
#include "phyxel/colliders/collider.h"
#include "phyxel/geometry/heightfield.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/models.h"

namespace phyxel::test {

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

inline Collider still(const Shape& shape) {
  Collider collider;
  collider.shape = shape;
  return collider;
}

/// Glides and turns about a point beside the origin.
inline Collider moving(Collider collider) {
  collider.motion.times = {0, 1};
  collider.motion.positions = {{0, 0, 0}, {Real(0.1), Real(0.2), 0}};
  collider.motion.rotations = {{0, 0, 0}, {30, 20, 10}};
  collider.motion.pivot = {Real(0.1), 0, Real(0.3)};
  return collider;
}

/// Ten frames a second.
inline Collider sequence(std::vector<TriangleMesh> frames) {
  Collider collider;
  collider.sequence = make_mesh_sequence(std::move(frames), 10, 0, "sequence");
  return collider;
}

inline Shape hills() {
  const auto height = [](Real x, Real z) { return Real(0.3) * std::sin(4 * x) * std::cos(3 * z); };
  return shape_heightfield(make_heightfield({2, 2}, 24, 20, height, Real(0.5)));
}

/// One of every kind within 1 m of the origin: all primitives, operations with blends and guards,
/// models, meshes, land, and sequences with the same and with changing triangles; still and moving,
/// exact and as voxels.
inline std::vector<Collider> every_collider() {
  Draw draw(3);
  std::vector<Collider> all;
  for (int kind = 0; kind < primitive_kinds; ++kind)
    all.push_back(still(placed(draw, primitive(draw, kind))));
  for (int k = 0; k < 8; ++k) all.push_back(moving(still(random_shape(draw))));
  all.push_back(moving(still(model_bunny(1))));
  const auto ball = make_mesh_distance(mesh_icosphere(Real(0.6), 4), "ball");
  all.push_back(still(shape_mesh(ball)));
  all.push_back(moving(still(subtract(unite(shape_mesh(ball), hills(), Real(0.1)),
                                      transformed(shape_mesh(ball), {}, Real(0.5)), Real(0.05)))));
  all.push_back(still(hills()));
  all.push_back(moving(sequence({mesh_icosphere(Real(0.5), 3), mesh_icosphere(Real(0.7), 3)})));
  all.push_back(sequence({mesh_icosphere(Real(0.5), 3),
                          moved(mesh_icosphere(Real(0.5), 2), {Real(0.1), 0, 0}),
                          moved(mesh_icosphere(Real(0.5), 3), {Real(0.2), 0, 0})}));
  const std::size_t count = all.size();
  for (const std::size_t back : {5, 2, 1}) {  // the ball and the sequences as voxels
    all.push_back(moving(all[count - back]));
    all.back().voxel = Real(0.05);
  }
  return all;
}

inline void move_to(std::vector<Collider>& colliders, double time) {
  for (Collider& collider : colliders) phyxel::move_to(collider, time);
}

inline std::vector<Vec3> random_points(int n) {
  Draw draw(9);
  std::vector<Vec3> points;
  for (int k = 0; k < n; ++k) points.push_back(draw.vector(-1, 1));
  return points;
}

}  // namespace phyxel::test
