#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/core/threads.h"
#include "phyxel/render/ray_scene.h"
#include "render/picture_scenes.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

const PictureUnits plain;  // world units are picture units

/// Adds a disc of half axes of length `radius`, turned at random about its normal.
void add_disc(SurfelSet& set, const Vec3& x, const Vec3& normal, Real radius) {
  const Vec3 across = std::abs(normal[0]) < Real(0.6) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = normalized(cross(normal, across)), v = cross(normal, u);
  const Real turn = Random{7, 7}.uniform3(static_cast<int>(set.centres.size()))[0] * 6;
  set.centres.push_back(x);
  set.u.push_back((u * std::cos(turn) + v * std::sin(turn)) * radius);
  set.v.push_back((v * std::cos(turn) - u * std::sin(turn)) * radius);
}

/// Surfels on a sphere along a spiral, each moved at random by a third of their spacing, with
/// radii of one spacing.
SurfelSet sphere_of_surfels(int count, Real radius) {
  SurfelSet set;
  const Random random{3, 5};
  const Real spacing = radius * std::sqrt(Real(4 * M_PI) / static_cast<Real>(count));
  for (int k = 0; k < count; ++k) {
    const Real z = 1 - (2 * Real(k) + 1) / Real(count), turn = Real(k) * Real(2.39996323);
    const Vec3 n{std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z};
    const Vec3 moved = (random.uniform3(k) - Vec3::filled(Real(0.5))) * (2 * spacing / 3 / radius);
    add_disc(set, normalized(n + moved) * radius, normalized(n + moved), spacing);
  }
  set.colours = {{0.5f, 0.5f, 0.5f}};
  return set;
}

PictureScene empty_scene() {
  PictureScene scene;
  scene.ground.visible = false;
  return scene;
}

/// Parallel rays towards -z, over a square of edge 2.
Ray ray_down(int k) {
  const Vec3 at = Random{9, 2}.uniform3(k) * Real(2) - Vec3::filled(1);
  return {cast<float>(Vec3{at[0], at[1], 3}), {0, 0, -1}};
}

PictureScene lit(PictureScene scene) {
  scene.lighting.key_direction = {Real(0.4), Real(0.5), 1};
  return scene;
}

}  // namespace

TEST_CASE("a_sphere_of_surfels_has_the_normals_of_the_sphere") {
  constexpr float radius = 0.8f;
  PictureScene scene = empty_scene();
  scene.surfels.push_back(sphere_of_surfels(3000, radius));
  const RayScene rays(scene, plain);
  // A disc is 0.065 radii wide: without blending normals would be up to 3.7 degrees off.
  double worst = 0, sum = 0;
  int hits = 0;
  for (int k = 0; k < 4000; ++k) {
    const Ray ray = ray_down(k);
    const float r = std::hypot(ray.origin[0], ray.origin[1]);
    const auto hit = rays.intersect(ray);
    CAPTURE(r);
    // Discs are tangent planes: they touch the sphere from outside, by 0.2 % at their borders.
    if (r < 0.995f * radius) REQUIRE(hit);
    if (r > 1.005f * radius) REQUIRE(!hit);
    if (r > 0.98f * radius) continue;
    const double angle =
        std::acos(std::min(1.0, double(dot(hit->normal, normalized(hit->point))))) * 180 / M_PI;
    worst = std::max(worst, angle);
    sum += angle;
    ++hits;
    CHECK(length(hit->point) == doctest::Approx(radius).epsilon(0.002));
  }
  MESSAGE("normals: mean ", sum / hits, ", at worst ", worst, " degrees off");
  CHECK(sum / hits < 0.2);
  CHECK(worst < 1.0);
}

TEST_CASE("light_that_leaves_a_sphere_of_surfels_does_not_meet_it_again") {
  PictureScene scene = empty_scene();
  scene.surfels.push_back(sphere_of_surfels(3000, Real(0.8)));
  const RayScene rays(scene, plain);
  const Random random{4, 4};
  int shadowed = 0, leaving = 0;
  for (int k = 0; k < 4000; ++k) {
    const auto hit = rays.intersect(ray_down(k));
    if (!hit || hit->normal[2] < 0.2f) continue;
    const Vec3f to = normalized(cast<float>(random.uniform3(k) - Vec3::filled(Real(0.5))));
    if (dot(to, hit->normal) < 0.05f) continue;
    ++leaving;
    shadowed += rays.occluded({hit->point + hit->normal * hit->offset, to});
    CHECK(rays.occluded({hit->point - hit->normal * 0.1f, -to}) == false);  // from within
  }
  CHECK(leaving > 500);
  CHECK(shadowed == 0);
}

TEST_CASE("a_picture_of_surfels_is_that_of_the_sphere") {
  PictureScene surfels = lit(uniform_light(0.4f)), exact = surfels;
  surfels.surfels.push_back(sphere_of_surfels(3000, 1));
  SphereSet sphere = white_sphere(1, {});
  sphere.colours = surfels.surfels[0].colours;
  exact.spheres.push_back(sphere);
  const RenderOptions options = square(96, 16);
  const Image a = render_picture({}, surfels, front(Real(2.4)), options),
              b = render_picture({}, exact, front(Real(2.4)), options);
  double difference = 0, total = 0;
  for (std::size_t p = 0; p < a.pixels.size(); ++p) {
    difference += std::abs(luminance(a.pixels[p]) - luminance(b.pixels[p]));
    total += luminance(b.pixels[p]);
  }
  MESSAGE("mean difference ", difference / total);
  // Other paths hit at other places: noise left after 16 paths is about 1 %.
  CHECK(difference / total < 0.02);
}

TEST_CASE("a_gap_between_surfels_does_not_show_what_is_behind_the_body") {
  PictureScene scene = empty_scene();
  const SurfelSet whole = sphere_of_surfels(3000, 1);
  SurfelSet& set = scene.surfels.emplace_back();
  set.colours = whole.colours;
  for (std::size_t i = 0; i < whole.centres.size(); ++i) {
    if (length(whole.centres[i] - Vec3{0, 0, 1}) < Real(0.2)) continue;
    set.centres.push_back(whole.centres[i]);
    set.u.push_back(whole.u[i]);
    set.v.push_back(whole.v[i]);
  }
  const auto hit = RayScene(scene, plain).intersect({{0, 0, 3}, {0, 0, -1}});
  REQUIRE(hit);
  CHECK(hit->distance == doctest::Approx(4).epsilon(0.005));  // the far side, from within
  CHECK(hit->normal[2] > 0.99f);
}

TEST_CASE("surfels_keep_their_colours") {
  PictureScene scene = empty_scene();
  SurfelSet set = sphere_of_surfels(3000, 1);
  set.colours.clear();
  const Colour left{0.8f, 0.1f, 0.1f}, right{0.1f, 0.2f, 0.9f};
  for (const Vec3& x : set.centres) set.colours.push_back(x[0] < 0 ? left : right);
  scene.surfels.push_back(set);
  const RayScene rays(scene, plain);
  for (int k = 0; k < 500; ++k) {
    const Ray ray = ray_down(k);
    const auto hit = rays.intersect(ray);
    if (!hit || std::abs(ray.origin[0]) < 0.1f) continue;  // a disc is 0.065 wide
    const Colour& wanted = ray.origin[0] < 0 ? left : right;
    for (int c = 0; c < 3; ++c) CHECK(hit->albedo[c] == doctest::Approx(wanted[c]).epsilon(1e-5));
  }
}

TEST_CASE("an_edge_of_surfels_ends_where_the_body_ends") {
  // Two faces of a box: above, and to the side of the viewer's right, where x = 0.5.
  SurfelSet set;
  constexpr Real spacing = Real(0.05);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) {
      const Real a = (Real(i) + Real(0.5)) * spacing - Real(0.5), b = Real(j) * spacing - Real(0.5);
      add_disc(set, {a, b, Real(0.5)}, {0, 0, 1}, spacing);
      add_disc(set, {Real(0.5), b, a}, {1, 0, 0}, spacing);
    }
  set.colours = {{1, 1, 1}};
  PictureScene scene = empty_scene();
  scene.surfels.push_back(set);
  const RayScene rays(scene, plain);
  // From the left, so that the face to the right is seen from behind where it juts out.
  const Vec3f direction = normalized(Vec3f{0.6f, 0, -1});
  const auto at = [&](float x, float y) {
    return rays.intersect({Vec3f{x, y, 0.5f} - direction, direction}).has_value();
  };
  for (const float y : {-0.3f, 0.013f, 0.21f}) {
    CHECK(at(0.49f, y));
    CHECK(!at(0.515f, y));
  }
}

TEST_CASE("an_open_sheet_of_surfels_is_seen_and_keeps_light_off_from_both_sides") {
  PictureScene scene = empty_scene();
  SurfelSet set;
  for (int i = -10; i <= 10; ++i)
    for (int j = -10; j <= 10; ++j)
      add_disc(set, {Real(i) * Real(0.05), Real(j) * Real(0.05), 0}, {0, 0, -1}, Real(0.05));
  set.colours = {{1, 1, 1}};
  set.closed = false;
  scene.surfels = {set};
  const RayScene open(scene, plain);
  const auto hit = open.intersect({{0.1f, 0.1f, 1}, {0, 0, -1}});
  REQUIRE(hit);
  CHECK(hit->normal[2] == doctest::Approx(1).epsilon(1e-6));
  const Ray from_behind{{0.1f, 0.1f, 1}, {0, 0, -1}};
  CHECK(open.occluded(from_behind));
  scene.surfels[0].closed = true;  // around a body, whose other side is met first
  CHECK(!RayScene(scene, plain).occluded(from_behind));
}

TEST_CASE("pictures_of_surfels_have_the_same_bits_on_any_number_of_threads") {
  PictureScene scene = lit(uniform_light(0.4f));
  scene.ground.visible = true;
  scene.surfels.push_back(sphere_of_surfels(1000, 1));
  scene.surfels.push_back(sphere_of_surfels(500, Real(0.5)));
  for (Vec3& x : scene.surfels[1].centres) x += Vec3{Real(1.2), 0, 0};
  scene.surfels[1].finish.interior = Interior::translucent;
  scene.surfels[1].finish.depth = Real(0.02);
  std::vector<Image> images;
  for (int threads = 1; threads <= 4; ++threads) {
    const ThreadLimit limit(threads);
    images.push_back(render_picture({}, scene, front(3), square(48, 4)));
  }
  for (const Image& image : images)
    CHECK(std::memcmp(image.pixels.data(), images[0].pixels.data(),
                      image.pixels.size() * sizeof(Colour)) == 0);
}
