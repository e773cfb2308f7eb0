#include "phyxel/geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "geometry/meshes.h"
#include "geometry/random_shapes.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/triangle_bvh_view.h"

using namespace phyxel;
using doctest::Approx;

namespace {

TriangleMesh without_triangles_near(TriangleMesh mesh, const Vec3& p, Real radius) {
  std::erase_if(mesh.triangles, [&](const Int3& t) {
    const Vec3 middle = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / Real(3);
    return length(middle - p) < radius;
  });
  return mesh;
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b, const Vec3& by) {
  const Index first = static_cast<Index>(a.vertices.size());
  for (const Vec3& v : b.vertices) a.vertices.push_back(v + by);
  for (const Int3& t : b.triangles) a.triangles.push_back(t + Int3{first, first, first});
  return a;
}

/// Part of the sphere about p that a triangle covers, by the angles of its corners (Girard).
double winding_of(const TriangleBvh::Triangle& t, const Vec3& p) {
  const Vec3d a = normalized(cast<double>(t.a - p)), b = normalized(cast<double>(t.b - p)),
              c = normalized(cast<double>(t.c - p));
  const auto corner = [](const Vec3d& u, const Vec3d& v, const Vec3d& w) {
    const Vec3d x = normalized(cross(u, v)), y = normalized(cross(u, w));
    return std::acos(std::clamp(dot(x, y), -1.0, 1.0));
  };
  const double excess = corner(a, b, c) + corner(b, c, a) + corner(c, a, b) - M_PI;
  return (dot(a, cross(b, c)) < 0 ? -excess : excess) / (4 * M_PI);
}

int levels_of(const TriangleBvh& bvh, Index node) {
  int below = 0;
  for (const Index child : bvh.nodes[node].child)
    if (child > 0) below = std::max(below, levels_of(bvh, child));
  return below + 1;
}

}  // namespace

TEST_CASE("a_sphere_mesh_has_the_distance_of_the_sphere_within_its_facets") {
  const auto mesh = make_mesh_distance(mesh_icosphere(1, 4), "sphere");
  // Edges of about 0.07: the facets lie inside by the sagitta 0.07^2 / 8 / cos.
  const double sagitta = 1.5e-3;
  test::Draw draw(1);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p = draw.vector(-1.5, 1.5);
    const SignedDistance d = signed_distance(*mesh, p);
    const double expected = length(p) - 1;
    REQUIRE(std::abs(d.distance - expected) < sagitta);
    // Towards the centre all directions lead to nearly equally near facets.
    if (length(p) > 0.5) REQUIRE(dot(d.normal, normalized(p)) > 0.99);
  }
}

TEST_CASE("a_box_mesh_has_the_distance_and_normal_of_the_box") {
  const auto mesh = make_mesh_distance(mesh_box({1, 0.6, 2}), "box");
  const Shape box = shape_box({1, 0.6, 2});
  test::Draw draw(2);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p = draw.vector(-1.5, 1.5);
    const SignedDistance a = signed_distance(*mesh, p), b = signed_distance(box, p);
    REQUIRE(std::abs(a.distance - b.distance) < 2e-6);  // rounding
    if (b.distance > 0.01) REQUIRE(length(a.normal - b.normal) < 1e-3);
  }
}

TEST_CASE("on_the_surface_of_a_mesh_the_normal_is_that_of_the_face") {
  const auto mesh = make_mesh_distance(mesh_box({2, 2, 2}), "box");
  const SignedDistance d = signed_distance(*mesh, {1, 0.3, 0.2});
  CHECK(std::abs(d.distance) < 1e-6);
  CHECK(length(d.normal - Vec3{1, 0, 0}) < 1e-6);
}

TEST_CASE("the_tree_of_dipoles_agrees_with_the_sum_over_all_triangles") {
  const auto mesh = make_mesh_distance(mesh_icosphere(1, 3), "sphere");
  test::Draw draw(3);
  for (int k = 0; k < 300; ++k) {
    const Vec3 p = draw.vector(-1.2, 1.2);
    double sum = 0;
    for (const TriangleBvh::Triangle& t : mesh->bvh.triangles) sum += winding_of(t, p);
    if (std::abs(length(p) - 1) > 0.02) CHECK(sum == Approx(length(p) < 1 ? 1 : 0).epsilon(1e-3));
    REQUIRE(std::abs(sum - winding_number(mesh->bvh, mesh->winding, p)) < 0.25);
  }
}

TEST_CASE("the_tree_finds_the_nearest_of_all_triangles_also_among_slivers") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    test::Draw draw(seed);
    TriangleMesh soup;
    for (int k = 0; k < 90; ++k) {
      const Vec3 a = draw.vector(-1, 1), b = a + draw.vector(-0.4, 0.4);
      const Vec3 c = k % 3 == 0 ? (a + b) * Real(0.5) : a + draw.vector(-0.4, 0.4);  // slivers
      const Index first = static_cast<Index>(soup.vertices.size());
      soup.vertices.insert(soup.vertices.end(), {a, b, c});
      soup.triangles.push_back({first, first + 1, first + 2});
    }
    TriangleBvh bvh = make_triangle_bvh(soup);
    for (Vec3& v : soup.vertices) v += draw.vector(-0.2, 0.2);
    refit(soup, bvh);
    for (int k = 0; k < 50; ++k) {
      const Vec3 p = draw.vector(-1.5, 1.5);
      Real expected = 100;
      for (const TriangleBvh::Triangle& t : bvh.triangles)
        expected = std::min(expected, length(p - nearest_point(t, p)));
      const NearestPoint found = nearest_point(view_of(bvh), p);
      REQUIRE(found.distance == Approx(expected).epsilon(1e-4));
      REQUIRE(length(found.point - p) == Approx(found.distance).epsilon(1e-5));
    }
  }
}

TEST_CASE("a_tree_has_as_few_levels_as_the_stacks_of_its_searches_rely_on") {
  // Leaves hold 8 triangles and every level has 8 times those of the level above.
  const auto needed = [](double triangles) {
    int levels = 1;
    for (double leaves = std::ceil(triangles / 8); leaves > 8; leaves = std::ceil(leaves / 8))
      ++levels;
    return levels;
  };
  CHECK(needed(std::numeric_limits<Index>::max()) == TriangleBvh::max_levels);
  test::Draw draw(5);
  for (const int n : {1, 8, 9, 64, 65, 513, 1000, 4095, 4097, 5000, 32769, 40000}) {
    TriangleMesh soup;
    for (Index k = 0; k < n; ++k) {
      for (int corner = 0; corner < 3; ++corner) soup.vertices.push_back(draw.vector(-1, 1));
      soup.triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
    }
    CAPTURE(n);
    CHECK(levels_of(make_triangle_bvh(soup), 0) <= needed(n));
  }
}

TEST_CASE("a_mesh_turned_inside_out_is_turned_back") {
  const auto mesh = make_mesh_distance(flipped(mesh_icosphere(1, 3)), "sphere");
  CHECK(signed_distance(*mesh, {0, 0, 0}).distance < 0);
  CHECK(signed_distance(*mesh, {2, 0, 0}).distance > 0);
  CHECK(volume(mesh->mesh) > 0);
}

TEST_CASE("a_small_hole_leaves_the_inside_inside") {
  const TriangleMesh holed = without_triangles_near(mesh_icosphere(1, 4), {0, 1, 0}, 0.15);
  CHECK(open_edges(holed).holes == 1);
  const auto mesh = make_mesh_distance(holed, "holed");
  test::Draw draw(4);
  for (int k = 0; k < 3000; ++k) {
    const Vec3 p = draw.vector(-1.5, 1.5);
    if (length(p - Vec3{0, 1, 0}) < 0.2 || std::abs(length(p) - 1) < 2e-3) continue;
    REQUIRE((signed_distance(*mesh, p).distance < 0) == (length(p) < 1));
  }
}

TEST_CASE("overlapping_parts_of_a_mesh_count_as_their_union") {
  const TriangleMesh two = joined(mesh_icosphere(1, 3), mesh_icosphere(1, 3), {1, 0, 0});
  const auto mesh = make_mesh_distance(two, "two");
  CHECK(signed_distance(*mesh, {0.5, 0, 0}).distance < 0);
  CHECK(signed_distance(*mesh, {-0.5, 0, 0}).distance < 0);
  CHECK(signed_distance(*mesh, {1.5, 0, 0}).distance < 0);
  CHECK(signed_distance(*mesh, {-1.1, 0, 0}).distance > 0);
}

TEST_CASE("a_cavity_within_a_mesh_is_outside") {
  const TriangleMesh shell =
      joined(mesh_icosphere(1, 3), flipped(mesh_icosphere(0.5, 3)), {0, 0, 0});
  const auto mesh = make_mesh_distance(shell, "shell");
  CHECK(signed_distance(*mesh, {0, 0, 0}).distance == Approx(0.5).epsilon(0.02));
  CHECK(signed_distance(*mesh, {0.75, 0, 0}).distance < -0.2);
}

TEST_CASE("a_mesh_without_an_inside_is_refused_with_numbers") {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  sheet.triangles = {{0, 2, 1}, {0, 3, 2}};
  CHECK_THROWS_WITH_AS(
      make_mesh_distance(sheet, "sheet.obj"),
      doctest::Contains("sheet.obj: the mesh is too open to have an inside: 4 open "
                        "edges around 1 hole"),
      InputError);
  TriangleMesh lidless = mesh_box({1, 1, 1});
  lidless.triangles.resize(10);
  CHECK_THROWS_WITH_AS(make_mesh_distance(lidless, "box.stl"), doctest::Contains("close the holes"),
                       InputError);
  TriangleMesh flat = mesh_box({1, 1, 1});
  for (Vec3& v : flat.vertices) v[1] *= Real(1e-12);
  CHECK_THROWS_AS(make_mesh_distance(flat, "flat"), InputError);
}

TEST_CASE("a_damaged_mesh_is_refused_with_the_damage") {
  CHECK_THROWS_WITH_AS(make_mesh_distance({}, "empty.ply"), doctest::Contains("0 triangles"),
                       InputError);
  TriangleMesh box = mesh_box({1, 1, 1});
  box.triangles[3][1] = 8;
  CHECK_THROWS_WITH_AS(make_mesh_distance(box, "box"),
                       doctest::Contains("triangle 3 names vertex 8"), InputError);
  box = mesh_box({1, 1, 1});
  box.vertices[5][2] = NAN;
  CHECK_THROWS_WITH_AS(make_mesh_distance(box, "box"), doctest::Contains("vertex 5"), InputError);
}

TEST_CASE("a_mesh_too_large_to_have_a_volume_is_refused") {
  TriangleMesh mesh = mesh_box({1, 1, 1});
  mesh.vertices[3] = {0, Real(1e38), 0};
  CHECK_THROWS_WITH_AS(
      make_mesh_distance(mesh, "huge"),
      "huge: vertex 3 has y = 1e+38, at most 1e+12 can be used; make the mesh smaller", InputError);
}

TEST_CASE("points_at_one_place_are_welded_however_far_they_are") {
  const Vec3 far = Vec3::filled(Real(1e30));
  const TriangleMesh mesh{{far, far, far, Vec3::zero()}, {{0, 1, 3}, {0, 2, 3}}};
  CHECK(welded(mesh, 0).vertices.size() == 2);
  CHECK(welded(mesh, 0).triangles.empty());
}

TEST_CASE("a_mesh_of_loose_triangles_is_welded_before_it_is_judged") {
  const TriangleMesh sphere = mesh_icosphere(1, 2);
  TriangleMesh loose;
  for (const Int3& t : sphere.triangles) {
    const Index first = static_cast<Index>(loose.vertices.size());
    for (int k = 0; k < 3; ++k) loose.vertices.push_back(sphere.vertices[t[k]]);
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  const auto mesh = make_mesh_distance(loose, "loose");
  CHECK(mesh->mesh.vertices.size() == sphere.vertices.size());
  CHECK(open_edges(mesh->mesh).count == 0);
}

TEST_CASE("a_mesh_in_a_shape_moves_and_scales_with_it") {
  const auto mesh = make_mesh_distance(mesh_box({1, 1, 1}), "box");
  const Transform t{rotation_degrees({0, 45, 0}), {3, 0, 0}};
  const Shape shape = unite(shape_sphere(0.1), transformed(shape_mesh(mesh), t, 2));
  CHECK(signed_distance(shape, {3, 0, 0}).distance == Approx(-1).epsilon(1e-5));
  CHECK(signed_distance(shape, {3, 3, 0}).distance == Approx(2).epsilon(1e-5));
  CHECK(bounds_of(shape).max[0] == Approx(3 + std::sqrt(2.0)).epsilon(1e-5));
}
