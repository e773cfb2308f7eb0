#include "phyxel/render/looks.h"

#include <cmath>
#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "phyxel/core/error.h"
#include "phyxel/core/timer.h"
#include "phyxel/render/field_boxes.h"
#include "phyxel/surfaces/make_surface.h"
#include "phyxel/surfaces/surface_scratch.h"
#include "render/picture_scenes.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

MeshObject white_ball(const Finish& finish) {
  MeshObject ball;
  ball.mesh = mesh_icosphere(1, 5);
  ball.colours = {{1, 1, 1}};
  ball.finish = finish;
  return ball;
}

double middle_of(const Image& image) {
  const int n = image.width;
  return mean_luminance(image, 3 * n / 8, 5 * n / 8, 3 * n / 8, 5 * n / 8);
}

/// In the same light from everywhere, what loses no light cannot be seen. The sky is found by
/// chance, an environment is aimed at too.
double brightness_in_uniform_light(const Finish& finish, bool aimed) {
  PictureScene scene = uniform_light(0.7f);
  if (aimed) scene.lighting.environment = std::make_shared<Image>(8, 4, Colour::filled(0.7f));
  scene.background = {Colour::filled(0.7f), Colour::filled(0.7f)};  // seen through clear bodies
  scene.meshes.push_back(white_ball(finish));
  RenderOptions options = square(48, 64);
  options.denoise = false;
  return middle_of(render_picture({}, scene, front(4), options)) / 0.7;
}

}  // namespace

TEST_CASE("bodies_that_absorb_nothing_are_as_bright_as_uniform_light") {
  for (const bool aimed : {false, true}) {
    // Noise of 64 paths in 144 pixels is below 0.5 %; rough metal loses what facets hide (2 %).
    CHECK(brightness_in_uniform_light({0.1f, 1, Interior::metal}, aimed) ==
          doctest::Approx(1).epsilon(0.02));
    CHECK(brightness_in_uniform_light({0.02f, 1, Interior::clear}, aimed) ==
          doctest::Approx(1).epsilon(0.01));
    // Light in haze is followed for 64 scatterings, which is enough for a ball three ways thick.
    CHECK(brightness_in_uniform_light({0.02f, 1, Interior::clear, 0, Real(0.7)}, aimed) ==
          doctest::Approx(1).epsilon(0.02));
    // The fit for the albedo ends at 0.999, and a few paths are still inside after 256 scatterings.
    CHECK(brightness_in_uniform_light({1, 0, Interior::translucent, Real(0.2)}, aimed) ==
          doctest::Approx(1).epsilon(0.06));
  }
}

TEST_CASE("a_translucent_body_has_the_colour_it_was_given") {
  PictureScene scene = uniform_light(1);
  scene.meshes.push_back(white_ball({1, 0, Interior::translucent, Real(0.01)}));
  scene.meshes[0].colours = {{0.7f, 0.4f, 0.1f}};
  const Image image = render_picture({}, scene, front(4), square(48, 64));
  const Colour c = image.at(24, 24);
  // The fit of Chiang et al. is good to about 0.03 for a flat, deep body.
  CHECK(c[0] == doctest::Approx(0.7).epsilon(0.06));
  CHECK(c[1] == doctest::Approx(0.4).epsilon(0.08));
  CHECK(c[2] == doctest::Approx(0.1).epsilon(0.3));
}

TEST_CASE("a_metal_reflects_in_its_colour") {
  PictureScene scene = uniform_light(1);
  scene.meshes.push_back(white_ball({0.1f, 1, Interior::metal}));
  scene.meshes[0].colours = {{0.9f, 0.6f, 0.2f}};
  const Image image = render_picture({}, scene, front(4), square(48, 64));
  const Colour c = image.at(24, 24);
  CHECK(c[0] == doctest::Approx(0.9).epsilon(0.03));
  CHECK(c[1] == doctest::Approx(0.6).epsilon(0.03));
  CHECK(c[2] == doctest::Approx(0.2).epsilon(0.05));
}

TEST_CASE("a_clear_body_tints_light_by_its_thickness") {
  PictureScene scene = uniform_light(1);
  scene.background = {Colour::filled(1), Colour::filled(1)};
  // Index 1: nothing is reflected or bent, so that the middle ray goes through 2 m.
  scene.meshes.push_back(white_ball({0.02f, 1, Interior::clear, 1, 0, 1}));
  scene.meshes[0].colours = {{0.5f, 0.8f, 1}};
  const Image image = render_picture({}, scene, front(4), square(49, 16));
  const Colour c = image.at(24, 24);
  CHECK(c[0] == doctest::Approx(0.25).epsilon(0.02));
  CHECK(c[1] == doctest::Approx(0.64).epsilon(0.02));
  CHECK(c[2] == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("clear_bodies_cast_a_light_shadow_and_others_a_dark_one") {
  const auto under = [](const Finish& finish) {
    PictureScene scene = uniform_light(0);
    scene.ground.visible = true;
    scene.lighting.key_direction = {0, 1, 0};
    scene.lighting.key_colour = {1, 1, 1};
    scene.meshes.push_back(white_ball(finish));
    for (Vec3& v : scene.meshes[0].mesh.vertices) v += Vec3{0, 4, 0};
    Camera camera;  // looks below the ball
    camera.position = {0, 1, 6};
    camera.target = {0, 0, 0};
    camera.field_of_view = 4;
    return middle_of(render_picture({}, scene, camera, square(32, 32)));
  };
  const double open = under({0.02f, 1, Interior::clear, 0, 0, 1});
  CHECK(open > 0.5);
  CHECK(under({}) < 0.02 * open);
  // Straight through both faces: 1 - F twice, F = 0.02 for water.
  CHECK(under({0.02f, 1, Interior::clear}) == doctest::Approx(open * 0.98 * 0.98).epsilon(0.03));
}

/// A square of cloth seen straight on, or at `turn` degrees.
MeshObject white_sheet(const Finish& finish, double turn = 0) {
  MeshObject sheet;
  const Transform pose{rotation_degrees({0, Real(turn), 0}), Vec3::zero()};
  for (const Vec3& corner : {Vec3{-4, -4, 0}, Vec3{4, -4, 0}, Vec3{4, 4, 0}, Vec3{-4, 4, 0}})
    sheet.mesh.vertices.push_back(apply(pose, corner));
  sheet.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  sheet.colours = {{1, 1, 1}};
  sheet.finish = finish;
  return sheet;
}

double sheet_brightness(PictureScene scene, const Finish& finish, double turn = 0) {
  scene.meshes.push_back(white_sheet(finish, turn));
  RenderOptions options = square(32, 256);
  options.denoise = false;
  return middle_of(render_picture({}, scene, front(1), options));
}

TEST_CASE("white_cloth_loses_no_light") {
  for (const char* name : {"cloth", "velvet", "matte"}) {
    Finish finish = find_look(name, 1).finish;
    finish.coat = 0;  // whose losses are those of its approximation, tested with balls
    for (const double turn : {0.0, 45.0, 75.0}) {
      const double seen = sheet_brightness(uniform_light(0.7f), finish, turn) / 0.7;
      // The fit to what fibres reflect is good to 0.004, noise of 256 paths in 64 pixels to 0.01.
      CHECK_MESSAGE(seen == doctest::Approx(1).epsilon(0.02), name, " at ", turn);
    }
  }
}

TEST_CASE("a_sheet_lets_its_share_of_light_through") {
  PictureScene behind = uniform_light(0);  // the camera is at z = 5
  behind.lighting.key_direction = {0, 0, -1};
  behind.lighting.key_colour = {1, 1, 1};
  PictureScene before = behind;
  before.lighting.key_direction = {0, 0, 1};
  const Finish chalk{1, 0};
  CHECK(sheet_brightness(before, chalk) == doctest::Approx(1).epsilon(0.02));
  CHECK(sheet_brightness(behind, chalk) == 0);
  Finish thin = chalk;
  thin.through = 0.3f;
  CHECK(sheet_brightness(before, thin) == doctest::Approx(0.7).epsilon(0.02));
  CHECK(sheet_brightness(behind, thin) == doctest::Approx(0.3).epsilon(0.02));
  CHECK(for_particles(thin).through == 0);
}

TEST_CASE("velvet_is_brighter_at_its_rim_than_chalk") {
  PictureScene scene = uniform_light(0);
  scene.lighting.key_direction = {0, 0, 1};
  scene.lighting.key_colour = {1, 1, 1};
  const auto rim_over_middle = [&](const Finish& finish) {
    PictureScene one = scene;
    one.meshes.push_back(white_ball(finish));
    one.meshes[0].colours = {{0.2f, 0.02f, 0.05f}};
    const Image image = render_picture({}, one, front(2), square(64, 64));
    return mean_luminance(image, 58, 61, 30, 34) / middle_of(image);
  };
  CHECK(rim_over_middle(find_look("velvet", 1).finish) > 2 * rim_over_middle({1, 0}));
}

TEST_CASE("the_back_of_a_mesh_has_the_colour_that_it_was_given") {
  for (const bool from_behind : {false, true}) {
    PictureScene scene = uniform_light(1);
    scene.meshes.push_back(white_sheet({1, 0}, from_behind ? 180 : 0));
    scene.meshes[0].back = Colour{0.2f, 0.4f, 0.6f};
    const Image image = render_picture({}, scene, front(1), square(16, 64));
    CHECK(image.at(8, 8)[0] == doctest::Approx(from_behind ? 0.2 : 1.0).epsilon(0.02));
    CHECK(image.at(8, 8)[2] == doctest::Approx(from_behind ? 0.6 : 1.0).epsilon(0.02));
  }
}

TEST_CASE("every_look_has_a_name_and_a_wrong_name_is_told_the_right_one") {
  for (const std::string& name : look_names()) CHECK_NOTHROW(find_look(name, 1));
  CHECK(find_look("wax", 2).finish.depth == doctest::Approx(2 * find_look("wax", 1).finish.depth));
  CHECK(for_particles(find_look("water", 1).finish).interior == Interior::opaque);
  try {
    find_look("wex", 1);
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("wax") != std::string::npos);
  }
}

TEST_CASE("a_field_traced_directly_looks_like_its_fine_mesh") {
  Frame frame;
  std::vector<Vec3> points;
  for (int z = -6; z <= 6; ++z)
    for (int y = -6; y <= 6; ++y)
      for (int x = -6; x <= 6; ++x)
        if (x * x + y * y + z * z < 38)
          points.push_back(Vec3{Real(x), Real(y), Real(z)} * Real(0.1));
  frame.count = points.size();
  frame.columns.push_back(make_frame_column("position", "m", points.data(), points.size()));
  for (const FieldKind kind :
       {FieldKind::blobs, FieldKind::sph, FieldKind::zhu_bridson, FieldKind::anisotropic}) {
    SurfaceOptions options;
    options.field.kind = kind;
    options.field.spacing = Real(0.1);
    options.cell = Real(0.02);
    SurfaceScratch scratch;
    const SurfaceMesh surface = make_surface({}, frame, options, scratch);
    PictureScene as_mesh, as_field;
    as_mesh.meshes.push_back({surface.mesh, {{0.6f, 0.3f, 0.2f}}, true, {}, surface.normals});
    Column<Vec3> x;
    x.resize(points.size());
    std::copy(points.begin(), points.end(), x.begin());
    auto field = std::make_shared<PointField>();
    make_field({}, x, options.field, *field);
    as_field.fields.push_back({field, {{0.6f, 0.3f, 0.2f}}, {}});
    Camera camera = frame_bounds({{-1, -1, -1}, {1, 1, 1}}, three_quarter_direction, 30, 1);
    RenderOptions pixels = square(64, 16);
    pixels.denoise = false;
    const Image a = render_picture({}, as_mesh, camera, pixels);
    const Image b = render_picture({}, as_field, camera, pixels);
    double difference = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
      difference += std::abs(luminance(a.pixels[p]) - luminance(b.pixels[p]));
    // The mesh is off by cell^2 / (8 r) = 1e-4 m, a hundredth of a pixel; the same random numbers
    // are used, so that noise cancels but where a path meets another surface.
    CHECK(difference / static_cast<double>(a.pixels.size()) < 0.006);
  }
}

TEST_CASE("a_lone_drop_is_seen_wherever_it_lies_in_the_grid") {
  for (const FieldKind kind : {FieldKind::zhu_bridson, FieldKind::anisotropic})
    for (const Real off : {Real(0), Real(0.025), Real(0.05), Real(0.07)}) {
      Column<Vec3> x(2);
      x[0] = {off, off, off};
      x[1] = {off + Real(0.5), off, off};
      FieldOptions options;
      options.kind = kind;
      options.spacing = Real(0.1);
      auto field = std::make_shared<PointField>();
      make_field({}, x, options, *field);
      PictureScene scene = uniform_light(1);
      scene.fields.push_back({field, {{1, 1, 1}}, {1, 0}});
      const Image image = render_picture({}, scene, front(Real(1.4)), square(64, 4));
      double covered = 0;
      for (const Colour& c : image.pixels) covered += luminance(c) > 0.5f;
      CHECK_MESSAGE(covered > 10, "offset ", off);
    }
}

// A box that a ray only grazes leaves a span of a rounding or two, with no place between its ends.
TEST_CASE("a_ray_ends_in_a_span_of_few_roundings") {
  Column<Vec3> x(1, Vec3{0, 0, 0});
  FieldOptions options;
  options.kind = FieldKind::zhu_bridson;
  options.spacing = Real(0.1);
  auto field = std::make_shared<PointField>();
  make_field({}, x, options, *field);
  const FieldObject object{field, {{1, 1, 1}}, {}};
  const FieldBoxes boxes = make_field_boxes(object, {Vec3::zero(), 1});
  const Vec3f direction = normalized(Vec3f{0.01f, 0.02f, 1});
  const Ray ray{direction * -1, direction};
  for (std::size_t box = 0; box < boxes.boxes.size(); ++box) {
    const auto hit = intersect(boxes, box, ray);
    if (!hit) continue;
    Ray grazing = ray;
    grazing.near = hit->distance - 1e-6f;
    for (int k = 0; k < 40; ++k) {
      grazing.far = std::nextafter(grazing.near, 2.0f);
      intersect(boxes, box, grazing);  // comes back
      grazing.near = grazing.far;
    }
    return;
  }
  FAIL("the drop was not met");
}
