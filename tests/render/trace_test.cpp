#include "phyxel/render/trace.h"

#include <cstring>
#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/render/colour_map.h"
#include "render/picture_scenes.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

/// Spheres, a mesh, solids and ground: every kind of thing at once.
PictureScene mixed_scene() {
  PictureScene scene;
  const Random random{11, 2};
  SphereSet set;
  set.radii = {Real(0.05)};
  for (int k = 0; k < 300; ++k) {
    set.centres.push_back(random.uniform3(k) + Vec3{Real(-0.5), Real(0.05), Real(-0.5)});
    set.colours.push_back(sample(find_colour_map("turbo"), static_cast<float>(k) / 300));
  }
  scene.spheres.push_back(set);
  MeshObject mesh;
  mesh.mesh = mesh_icosphere(Real(0.3), 2);
  for (Vec3& v : mesh.mesh.vertices) v += Vec3{1, Real(0.3), 0};
  mesh.colours = {body_colour(1)};
  scene.meshes.push_back(mesh);
  ShapeObject box;
  box.shape = shape_box({Real(0.4), Real(0.4), Real(0.4)}, Real(0.02));
  box.pose.translation = {-1, Real(0.2), 0};
  scene.shapes.push_back(box);
  return scene;
}

}  // namespace

TEST_CASE("a_white_chalk_sphere_in_uniform_light_is_as_bright_as_the_light") {
  PictureScene scene = uniform_light(0.7f);
  scene.spheres.push_back(white_sphere(1, {0.5f, 0}));
  RenderOptions options = square(64, 16);
  options.denoise = false;
  const Image image = render_picture({}, scene, front(4), options);
  double area = 0;
  for (const Colour& c : image.pixels) area += luminance(c) / 0.7;
  // Pixels are 1/16 m wide; 16 paths place the edge of each border pixel to about 5 %, and the
  // errors of some 100 border pixels cancel.
  CHECK(area / (16 * 16) == doctest::Approx(M_PI).epsilon(0.003));
  for (int y = 24; y < 40; ++y)
    for (int x = 24; x < 40; ++x)
      CHECK(luminance(image.at(x, y)) == doctest::Approx(0.7).epsilon(1e-4));
}

TEST_CASE("a_lacquered_sphere_in_uniform_light_loses_little") {
  PictureScene scene = uniform_light(1);
  scene.spheres.push_back(white_sphere(1, {0.35f, 1}));
  const Image image = render_picture({}, scene, front(4), square(64, 64));
  const double middle = mean_luminance(image, 24, 40, 24, 40);
  CHECK(middle < 1.01);
  CHECK(middle > 0.9);
}

TEST_CASE("light_from_above_shades_a_sphere_the_same_left_and_right") {
  PictureScene scene = uniform_light(0.3f);
  scene.lighting.key_colour = {1, 1, 1};
  scene.lighting.key_direction = {0, 1, Real(0.5)};
  scene.spheres.push_back(white_sphere(1, {}));
  const Image image = render_picture({}, scene, front(Real(2.2)), square(64, 32));
  const double left = mean_luminance(image, 0, 32, 0, 64);
  CHECK(mean_luminance(image, 32, 64, 0, 64) == doctest::Approx(left).epsilon(0.01));
  CHECK(mean_luminance(image, 20, 44, 4, 16) > 1.5 * mean_luminance(image, 20, 44, 48, 60));
}

TEST_CASE("the_key_light_adds_its_colour_to_a_surface_that_faces_it") {
  PictureScene scene = uniform_light(0);
  scene.ground.visible = true;
  scene.ground.colour = {1, 1, 1};
  scene.lighting.key_direction = {0, 1, 0};
  scene.lighting.key_colour = {0.8f, 0.6f, 0.4f};
  Camera camera;
  camera.position = {0, 5, Real(0.01)};
  RenderOptions options = square(16, 64);
  options.bounces = 0;
  const Image image = render_picture({}, scene, camera, options);
  const Colour c = image.at(8, 8);
  // The ground's faint coat takes 4 % and returns less than 1 % here.
  CHECK(c[0] == doctest::Approx(0.8).epsilon(0.06));
  CHECK(c[1] / c[0] == doctest::Approx(0.75).epsilon(0.02));
  CHECK(c[2] / c[0] == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("a_sphere_darkens_the_ground_it_rests_on") {
  PictureScene scene;
  scene.spheres.push_back(white_sphere(Real(0.5), {}));
  scene.spheres[0].centres = {{0, Real(0.5), 0}};
  Camera camera;
  camera.position = {0, Real(1.5), 4};
  camera.target = {0, Real(0.4), 0};
  scene.lighting = studio_lighting(camera);
  RenderOptions options = square(96, 16);
  const Image image = render_picture({}, scene, camera, options);
  const Vec2 foot = project(camera, 1, {Real(0.12), 0, Real(0.3)});
  const Vec2 open = project(camera, 1, {Real(-1), 0, Real(0.3)});
  const auto at = [&](const Vec2& p) {
    return luminance(
        image.at(static_cast<int>((p[0] + 1) * 48), static_cast<int>((1 - p[1]) * 48)));
  };
  CHECK(at(foot) < 0.6f * at(open));
}

TEST_CASE("the_picture_has_the_same_bits_on_any_number_of_threads") {
  const PictureScene scene = mixed_scene();
  const Camera camera = frame_bounds(bounds_of(scene));
  RenderOptions options;
  options.width = 96;
  options.height = 54;
  options.samples = 4;
  std::vector<Image> images;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    images.push_back(render_picture({}, scene, camera, options));
  }
  const std::size_t bytes = images[0].pixels.size() * sizeof(Colour);
  for (int k : {1, 2})
    CHECK(std::memcmp(images[0].pixels.data(), images[k].pixels.data(), bytes) == 0);
}

TEST_CASE("denoising_keeps_brightness_and_removes_noise") {
  const PictureScene scene = mixed_scene();
  const Camera camera = frame_bounds(bounds_of(scene));
  RenderOptions options;
  options.width = 96;
  options.height = 54;
  options.samples = 256;
  options.denoise = false;
  const Image truth = render_picture({}, scene, camera, options);
  options.samples = 8;
  const Image raw = render_picture({}, scene, camera, options);
  options.denoise = true;
  const Image clean = render_picture({}, scene, camera, options);
  const auto error = [&](const Image& image) {
    double sum = 0;
    for (std::size_t p = 0; p < image.pixels.size(); ++p)
      sum += length_squared(image.pixels[p] - truth.pixels[p]);
    return sum / static_cast<double>(image.pixels.size());
  };
  CHECK(error(clean) < 0.8 * error(raw));
  CHECK(mean_luminance(clean, 0, 96, 0, 54) ==
        doctest::Approx(mean_luminance(truth, 0, 96, 0, 54)).epsilon(0.01));
}

TEST_CASE("far_ground_melts_into_the_background") {
  PictureScene scene;
  scene.spheres.push_back(white_sphere(Real(0.1), {}));
  Camera camera;
  camera.position = {0, Real(0.3), 2};
  camera.field_of_view = 60;
  const Image image = render_picture({}, scene, camera, square(128, 4));
  for (int y = 1; y < 80; ++y)  // across the horizon, a little above the middle
    CHECK(length(image.at(4, y) - image.at(4, y - 1)) < 0.035f);  // no edge the eye would find
}

TEST_CASE("a_scene_without_anything_is_background") {
  PictureScene scene;
  scene.ground.visible = false;
  scene.background = {{0.2f, 0.3f, 0.4f}, {0.2f, 0.3f, 0.4f}};
  const Image image = render_picture({}, scene, Camera{}, square(8, 4));
  for (const Colour& c : image.pixels) CHECK(length(c - scene.background.top) < 1e-6f);
}

TEST_CASE("impossible_pictures_are_refused") {
  const PictureScene scene;
  CHECK_THROWS_AS(render_picture({}, scene, Camera{}, square(0, 4)), InputError);
  CHECK_THROWS_AS(render_picture({}, scene, Camera{}, square(8, 0)), InputError);
  Camera camera;
  camera.position = camera.target;
  CHECK_THROWS_AS(render_picture({}, scene, camera, square(8, 4)), InputError);
}

TEST_CASE("bounds_hold_everything_bounded") {
  PictureScene scene = mixed_scene();
  ShapeObject floor;
  floor.shape = shape_plane({0, 0, 0}, {0, 1, 0});
  scene.shapes.push_back(floor);
  const Bounds b = bounds_of(scene);
  CHECK(b.min[0] == doctest::Approx(-1.2));
  CHECK(b.max[0] == doctest::Approx(1.3).epsilon(0.01));
  CHECK(b.min[1] <= 0);
  CHECK(b.max[1] < 1.2);
}
