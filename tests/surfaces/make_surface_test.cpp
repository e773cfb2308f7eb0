#include "phyxel/surfaces/make_surface.h"

#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/smooth.h"
#include "phyxel/surfaces/surface_scratch.h"

using namespace phyxel;

namespace {

/// A ball of particles whose temperature is 10 x and whose velocity is (0, x, 0).
Frame ball_frame(Real spacing) {
  const std::vector<Vec3> x = sample_inside(shape_sphere(1), Packing::closest, spacing, 1, 3);
  std::vector<float> temperature;
  std::vector<Vec3> velocity;
  std::vector<std::int32_t> id;
  for (const Vec3& p : x) {
    temperature.push_back(10 * static_cast<float>(p[0]));
    velocity.push_back({0, p[0], 0});
    id.push_back(static_cast<std::int32_t>(id.size()));
  }
  Frame frame;
  frame.count = x.size();
  frame.columns = {make_frame_column("position", "m", x.data(), x.size()),
                   make_frame_column("id", "", id.data(), id.size()),
                   make_frame_column("temperature", "C", temperature.data(), x.size()),
                   make_frame_column("velocity", "m/s", velocity.data(), x.size())};
  return frame;
}

const FrameColumn* find(const SurfaceMesh& surface, const std::string& name) {
  for (const FrameColumn& column : surface.attributes)
    if (column.name == name) return &column;
  return nullptr;
}

/// How far triangles turn away from the direction to the centre, on average.
double mean_turn(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Int3& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    sum += std::acos(
        std::min(1.0, double(dot(normalized(cross(b - a, c - a)), normalized(a + b + c)))));
  }
  return sum / double(mesh.triangles.size());
}

}  // namespace

TEST_CASE("vertices_know_what_the_particles_around_them_know") {
  SurfaceScratch scratch;
  for (std::size_t kind = 0; kind < field_names().size(); ++kind) {
    CAPTURE(field_names()[kind]);
    SurfaceOptions options;
    options.field.kind = static_cast<FieldKind>(kind);
    const SurfaceMesh surface = make_surface({}, ball_frame(Real(0.1)), options, scratch);
    const FrameColumn *temperature = find(surface, "temperature"),
                      *velocity = find(surface, "velocity");
    REQUIRE(temperature);
    REQUIRE(velocity);
    CHECK(velocity->components == 3);
    CHECK(find(surface, "id") == nullptr);
    CHECK(find(surface, "position") == nullptr);
    for (std::size_t v = 0; v < surface.mesh.vertices.size(); v += 17) {
      const Vec3 p = surface.mesh.vertices[v];
      // The mean lies half a kernel below the surface, here 0.06 m: a linear field is off by that.
      CHECK(std::abs(temperature->number(v) - 10 * double(p[0])) < 0.8);
      CHECK(std::abs(velocity->number(v, 1) - double(p[0])) < 0.08);
      CHECK(velocity->number(v, 0) == 0);
      CHECK(double(length(surface.normals[v])) == doctest::Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("touching_materials_keep_two_closed_surfaces") {
  Frame frame = ball_frame(Real(0.1));
  std::vector<std::int32_t> material(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i) material[i] = frame.position(i)[0] > 0 ? 4 : 2;
  frame.columns.push_back(make_frame_column("material", "", material.data(), frame.count));
  SurfaceScratch scratch;
  SurfaceOptions options;
  const SurfaceMesh two = make_surface({}, frame, options, scratch);
  CHECK(open_edges(two.mesh).count == 0);
  options.separate = false;
  const SurfaceMesh one = make_surface({}, frame, options, scratch);
  CHECK(open_edges(one.mesh).count == 0);
  // Both halves end where matter does: together they hold what the whole holds, and two faces of
  // the cut are added to the area.
  CHECK(volume(two.mesh) == doctest::Approx(volume(one.mesh)).epsilon(0.03));
  CHECK(area(two.mesh) - area(one.mesh) == doctest::Approx(2 * M_PI).epsilon(0.1));
  const FrameColumn* number = find(two, "material");
  REQUIRE(number);
  for (std::size_t v = 0; v < two.mesh.vertices.size(); ++v)
    REQUIRE((number->number(v) == 2 || number->number(v) == 4));
}

TEST_CASE("smoothing_takes_bumps_and_leaves_volume") {
  SurfaceScratch scratch;
  SurfaceOptions options;
  options.field.kind = FieldKind::blobs;
  options.field.radius = Real(0.055);  // bumps
  const SurfaceMesh rough = make_surface({}, ball_frame(Real(0.1)), options, scratch);
  options.smooth = 10;
  const SurfaceMesh smoothed = make_surface({}, ball_frame(Real(0.1)), options, scratch);
  CHECK(volume(smoothed.mesh) == doctest::Approx(volume(rough.mesh)).epsilon(0.002));
  CHECK(mean_turn(smoothed.mesh) < 0.9 * mean_turn(rough.mesh));
  CHECK(smoothed.mesh.triangles.size() == rough.mesh.triangles.size());
}

TEST_CASE("a_frame_without_particles_has_an_empty_surface") {
  Frame frame;
  const Vec3* const none = nullptr;
  frame.columns = {make_frame_column("position", "m", none, 0)};
  SurfaceScratch scratch;
  const SurfaceMesh surface = make_surface({}, frame, {}, scratch);
  CHECK(surface.mesh.vertices.empty());
  CHECK(surface.mesh.triangles.empty());
}

TEST_CASE("options_that_make_no_sense_are_refused") {
  SurfaceScratch scratch;
  const Frame frame = ball_frame(Real(0.3));
  SurfaceOptions options;
  options.field.blobbiness = -1;
  CHECK_THROWS_WITH(make_surface({}, frame, options, scratch),
                    doctest::Contains("blobbiness = -1: must be between 0.01 and 20"));
  options = {};
  options.cell = Real(1e-12);
  CHECK_THROWS_WITH(make_surface({}, frame, options, scratch), doctest::Contains("larger cells"));
  options.cell = 50;
  CHECK_THROWS_WITH(make_surface({}, frame, options, scratch), doctest::Contains("take at most"));
  options = {};
  options.field.kind = FieldKind::blobs;
  options.field.radius = Real(1e-9);
  CHECK_THROWS_WITH(make_surface({}, frame, options, scratch), doctest::Contains("take at most"));
}

TEST_CASE("the_spacing_is_measured_in_lattices_and_in_clouds_without_order") {
  for (const Packing packing : {Packing::closest, Packing::cubic}) {
    const std::vector<Vec3> points = sample_inside(shape_sphere(1), packing, Real(0.1), 1, 3);
    const Random random{5, 1};
    const auto measured = [&](Real jitter) {
      Column<Vec3> x(points.size());
      for (std::size_t i = 0; i < points.size(); ++i)
        x[i] = points[i] + (random.uniform3(i) - Vec3::filled(Real(0.5))) * (2 * jitter);
      return measured_spacing({}, x);
    };
    CHECK(measured(0) == doctest::Approx(0.1).epsilon(1e-4));
    // Three tenths of the spacing to each side on every axis is as disordered as liquids get.
    CHECK(measured(Real(0.03)) == doctest::Approx(0.1).epsilon(0.1));
  }
  Column<Vec3> pair(3);
  pair[0] = pair[1] = {1, 2, 3};
  pair[2] = {1, 2, Real(3.5)};
  CHECK(measured_spacing({}, pair) == doctest::Approx(0.5));
}

TEST_CASE("vertices_between_particles_have_the_mean_of_their_colours") {
  Frame bytes = ball_frame(Real(0.1)), codes = bytes;
  std::vector<Vec<std::uint8_t, 3>> in_bytes;
  std::vector<Vec<float, 3>> in_codes;
  for (std::size_t i = 0; i < bytes.count; ++i) {
    const auto red = static_cast<std::uint8_t>(std::lround(120 * (1 + bytes.position(i)[0])));
    in_bytes.push_back({red, 102, 0});
    in_codes.push_back({static_cast<float>(red) / 255, 102.0f / 255, 0});
  }
  bytes.columns.push_back(make_frame_column("colour", "", in_bytes.data(), bytes.count));
  codes.columns.push_back(make_frame_column("colour", "", in_codes.data(), codes.count));
  SurfaceScratch scratch;
  const SurfaceMesh a = make_surface({}, bytes, {}, scratch),
                    b = make_surface({}, codes, {}, scratch);
  REQUIRE(find(a, "colour"));
  REQUIRE(find(b, "colour"));
  for (std::size_t v = 0; v < a.mesh.vertices.size(); v += 13) {
    for (int c = 0; c < 3; ++c)
      CHECK(find(a, "colour")->number(v, c) ==
            doctest::Approx(find(b, "colour")->number(v, c)).epsilon(1e-6));
    CHECK(find(a, "colour")->number(v, 1) == doctest::Approx(0.4));
  }
}
