#include "phyxel/surfaces/skin.h"

#include <cmath>
#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/local_transforms.h"

using namespace phyxel;

namespace {

/// A ball with texture coordinates and a colour at each vertex.
SurfaceMesh painted_ball() {
  SurfaceMesh surface;
  surface.mesh = mesh_icosphere(1, 3);
  std::vector<Vec3> colour;
  for (const Vec3& v : surface.mesh.vertices) {
    surface.normals.push_back(normalized(v));
    surface.texture.push_back({v[0], v[1]});
    colour.push_back((v + Vec3::filled(1)) * Real(0.5));
  }
  surface.attributes = {make_frame_column("colour", "", colour.data(), colour.size())};
  return surface;
}

Column<Vec3> particles_of_ball(Real spacing = Real(0.15)) {
  const std::vector<Vec3> x = sample_inside(shape_sphere(1), Packing::closest, spacing, 1, 3);
  return {x.begin(), x.end()};
}

struct Motion {
  Mat3 linear;
  Vec3 shift;
  Vec3 operator()(const Vec3& x) const { return linear * x + shift; }
  Column<Vec3> operator()(const Column<Vec3>& x) const {
    Column<Vec3> moved;
    for (const Vec3& p : x) moved.push_back((*this)(p));
    return moved;
  }
};
const Motion rigid = {rotation_degrees({40, -25, 110}), {3, -2, Real(0.5)}};
const Motion affine = {
    Mat3{
        {{Real(1.3), Real(0.2), 0}, {Real(-0.1), Real(0.8), Real(0.4)}, {Real(0.3), 0, Real(1.1)}}},
    {-1, 2, 5}};

/// Largest distance between vertices and where a motion takes those of the mesh at rest.
double distance(const SurfaceMesh& posed, const SurfaceMesh& rest, const Motion& motion) {
  double worst = 0;
  for (std::size_t v = 0; v < rest.mesh.vertices.size(); ++v)
    worst = std::max(worst, double(length(posed.mesh.vertices[v] - motion(rest.mesh.vertices[v]))));
  return worst;
}

double largest_difference(const Mat3& a, const Mat3& b) {
  return std::sqrt(double(norm_squared(a - b)));
}

/// A few roundings of coordinates of some metres, and of inverse moments.
constexpr double rounding = sizeof(Real) == 4 ? 2e-5 : 1e-12;

}  // namespace

TEST_CASE("a_skin_follows_rigid_and_affine_motions_exactly") {
  const SurfaceMesh rest = painted_ball();
  const Column<Vec3> x = particles_of_ball();
  const Skin skin = make_skin({}, rest, x, {});
  const RestShape shape = make_rest_shape({}, x);
  const Motion still = {Mat3::identity(), Vec3::zero()};
  for (const Motion& motion : {still, rigid, affine}) {
    Column<Mat3> estimated;
    estimate_transforms({}, shape, motion(x), estimated);
    for (const Mat3& a : estimated) CHECK(largest_difference(a, motion.linear) < rounding);
    SurfaceMesh given, found;
    pose({}, skin, motion(x), Column<Mat3>(x.size(), motion.linear), given);
    pose({}, skin, motion(x), estimated, found);
    CHECK(distance(given, rest, motion) < rounding);
    CHECK(distance(found, rest, motion) < rounding);
    for (std::size_t v = 0; v < rest.normals.size(); ++v) {
      const Vec3 expected = normalized(cofactor(motion.linear) * rest.normals[v]);
      CHECK(double(length(given.normals[v] - expected)) < rounding);
    }
  }
}

TEST_CASE("a_skin_keeps_triangles_texture_and_colours") {
  const SurfaceMesh rest = painted_ball();
  const Column<Vec3> x = particles_of_ball();
  const Skin skin = make_skin({}, rest, x, {});
  SurfaceMesh posed = rest;
  posed.texture.clear();
  pose({}, skin, affine(x), Column<Mat3>(x.size(), affine.linear), posed);
  CHECK(posed.mesh.triangles == rest.mesh.triangles);
  CHECK(posed.texture == rest.texture);
  REQUIRE(posed.attributes.size() == 1);
  CHECK(posed.attributes[0].name == "colour");
  CHECK(posed.attributes[0].data == rest.attributes[0].data);
  SurfaceMesh bare = rest;
  bare.normals.clear();
  pose({}, make_skin({}, bare, x, {}), x, Column<Mat3>(x.size(), Mat3::identity()), posed);
  CHECK(posed.normals.empty());
}

TEST_CASE("a_vertex_has_few_particles_whose_weights_add_up_to_one") {
  SurfaceMesh rest = painted_ball();
  rest.mesh.vertices[0] = {Real(100), 0, 0};          // far from all
  rest.mesh.vertices[1] = {Real(1e6), Real(1e6), 0};  // farther
  const Column<Vec3> x = particles_of_ball();
  SkinOptions options;
  options.most = 10;
  const Skin skin = make_skin({}, rest, x, options);
  for (std::size_t v = 0; v < rest.mesh.vertices.size(); ++v) {
    double sum = 0;
    int count = 0;
    for (Index k = 0; k < skin.most; ++k) {
      const Real w = skin.weight[v * skin.most + k];
      CHECK(w >= 0);
      count += w > 0;
      sum += double(w);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    CHECK(count >= 1);
    CHECK(count <= 10);
  }
  // Far away a vertex moves with the body as if it were stiff.
  SurfaceMesh posed;
  pose({}, skin, rigid(x), Column<Mat3>(x.size(), rigid.linear), posed);
  CHECK(double(length(posed.mesh.vertices[0] - rigid(rest.mesh.vertices[0]))) < 1e-3);
}

TEST_CASE("a_bent_body_bends_its_skin") {
  // Turned about z by an angle that grows with z: vertices follow the same map.
  const auto bent = [](const Vec3& p) {
    const Real a = p[2];
    return Vec3{std::cos(a) * p[0] - std::sin(a) * p[1], std::sin(a) * p[0] + std::cos(a) * p[1],
                p[2]};
  };
  const SurfaceMesh rest = painted_ball();
  const Column<Vec3> x = particles_of_ball(Real(0.1));
  Column<Vec3> now;
  for (const Vec3& p : x) now.push_back(bent(p));
  Column<Mat3> transforms;
  estimate_transforms({}, make_rest_shape({}, x), now, transforms);
  SurfaceMesh posed;
  pose({}, make_skin({}, rest, x, {}), now, transforms, posed);
  for (std::size_t v = 0; v < rest.mesh.vertices.size(); ++v)
    // Over the radius of a kernel, 0.25 m, the map differs from a linear one by r^2/2 = 0.03 m at
    // most, and less in the mean.
    CHECK(double(length(posed.mesh.vertices[v] - bent(rest.mesh.vertices[v]))) < 0.02);
}

TEST_CASE("sheets_threads_and_lone_particles_have_transformations_too") {
  const Mat3 tilt = rotation_degrees({20, 50, -70});
  Column<Vec3> sheet, thread;
  for (int a = -5; a <= 5; ++a) {
    thread.push_back(tilt * Vec3{Real(a), 0, 0});
    for (int b = -5; b <= 5; ++b) sheet.push_back(tilt * Vec3{Real(a), Real(b), 0});
  }
  Column<Mat3> found;
  for (const Column<Vec3>& x :
       {sheet, thread, Column<Vec3>{{1, 2, 3}}, Column<Vec3>{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}) {
    const RestShape shape = make_rest_shape({}, x);
    estimate_transforms({}, shape, x, found);
    for (const Mat3& a : found) CHECK(largest_difference(a, Mat3::identity()) < rounding);
  }
  // A turned sheet is turned as a whole; a stretched one keeps its thickness.
  const RestShape flat = make_rest_shape({}, sheet);
  estimate_transforms({}, flat, rigid(sheet), found);
  for (const Mat3& a : found) CHECK(largest_difference(a, rigid.linear) < rounding);
  const Motion stretched = {rigid.linear * tilt * diagonal(Vec3{2, 3, 1}) * transpose(tilt), {}};
  estimate_transforms({}, flat, stretched(sheet), found);
  for (const Mat3& a : found) CHECK(largest_difference(a, stretched.linear) < 4 * rounding);
  // A thread turns the shortest way, also by half a turn: no lengths change across it.
  const RestShape line = make_rest_shape({}, thread);
  for (const Motion& motion : {rigid, Motion{Mat3::identity() * Real(-1), {}}}) {
    estimate_transforms({}, line, motion(thread), found);
    const Vec3 along = tilt * Vec3{1, 0, 0};
    for (const Mat3& a : found) {
      CHECK(double(length(a * along - motion.linear * along)) < rounding);
      CHECK(largest_difference(a * transpose(a), Mat3::identity()) < 4 * rounding);
      CHECK(determinant(a) > 0);
    }
  }
  // Particles that all came to one place still have finite ones.
  estimate_transforms({}, flat, Column<Vec3>(sheet.size(), Vec3{1, 1, 1}), found);
  for (const Mat3& a : found) CHECK(is_finite(a * Vec3{1, 1, 1}));
}

TEST_CASE("skins_are_the_same_on_any_number_of_threads") {
  const SurfaceMesh rest = painted_ball();
  const Column<Vec3> x = particles_of_ball();
  Column<Vec3> now = x;
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] += Random{3, 0}.uniform3(static_cast<std::uint32_t>(i)) * Real(0.1);
  SurfaceMesh expected;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    Column<Mat3> transforms;
    estimate_transforms({}, make_rest_shape({}, x), now, transforms);
    SurfaceMesh posed;
    pose({}, make_skin({}, rest, x, {}), now, transforms, posed);
    if (threads == 1) expected = posed;
    CHECK(posed.mesh.vertices == expected.mesh.vertices);
    CHECK(posed.normals == expected.normals);
  }
}

TEST_CASE("skins_that_cannot_be_made_say_why") {
  const SurfaceMesh rest = painted_ball();
  const Column<Vec3> x = particles_of_ball();
  CHECK_THROWS_WITH(make_skin({}, rest, {}, {}), doctest::Contains("no particles"));
  SkinOptions options;
  options.most = 2;
  CHECK_THROWS_WITH(make_skin({}, rest, x, options), doctest::Contains("most = 2"));
  options = {};
  options.radius = -1;
  CHECK_THROWS_WITH(make_skin({}, rest, x, options), doctest::Contains("radius = -1"));
  SurfaceMesh posed;
  CHECK_THROWS_WITH(pose({}, make_skin({}, rest, x, {}), {}, {}, posed),
                    doctest::Contains("for a skin of"));
}
