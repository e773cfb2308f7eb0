#include "phyxel/render/sampling.h"

#include <doctest/doctest.h>
#include <set>

#include "phyxel/render/reflection.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

constexpr float pi = static_cast<float>(M_PI);

/// Directions of the upper half sphere with equal solid angles, 2 pi / n each.
template <class F>
double integrate_half_sphere(int n, F&& f) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    Sampler sampler(99, k, n);
    const Vec2f u = sampler.next2();
    sum += f(around_z(u[0], u[1]));
  }
  return sum * 2 * pi / n;
}

Vec3f toward_viewer(float degrees) {
  return {std::sin(degrees * pi / 180), 0, std::cos(degrees * pi / 180)};
}

}  // namespace

TEST_CASE("sixteen_paths_fill_every_sixteenth_of_the_square_once") {
  for (std::uint32_t pixel = 0; pixel < 50; ++pixel)
    for (const int columns : {1, 2, 4, 8, 16}) {
      std::set<int> cells;
      for (std::uint32_t path = 0; path < 16; ++path) {
        Sampler sampler(hash(pixel), path, 16);
        sampler.next2();
        const Vec2f u = sampler.next2();
        const int rows = 16 / columns;
        cells.insert(static_cast<int>(u[0] * columns) * rows + static_cast<int>(u[1] * rows));
      }
      CHECK(cells.size() == 16);
    }
}

TEST_CASE("pixels_and_dimensions_get_different_numbers") {
  Sampler a(1, 0, 16), b(2, 0, 16);
  const Vec2f first = a.next2(), other = b.next2(), second = a.next2();
  CHECK_FALSE(first == other);
  CHECK_FALSE(first == second);
}

TEST_CASE("a_basis_is_orthonormal_for_every_normal") {
  for (int k = 0; k < 500; ++k) {
    Sampler sampler(5, k, 500);
    const Vec2f u = sampler.next2();
    const Basis b(around_z(2 * u[0] - 1, u[1]));
    CHECK(length(b.tangent) == doctest::Approx(1).epsilon(1e-5));
    CHECK(std::abs(dot(b.tangent, b.normal)) < 1e-5f);
    CHECK(length(cross(b.tangent, b.bitangent) - b.normal) < 1e-5f);
    const Vec3f v{0.3f, -0.2f, 0.9f};
    CHECK(length(b.to_world(b.to_local(v)) - v) < 1e-5f);
  }
}

TEST_CASE("the_density_of_reflected_directions_is_that_of_their_samples") {
  for (const float degrees : {10.0f, 50.0f, 75.0f})
    for (const float roughness : {0.3f, 0.5f, 0.9f}) {
      CAPTURE(degrees);
      CAPTURE(roughness);
      const Reflector r({0.3f, 0.5f, 0.7f}, {roughness, 1});
      const Vec3f out = toward_viewer(degrees);
      const int n = 1 << 15;
      const double total =
          integrate_half_sphere(n, [&](const Vec3f& in) { return reflection_density(r, out, in); });
      int above = 0, in_front = 0;
      for (int k = 0; k < n; ++k) {
        Sampler sampler(3, k, n);
        const Vec3f in = sample_reflection(r, out, sampler.next2());
        above += in[2] > 0;
        in_front += in[2] > 0 && in[0] > 0;
      }
      const double front = integrate_half_sphere(
          n, [&](const Vec3f& in) { return in[0] > 0 ? reflection_density(r, out, in) : 0.0f; });
      // 32768 well spread points: a hundredth covers their error with room.
      CHECK(above / double(n) == doctest::Approx(total).epsilon(0.01));
      CHECK(in_front / double(n) == doctest::Approx(front).epsilon(0.01));
    }
}

TEST_CASE("a_surface_never_returns_more_light_than_it_gets") {
  for (const float degrees : {0.0f, 30.0f, 60.0f, 85.0f})
    for (const float roughness : {0.2f, 0.35f, 0.6f, 1.0f}) {
      CAPTURE(degrees);
      CAPTURE(roughness);
      const Reflector white({1, 1, 1}, {roughness, 1});
      const double returned = integrate_half_sphere(1 << 15, [&](const Vec3f& in) {
        return reflect_light(white, toward_viewer(degrees), in)[1];
      });
      CHECK(returned < 1.03);  // the coat's share is exact only on average over roughness
      CHECK(returned > 0.75);  // light that would bounce twice within the coat is lost
    }
}

TEST_CASE("reflection_works_the_same_both_ways") {
  const Reflector r({0.4f, 0.4f, 0.4f}, {0.4f, 1});
  const Vec3f a = toward_viewer(20), b = around_z(0.4f, 0.3f);
  const float ab = reflect_light(r, a, b)[0] / b[2], ba = reflect_light(r, b, a)[0] / a[2];
  CHECK(ab == doctest::Approx(ba).epsilon(1e-4));
}
