#include "phyxel/render/ray_scene.h"

#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/models.h"
#include "phyxel/render/mesh_normals.h"
#include "phyxel/render/shape_grid.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

const PictureUnits plain;  // world units are picture units

PictureScene empty_scene() {
  PictureScene scene;
  scene.ground.visible = false;
  return scene;
}

SphereSet one_sphere(const Vec3& centre, Real radius) {
  SphereSet set;
  set.centres = {centre};
  set.radii = {radius};
  set.colours = {{0.5f, 0.5f, 0.5f}};
  return set;
}

ShapeObject solid(const Shape& shape, const Transform& pose = {}) {
  ShapeObject object;
  object.shape = shape;
  object.pose = pose;
  return object;
}

/// Rays from around towards the middle, some of which miss.
Ray random_ray(int k) {
  const Random random{3, 1};
  const Vec3 from = normalized(random.uniform3(k, 0) - Vec3::filled(Real(0.5))) * Real(2);
  const Vec3 to = (random.uniform3(k, 1) - Vec3::filled(Real(0.5))) * Real(1.2);
  return {cast<float>(from), normalized(cast<float>(to - from))};
}

void check_same_hits(const RayScene& a, const RayScene& b, float distance_tolerance,
                     float normal_tolerance) {
  int hits = 0;
  for (int k = 0; k < 2000; ++k) {
    const Ray ray = random_ray(k);
    const auto p = a.intersect(ray), q = b.intersect(ray);
    const bool grazing = (p && dot(p->normal, ray.direction) > -0.05f) ||
                         (q && dot(q->normal, ray.direction) > -0.05f);
    if (grazing) continue;  // where a hair decides whether, and where, a ray hits
    CAPTURE(k);
    REQUIRE(p.has_value() == q.has_value());
    CHECK(a.occluded(ray) == p.has_value());
    CHECK(b.occluded(ray) == q.has_value());
    if (!p) continue;
    ++hits;
    CHECK(p->distance == doctest::Approx(q->distance).epsilon(distance_tolerance));
    CHECK(length(p->normal - q->normal) < normal_tolerance);
  }
  CHECK(hits > 500);
}

}  // namespace

TEST_CASE("a_sphere_drawn_from_its_distance_is_the_sphere_itself") {
  const Vec3 centre{Real(0.1), Real(-0.05), Real(0.02)};
  PictureScene exact = empty_scene(), implicit = empty_scene();
  exact.spheres.push_back(one_sphere(centre, Real(0.4)));
  implicit.shapes.push_back(solid(shape_sphere(Real(0.4)), {Mat3::identity(), centre}));
  // Sphere tracing stops within a quarter of solid_offset, 4e-5, before the surface; seen under a
  // slope of 0.05 that is 8e-4.
  check_same_hits({exact, plain}, {implicit, plain}, 8e-4f, 4e-3f);
}

TEST_CASE("a_box_drawn_from_its_distance_is_the_box_of_triangles") {
  const Transform pose{rotation_degrees({20, 30, 40}), {Real(0.05), 0, Real(0.1)}};
  const Vec3 size{Real(0.5), Real(0.3), Real(0.7)};
  PictureScene mesh = empty_scene(), implicit = empty_scene();
  MeshObject object;
  object.mesh = mesh_box(size);
  for (Vec3& v : object.mesh.vertices) v = apply(pose, v);
  object.colours = {{1, 1, 1}};
  mesh.meshes.push_back(object);
  implicit.shapes.push_back(solid(shape_box(size), pose));
  check_same_hits({mesh, plain}, {implicit, plain}, 8e-4f, 4e-3f);
}

TEST_CASE("a_mesh_shape_is_drawn_as_its_triangles") {
  PictureScene plain_mesh = empty_scene(), shape = empty_scene();
  const TriangleMesh ball = mesh_icosphere(Real(0.4), 2);
  const Transform pose{rotation_degrees({10, 0, 50}), {Real(0.1), 0, 0}};
  shape.shapes.push_back(solid(shape_mesh(make_mesh_distance(ball, "ball")), pose));
  MeshObject object;
  object.mesh = ball;
  for (Vec3& v : object.mesh.vertices) v = apply(pose, v);
  object.colours = {{1, 1, 1}};
  plain_mesh.meshes.push_back(object);
  check_same_hits({plain_mesh, plain}, {shape, plain}, 1e-5f, 1e-3f);
}

TEST_CASE("hits_do_not_depend_on_the_size_of_the_world") {
  PictureScene small = empty_scene(), large = empty_scene();
  small.spheres.push_back(one_sphere({0, 0, 0}, Real(0.4)));
  const Vec3 far{1000, 2000, -500};
  large.shapes.push_back(solid(shape_sphere(400), {Mat3::identity(), far}));
  const PictureUnits units{far, Real(1e-3)};
  check_same_hits({small, plain}, {large, units}, 2e-3f, 2e-2f);
}

TEST_CASE("a_pruned_shape_is_the_whole_shape_within_its_ball") {
  const Random random{17, 4};
  for (const Shape& shape : {model_bunny(1), model_die(1)}) {
    std::size_t nodes = 0;
    for (int k = 0; k < 300; ++k) {
      const Vec3 centre = random.uniform3(k, 0) - Vec3::filled(Real(0.5));
      const Real radius = Real(0.05);
      const Shape part = pruned(shape, centre, radius);
      nodes += part.nodes.size();
      const Vec3 inward = (random.uniform3(k, 1) - Vec3::filled(Real(0.5))) * Real(1.15);
      const Vec3 p = centre + inward * radius;  // corners of this cube reach the ball's surface
      CAPTURE(k);
      // Rounding of positions of size one.
      CHECK(std::abs(signed_distance(part, p).distance - signed_distance(shape, p).distance) <
            2e-6);
    }
    CHECK(nodes < 300 * shape.nodes.size() / 3);
  }
}

TEST_CASE("a_costly_solid_is_hit_where_its_distance_vanishes") {
  PictureScene scene = empty_scene();
  const Shape bunny = model_bunny(Real(0.9));
  scene.shapes.push_back(solid(bunny));
  const RayScene rays(scene, plain);
  int hits = 0;
  for (int k = 0; k < 500; ++k) {
    const Ray ray = random_ray(k);
    const auto hit = rays.intersect(ray);
    if (!hit) continue;
    ++hits;
    CAPTURE(k);
    CHECK(std::abs(signed_distance(bunny, cast<Real>(hit->point)).distance) < solid_offset);
    // Nothing of the solid lies before the hit.
    Real least = 1;
    for (Real t = 0; t < hit->distance - Real(0.01); t += Real(0.01))
      least = std::min(
          least,
          signed_distance(bunny, cast<Real>(ray.origin + ray.direction * static_cast<float>(t)))
              .distance);
    CHECK(least > 0);
  }
  CHECK(hits > 100);
}

TEST_CASE("a_ray_that_leaves_a_solid_does_not_meet_it_again") {
  PictureScene scene = empty_scene();
  scene.shapes.push_back(solid(shape_torus(Real(0.4), Real(0.15))));
  const RayScene rays(scene, plain);
  for (int k = 0; k < 1000; ++k) {
    const auto hit = rays.intersect(random_ray(k));
    if (!hit) continue;
    CHECK_FALSE(rays.occluded({hit->point + hit->normal * hit->offset, hit->normal, 0, 0.1f}));
  }
}

TEST_CASE("a_solid_seen_from_within_is_not_there_until_left") {
  PictureScene scene = empty_scene();
  scene.shapes.push_back(solid(complement(shape_box({1, 1, 1}))));
  const RayScene rays(scene, plain);
  // From outside the room, through its near wall, to the far wall.
  const auto hit = rays.intersect({{0, 0, 2}, {0, 0, -1}});
  REQUIRE(hit.has_value());
  CHECK(hit->distance == doctest::Approx(2.5).epsilon(1e-4));
  CHECK(hit->normal[2] == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("the_ground_is_met_from_above_only") {
  PictureScene scene;
  scene.ground.point = {0, Real(0.5), 0};
  const RayScene rays(scene, plain);
  const auto hit = rays.intersect({{0, 2, 0}, {0, -1, 0}});
  REQUIRE(hit.has_value());
  CHECK(hit->is_ground);
  CHECK(hit->distance == doctest::Approx(1.5));
  CHECK_FALSE(rays.intersect({{0, -2, 0}, {0, 1, 0}}).has_value());
}

TEST_CASE("a_cube_keeps_its_edges_and_a_ball_is_round") {
  const TriangleMesh cube = mesh_box({1, 1, 1});
  const std::vector<Vec3f> sharp = corner_normals(cube);
  for (const Vec3f& n : sharp)
    CHECK(std::max({std::abs(n[0]), std::abs(n[1]), std::abs(n[2])}) ==
          doctest::Approx(1).epsilon(1e-5));
  const TriangleMesh ball = mesh_icosphere(1, 2);
  const std::vector<Vec3f> round = corner_normals(ball);
  for (std::size_t i = 0; i < round.size(); ++i) {
    const Vec3 v = ball.vertices[ball.triangles[i / 3][static_cast<int>(i % 3)]];
    CHECK(dot(round[i], cast<float>(v)) > 0.998f);  // within 4 degrees of the true normal
  }
}

TEST_CASE("vertex_colours_are_interpolated") {
  PictureScene scene = empty_scene();
  MeshObject object;
  object.mesh.vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  object.mesh.triangles = {{0, 1, 2}};
  object.colours = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  scene.meshes.push_back(object);
  const auto hit = RayScene(scene, plain).intersect({{0, 0, 1}, {0, 0, -1}});
  REQUIRE(hit.has_value());
  CHECK(hit->albedo[0] == doctest::Approx(0.25));
  CHECK(hit->albedo[1] == doctest::Approx(0.25));
  CHECK(hit->albedo[2] == doctest::Approx(0.5));
}

TEST_CASE("numbers_of_colours_and_radii_must_fit_the_spheres") {
  PictureScene scene = empty_scene();
  SphereSet set = one_sphere({0, 0, 0}, 1);
  set.centres.resize(3, {0, 0, 0});
  set.colours.resize(2, {1, 1, 1});
  scene.spheres.push_back(set);
  CHECK_THROWS_AS(RayScene(scene, plain), Error);
}
