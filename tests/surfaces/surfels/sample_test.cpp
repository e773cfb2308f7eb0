#include <cmath>
#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/surfaces/surfels/disc.h"
#include "phyxel/surfaces/surfels/paint.h"
#include "phyxel/surfaces/surfels/sample_surfels.h"

using namespace phyxel;

namespace {

constexpr Real spacing = Real(0.1);

Surfels sampled(const Shape& shape, std::uint32_t seed = 1) {
  SurfelSampling sampling;
  sampling.spacing = spacing;
  sampling.seed = seed;
  return sample_surfels({}, shape, sampling);
}

SurfaceMesh surface(TriangleMesh mesh) {
  SurfaceMesh s;
  s.mesh = std::move(mesh);
  return s;
}

Surfels sampled(const SurfaceMesh& mesh) {
  SurfelSampling sampling;
  sampling.spacing = spacing;
  return sample_surfels({}, mesh, sampling);
}

/// Distance from a place to the nearest surfel.
double nearest(const Surfels& s, const Vec3& p) {
  double best = 1e30;
  for (const Vec3& x : s.x) best = std::min(best, double(length(x - p)));
  return best;
}

double least_distance(const Surfels& s) {
  double least = 1e30;
  for (Index i = 0; i < s.size(); ++i)
    for (Index j = 0; j < i; ++j) least = std::min(least, double(length(s.x[i] - s.x[j])));
  return least;
}

Vec3 normal_of(const Surfels& s, Index k) {
  return disc_normal(s.u[k], s.v[k]);
}

Vec3 direction(std::uint64_t k) {
  const Vec3 r = Random{7, 1}.uniform3(k);
  const Real z = 2 * r[0] - 1, angle = Real(2 * M_PI) * r[1], rho = std::sqrt(1 - z * z);
  return {rho * std::cos(angle), rho * std::sin(angle), z};
}

}  // namespace

TEST_CASE("surfels cover a ball evenly: one for each square of the spacing, no room for another") {
  const Surfels s = sampled(shape_sphere(1));
  // A maximal sample of Poisson disks has 0.70 points for each squared distance, give or take.
  CHECK(s.size() == doctest::Approx(4 * M_PI / (spacing * spacing)).epsilon(0.08));
  CHECK(least_distance(s) >= surfel_distance * spacing * 0.999);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    // Candidates are 0.22 spacings apart: a gap is so much wider than the distance at most.
    CHECK(nearest(s, direction(k)) < 1.0 * spacing);
  }
}

TEST_CASE("surfels lie on the surface, and their axes are its tangents") {
  const Surfels s = sampled(shape_sphere(1));
  for (Index k = 0; k < s.size(); ++k) {
    CHECK(length(s.x[k]) == doctest::Approx(1).epsilon(1e-3 * spacing));
    const Vec3 n = normalized(s.x[k]);
    CHECK(dot(normal_of(s, k), n) > 0.99999);
    CHECK(length(s.u[k]) == doctest::Approx(spacing).epsilon(1e-5));
    CHECK(length(s.v[k]) == doctest::Approx(spacing).epsilon(1e-5));
    CHECK(std::abs(dot(s.u[k], s.v[k])) < 1e-6 * spacing);
  }
}

TEST_CASE("the faces of a box keep their normals up to its edges") {
  const Surfels s = sampled(shape_box({1, 1, 1}));
  for (Index k = 0; k < s.size(); ++k) {
    const Vec3 n = normal_of(s, k);
    CHECK(std::max({std::abs(n[0]), std::abs(n[1]), std::abs(n[2])}) > 0.999);
  }
  for (int k = 0; k <= 20; ++k)  // along an edge: at most one spacing to a disc of either face
    CHECK(nearest(s, {Real(0.5), Real(0.5), Real(k) / 20 - Real(0.5)}) < spacing);
}

TEST_CASE("both sides of a plate thinner than the spacing are sampled") {
  const Surfels s = sampled(shape_box({2, Real(0.04), 2}));
  Index up = 0, down = 0;
  for (Index k = 0; k < s.size(); ++k)
    (normal_of(s, k)[1] > Real(0.9) ? up : down) += std::abs(normal_of(s, k)[1]) > Real(0.9);
  // Discs on the rim take up to half a spacing of room from each side: a tenth of the area.
  CHECK(up == doctest::Approx(4 / (spacing * spacing)).epsilon(0.15));
  CHECK(down == doctest::Approx(4 / (spacing * spacing)).epsilon(0.15));
}

TEST_CASE("a mesh is sampled as evenly as a shape") {
  const Surfels s = sampled(surface(mesh_icosphere(1, 4)));
  CHECK(s.size() == doctest::Approx(4 * M_PI / (spacing * spacing)).epsilon(0.08));
  CHECK(least_distance(s) >= surfel_distance * spacing * 0.999);
  for (std::uint64_t k = 0; k < 500; ++k) CHECK(nearest(s, direction(k)) < 1.0 * spacing);
  // Faces of the icosphere differ from the ball by 2 degrees at most.
  for (Index k = 0; k < s.size(); ++k) CHECK(dot(normal_of(s, k), normalized(s.x[k])) > 0.998);
}

TEST_CASE("surfels take the colour of a mesh, its texture or a function") {
  SurfaceMesh mesh = surface(mesh_icosphere(1, 3));
  std::vector<Vec3> colour;
  for (const Vec3& v : mesh.mesh.vertices) {
    colour.push_back((v + Vec3::filled(1)) * Real(0.5));
    mesh.texture.push_back({v[0], v[1]});
  }
  mesh.attributes = {make_frame_column("colour", "", colour.data(), colour.size())};
  SurfelSampling sampling;
  sampling.spacing = spacing;
  const Surfels by_vertex = sample_surfels({}, mesh, sampling);
  sampling.of_texture = [](const Vec<Real, 2>& uv) { return Vec3{uv[0], uv[1], 7}; };
  const Surfels by_texture = sample_surfels({}, mesh, sampling);
  sampling.colour = [](const Vec3& x) { return Vec3{x[1], x[2], x[0]}; };
  const Surfels by_place = sample_surfels({}, shape_sphere(1), sampling);
  REQUIRE(by_vertex.colour.size() == by_vertex.x.size());
  for (Index k = 0; k < by_vertex.size(); ++k)  // linear functions, exact within a triangle
    CHECK(length(by_vertex.colour[k] - (by_vertex.x[k] + Vec3::filled(1)) * Real(0.5)) < 1e-5);
  for (Index k = 0; k < by_texture.size(); ++k)
    CHECK(length(by_texture.colour[k] - Vec3{by_texture.x[k][0], by_texture.x[k][1], 7}) < 1e-5);
  for (Index k = 0; k < by_place.size(); ++k)
    CHECK(by_place.colour[k] == Vec3{by_place.x[k][1], by_place.x[k][2], by_place.x[k][0]});
}

TEST_CASE("paint is stripes across a direction or cubes, in turn around the middle") {
  Paint paint;
  paint.width = 1;
  paint.direction = {0, 0, 2};
  paint.colours = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  paint.pattern = "stripes";
  const auto stripe = [&](Real z) { return painted(paint, {Real(7.3), Real(-2.2), z}); };
  CHECK(stripe(Real(0.4)) == paint.colours[0]);
  CHECK(stripe(Real(-0.4)) == paint.colours[0]);
  CHECK(stripe(Real(0.6)) == paint.colours[1]);
  CHECK(stripe(Real(-0.6)) == paint.colours[2]);
  CHECK(stripe(Real(3.1)) == paint.colours[0]);
  paint.pattern = "checker";
  paint.colours.pop_back();
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 x = {Real(0.1), Real(-0.2), Real(0.3)};
    CHECK(painted(paint, x) == paint.colours[0]);
    x[axis] -= 1;
    CHECK(painted(paint, x) == paint.colours[1]);
  }
}

TEST_CASE("painted surfels have their colours wherever the body stands") {
  const Shape here = shape_sphere(1);
  const Shape there = transformed(shape_sphere(1), {Mat3::identity(), {3, 5, -2}});
  Paint paint;
  paint.pattern = "stripes";
  paint.width = Real(0.5);
  for (const Shape& shape : {here, there}) {
    SurfelSampling sampling;
    sampling.spacing = Real(0.1);
    Surfels s = sample_surfels({}, shape, sampling);
    paint_surfels(paint, s);
    const Real middle = bounds_of(shape).centre()[1];
    for (Index k = 0; k < s.size(); ++k) {
      const Real y = std::abs(s.x[k][1] - middle);
      // Bounds of surfels are those of the ball but for a part of their spacing.
      if (y < Real(0.23)) CHECK(s.colour[k] == paint.colours[0]);
      if (y > Real(0.27) && y < Real(0.73)) CHECK(s.colour[k] == paint.colours[1]);
    }
  }
}

TEST_CASE("a sample depends on its seed alone") {
  const Surfels one = sampled(shape_torus(1, Real(0.3)), 5);
  CHECK(sampled(shape_torus(1, Real(0.3)), 6).x != one.x);
  for (int threads = 1; threads <= 4; ++threads) {
    const ThreadLimit limit(threads);
    const Surfels again = sampled(shape_torus(1, Real(0.3)), 5);
    CHECK(again.x == one.x);
    CHECK(again.u == one.u);
  }
}

TEST_CASE("what cannot be sampled is refused with a remedy") {
  SurfaceMesh open = surface(mesh_icosphere(1, 2));
  open.mesh.triangles.pop_back();
  CHECK_THROWS_WITH_AS(sampled(open), doctest::Contains("3 edges in 1 hole"), InputError);
  CHECK_THROWS_WITH_AS(sampled(shape_sphere(Real(0.02))), doctest::Contains("take at most"),
                       InputError);
  CHECK_THROWS_WITH_AS(sampled(shape_plane({0, 0, 0}, {0, 1, 0})), doctest::Contains("no end"),
                       InputError);
  CHECK_THROWS_WITH_AS(sampled(shape_sphere(10000)), doctest::Contains("take at least"),
                       InputError);
  CHECK_THROWS_AS(sample_surfels({}, shape_sphere(1), {}), InputError);
}
