#include "phyxel/surfaces/marching_cubes.h"

#include <doctest/doctest.h>
#include <map>
#include <set>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/geometry/shape.h"
#include "phyxel/surfaces/field.h"

using namespace phyxel;

namespace {

Column<Vec3> points_in(const Shape& shape, Real spacing) {
  const std::vector<Vec3> points = sample_inside(shape, Packing::closest, spacing, 1, 3);
  return {points.begin(), points.end()};
}

TriangleMesh surface_of(const Column<Vec3>& x, const FieldOptions& options, Real cell) {
  PointField field;
  SparseField grid;
  make_field({}, x, options, field);
  sample_field({}, field, cell, grid);
  return marching_cubes({}, grid);
}

/// Vertices - edges + triangles: 2 for each sphere, 0 for each torus.
int euler(const TriangleMesh& mesh) {
  return static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.triangles.size()) / 2;
}

/// Every edge has two triangles that run along it in opposite directions, every vertex is used, and
/// no two vertices are the same place.
void check_closed(const TriangleMesh& mesh, bool check_places = true) {
  std::map<std::pair<Index, Index>, int> edges;
  std::vector<int> used(mesh.vertices.size(), 0);
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      REQUIRE(t[k] >= 0);
      REQUIRE(t[k] < static_cast<Index>(mesh.vertices.size()));
      ++edges[{t[k], t[(k + 1) % 3]}];
      used[t[k]] = 1;
    }
  int wrong = 0;
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    wrong += count != 1 || back == edges.end();
  }
  CHECK(wrong == 0);
  CHECK(std::count(used.begin(), used.end(), 0) == 0);
  if (!check_places) return;
  std::set<std::array<Real, 3>> places;
  for (const Vec3& v : mesh.vertices) places.insert({v[0], v[1], v[2]});
  CHECK(places.size() == mesh.vertices.size());
}

FieldOptions of_kind(FieldKind kind) {
  FieldOptions options;
  options.kind = kind;
  return options;
}

constexpr FieldKind kinds[] = {FieldKind::blobs, FieldKind::sph, FieldKind::zhu_bridson,
                               FieldKind::anisotropic};

}  // namespace

TEST_CASE("the_surface_of_a_sampled_ball_encloses_its_volume") {
  const Real spacing = Real(0.05);
  const Column<Vec3> x = points_in(shape_sphere(1), spacing);
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const TriangleMesh mesh = surface_of(x, of_kind(kind), spacing / 2);
    check_closed(mesh);
    CHECK(euler(mesh) == 2);
    CHECK(volume(mesh) == doctest::Approx(4 * M_PI / 3).epsilon(0.02));
  }
}

TEST_CASE("a_torus_has_a_hole_and_two_merging_balls_are_one_body") {
  const Real spacing = Real(0.05);
  const Column<Vec3> ring = points_in(shape_torus(1, Real(0.4)), spacing);
  const Shape ball = shape_sphere(Real(0.7));
  const Column<Vec3> merging =
      points_in(unite(ball, transformed(ball, {Mat3::identity(), {1, 0, 0}})), spacing);
  // Two balls less the lens that both have: caps of height 0.2.
  const double lens = 2 * M_PI * 0.04 * (3 * 0.7 - 0.2) / 3;
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const TriangleMesh torus = surface_of(ring, of_kind(kind), spacing / 2);
    check_closed(torus);
    CHECK(euler(torus) == 0);
    CHECK(volume(torus) == doctest::Approx(2 * M_PI * M_PI * 0.16).epsilon(0.02));
    const TriangleMesh balls = surface_of(merging, of_kind(kind), spacing / 2);
    check_closed(balls);
    CHECK(euler(balls) == 2);
    CHECK(volume(balls) == doctest::Approx(8 * M_PI / 3 * 0.343 - lens).epsilon(0.02));
  }
}

TEST_CASE("any_cloud_of_points_has_a_closed_surface") {
  for (std::uint32_t k = 0; k < 120; ++k) {
    const Random random{41, k};
    const int count = 1 + static_cast<int>(random.uniform(0) * 60);
    const Vec3 far = k % 5 == 0 ? Vec3{Real(1e4), Real(-2e4), Real(3e4)} : Vec3::zero();
    Column<Vec3> x;
    for (int i = 0; i < count; ++i) {
      Vec3 p = random.uniform3(i, 1) * Real(k % 3 == 0 ? 1 : 4);
      if (k % 4 == 1 && i > 0 && i % 3 == 0) p = x[i - 1] - far;  // coincident
      if (k % 4 == 3) p = k % 8 == 3 ? Vec3{p[0], 1, 2} : Vec3{p[0], p[1], Real(0.5)};  // flat
      if (k % 4 == 2)
        for (int c = 0; c < 3; ++c) p[c] = std::round(p[c] * 2);  // on nodes and cell faces
      x.push_back(p + far);
    }
    FieldOptions options = of_kind(kinds[k / 4 % 4]);
    options.spacing = Real(0.3) + Real(0.5) * random.uniform(1);
    const Real cell = options.spacing * (Real(0.3) + random.uniform(2) * 3);
    CAPTURE(k);
    const TriangleMesh mesh = surface_of(x, options, cell);
    check_closed(mesh, far == Vec3::zero());  // far away, floats merge places that are near
    CHECK(volume(mesh) >= 0);
  }
}

TEST_CASE("one_particle_is_a_ball_of_its_radius") {
  for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{Real(0.13), Real(-7), Real(2.5)}}) {
    FieldOptions options;
    options.radius = Real(0.5);
    options.blobbiness = 2;
    const TriangleMesh mesh = surface_of({at}, options, Real(0.1));
    check_closed(mesh);
    CHECK(euler(mesh) == 2);
    // Chords lie inside the ball: h^2 / (8 R) = 0.5 % of the radius.
    CHECK(volume(mesh) == doctest::Approx(4 * M_PI / 3 * 0.125).epsilon(0.02));
    for (const Vec3& v : mesh.vertices) CHECK(length(v - at) == doctest::Approx(0.5).epsilon(0.01));
  }
}

TEST_CASE("surfaces_are_the_same_on_any_number_of_threads") {
  const Column<Vec3> x = points_in(shape_sphere(1), Real(0.08));
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    TriangleMesh expected;
    for (const int threads : {1, 2, 3}) {
      const ThreadLimit limit(threads);
      const TriangleMesh mesh = surface_of(x, of_kind(kind), Real(0.05));
      if (threads == 1) expected = mesh;
      CHECK(mesh.vertices == expected.vertices);
      CHECK(mesh.triangles == expected.triangles);
    }
  }
}

TEST_CASE("nodes_know_the_value_that_the_points_around_give") {
  const Column<Vec3> x = points_in(shape_sphere(Real(0.5)), Real(0.1));
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    PointField field;
    SparseField grid;
    make_field({}, x, of_kind(kind), field);
    sample_field({}, field, Real(0.07), grid);
    for (Index b = 0; b < grid.blocks(); ++b)
      for (Index n = 0; n < SparseField::nodes; n += 37) {
        const Int3 node = grid.block[b] * SparseField::edge + Int3{n % 8, n / 8 % 8, n / 64};
        const Vec3 at = Vec3{Real(node[0]), Real(node[1]), Real(node[2])} * grid.cell;
        // The bells of nodes come from a table good to 1e-5, and drop what is below 5e-5 in other
        // places: a ball there, a cube here.
        CHECK(std::abs(grid.value[b * SparseField::nodes + n] - field_value(field, at)) <
              Real(2e-3) * field.options.spacing);
      }
  }
}

TEST_CASE("normals_run_against_the_gradient_of_the_field") {
  const Column<Vec3> x = points_in(shape_sphere(1), Real(0.1));
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    PointField field;
    make_field({}, x, of_kind(kind), field);
    for (Index k = 0; k < 100; ++k) {
      const Vec3 at = normalized(Random{42, 0}.uniform3(k) - Vec3::filled(Real(0.5)));
      Vec3 gradient;
      const Real h = Real(2e-3);
      for (int c = 0; c < 3; ++c) {
        Vec3 step = Vec3::zero();
        step[c] = h;
        gradient[c] = field_value(field, at + step) - field_value(field, at - step);
      }
      // Differences over a fiftieth of the spacing, of values rounded to 1e-7.
      CHECK(double(dot(field_normal(field, at), -normalized(gradient))) > 0.995);
    }
  }
}
