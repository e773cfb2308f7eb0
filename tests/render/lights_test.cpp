#include "phyxel/render/lights.h"

#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/core/timer.h"
#include "phyxel/render/trace.h"
#include "render/picture_scenes.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

std::shared_ptr<Image> uneven_environment() {
  auto image = std::make_shared<Image>(16, 8, Colour{0.2f, 0.2f, 0.2f});
  image->at(5, 2) = {30, 20, 10};
  return image;
}

}  // namespace

TEST_CASE("the_choice_of_environment_directions_has_the_density_it_claims") {
  const auto image = uneven_environment();
  const EnvironmentMap map(*image, 30);
  // The integral of the density over all directions is 1, and so is the mean of f / density for
  // the integral of f: here f = 1, which gives the whole sphere.
  double sphere = 0, total = 0;
  constexpr int n = 20000;
  for (int k = 0; k < n; ++k) {
    Sampler s(7, k, n);
    const Vec2f u = s.next2();
    sphere += 1 / map.density(map.choose(u));
    total += map.density(around_z(1 - 2 * u[0], u[1])) * 4 * M_PI;
  }
  CHECK(sphere / n == doctest::Approx(4 * M_PI).epsilon(0.02));
  CHECK(total / n == doctest::Approx(1).epsilon(0.05));
  CHECK(map.radiance(map.choose({0.5f, 0.5f}))[0] > 5);
}

TEST_CASE("an_even_environment_lights_as_an_even_sky_does") {
  PictureScene scene = uniform_light(0);
  scene.lighting.environment = std::make_shared<Image>(8, 4, Colour{0.7f, 0.7f, 0.7f});
  scene.spheres.push_back(white_sphere(1, {0.5f, 0}));
  RenderOptions options = square(48, 64);
  options.denoise = false;
  const Image image = render_picture({}, scene, front(4), options);
  CHECK(mean_luminance(image, 18, 30, 18, 30) == doctest::Approx(0.7).epsilon(0.01));
}

TEST_CASE("the_bright_side_of_an_environment_lights_that_side_and_turns_with_it") {
  PictureScene scene = uniform_light(0);
  scene.lighting.environment = [] {
    auto image = std::make_shared<Image>(32, 16);
    // u = 1/2 is -z, the camera's forward, and u = 3/4 is +x.
    for (int y = 7; y < 9; ++y) image->at(24, y) = {50, 50, 50};
    return image;
  }();
  scene.spheres.push_back(white_sphere(1, {0.5f, 0}));
  const auto sides = [&](float turn) {
    scene.lighting.environment_turn = turn;
    const Image image = render_picture({}, scene, front(Real(2.2)), square(48, 16));
    return std::pair(mean_luminance(image, 0, 16, 16, 32), mean_luminance(image, 32, 48, 16, 32));
  };
  const auto [left, right] = sides(0);
  CHECK(right > 20 * left);
  const auto [left_turned, right_turned] = sides(180);
  CHECK(left_turned > 20 * right_turned);
}

TEST_CASE("a_panel_lights_the_ground_below_as_its_form_factor_says") {
  PictureScene scene = uniform_light(0);
  scene.ground.visible = true;
  scene.ground.colour = {1, 1, 1};
  Panel panel;
  panel.centre = {0, 1, 0};
  panel.width = panel.height = 2;
  panel.radiance = {0.5f, 0.5f, 0.5f};
  scene.lighting.panels.push_back(panel);
  Camera camera;  // looks at the point below its middle from the side
  camera.position = {0, Real(0.5), Real(2)};
  camera.target = {0, 0, 0};
  camera.field_of_view = 1;
  RenderOptions options = square(32, 64);
  options.bounces = 1;
  const Image image = render_picture({}, scene, camera, options);
  // Four quarters of 1 x 1 m at height 1: F = 4/(2 pi) * 2 * X/sqrt(1+X^2) atan(Y/sqrt(1+X^2)).
  const double quarter = 1 / std::sqrt(2.0) * std::atan(1 / std::sqrt(2.0)) / M_PI;
  // The ground's coat takes some 4 % of the light and mirrors a little of the panel.
  CHECK(mean_luminance(image, 8, 24, 8, 24) == doctest::Approx(0.5 * 4 * quarter).epsilon(0.05));
}

TEST_CASE("ground_that_shows_only_shadows_is_the_background_but_for_them") {
  PictureScene scene;
  scene.ground.shadows_only = true;
  scene.spheres.push_back(white_sphere(Real(0.5), {}));
  scene.spheres[0].centres = {{0, Real(0.5), 0}};
  Camera camera;
  camera.position = {0, 3, 4};
  camera.target = {0, Real(0.2), 0};
  scene.lighting = studio_lighting(camera);
  scene.background = {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}};
  const Image image = render_picture({}, scene, camera, square(96, 64));
  CHECK(mean_luminance(image, 0, 10, 70, 96) == doctest::Approx(0.5).epsilon(0.03));
  const Vec2 foot = project(camera, 1, {Real(0.25), 0, Real(-0.1)});
  const int x = static_cast<int>((foot[0] + 1) * 48), y = static_cast<int>((1 - foot[1]) * 48);
  CHECK(mean_luminance(image, x + 8, x + 12, y - 1, y + 1) < 0.4);
  scene.background.kind = Background::Kind::transparent;
  const Image cut = render_picture({}, scene, camera, square(96, 64));
  REQUIRE(cut.alpha.size() == cut.pixels.size());
  CHECK(cut.alpha[95 * 96 + 2] < 0.03f);
  // Bright light from an environment does not veil open ground either, and exposure is no part of
  // it.
  scene.lighting.environment = std::make_shared<Image>(8, 4, Colour::filled(16));
  scene.lighting.key_colour = Colour::zero();
  const Image bright = render_picture({}, scene, camera, square(96, 64));
  CHECK(bright.alpha[95 * 96 + 2] < 0.06f);
  CHECK(cut.alpha[40 * 96 + 48] > 0.99f);
}

TEST_CASE("a_lens_is_sharp_at_its_focus_and_blurs_what_is_nearer") {
  PictureScene scene = uniform_light(1);
  scene.spheres.push_back(white_sphere(Real(0.2), {0.5f, 0}));
  Camera camera;
  camera.position = {0, 0, 5};
  camera.field_of_view = 10;
  // Pixels neither background nor sphere.
  const auto edge = [&](Real aperture, Real focus) {
    camera.aperture = aperture;
    camera.focus = focus;
    RenderOptions options = square(64, 64);
    options.denoise = false;
    const Image image = render_picture({}, scene, camera, options);
    int count = 0;
    for (const Colour& c : image.pixels) count += luminance(c) > 0.1f && luminance(c) < 0.9f;
    return count;
  };
  const int sharp = edge(0, 0);
  CHECK(edge(Real(0.4), 5) < 1.5 * sharp + 20);
  CHECK(edge(Real(0.4), Real(3)) > 4 * sharp);
}

TEST_CASE("a_time_budget_is_kept_and_used") {
  PictureScene scene;
  scene.spheres.push_back(white_sphere(Real(0.5), {}));
  RenderOptions options = square(32, 1);
  options.seconds = 0.3;
  const double begin = now_seconds();
  const Image image = render_picture({}, scene, front(2), options);
  const double taken = now_seconds() - begin;
  CHECK(taken < 0.6);  // a pass of eight paths and the rest take milliseconds
  CHECK(taken > 0.2);
}
