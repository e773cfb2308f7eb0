#include <cmath>
#include <doctest/doctest.h>

#include "methods/mls/mls_scenes.h"

using namespace phyxel;
using namespace phyxel::mls::test;

// What passes between bodies that touch: forces, torques and heat.

namespace {

/// Two blocks, `gap` apart along x; `keys` of their material, `a` and `b` of the bodies.
World two_blocks(const std::string& head, double gap, const std::string& keys, const std::string& a,
                 const std::string& b) {
  const double centre = 0.15 + gap / 2;
  return world_of(fmt::format(R"(
fps = 50
{}
[world]
gravity = [0, 0, 0]
[material.m]
method = "mls"
density = 1000.0
youngs_modulus = 1e5
{}
[body.a]
material = "m"
shape = {{ type = "box", centre = [{}, 0, 0], size = [0.3, 0.2, 0.2] }}
packing = "cubic"
spacing = 0.05
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [{}, 0, 0], size = [0.3, 0.2, 0.2] }}
packing = "cubic"
spacing = 0.05
{}
)",
                              head, keys, -centre, a, centre, b));
}

double mean_temperature(World& world, Index body) {
  const HostParticles& p = method_of(world).particles();
  double sum = 0, count = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (p.body[i] == body) sum += p.temperature[i], ++count;
  return sum / count;
}

}  // namespace

TEST_CASE("bodies_that_rub_and_bounce_off_keep_both_momenta_to_rounding") {
  for (const std::string head : {"", "dimensions = 2"})
    for (const double friction : {0.0, 0.8}) {
      CAPTURE(head);
      CAPTURE(friction);
      // They slide along each other as they meet, and the friction turns both.
      World world = two_blocks(head, 0.02, fmt::format("friction = {}", friction),
                               "velocity = [1, 1, 0]", "velocity = [-1, -1, 0]");
      const Diagnostics before = look(world);
      for (int frame = 0; frame < 15; ++frame) advance(world);
      const Diagnostics after = look(world);
      const double size = 0.2, scale = before.mass * 1.5;
      // As of free bodies (solver_test.cpp): some 500 steps.
      const double rounding = 1e-5;
      CHECK(length(after.momentum - before.momentum) < rounding * scale);
      CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale * size);
      CHECK(length(before.angular_momentum) > 0.1 * scale * size);
      // They have met, and rubbed.
      CHECK(after.kinetic_energy + after.potential_energy < 0.95 * before.kinetic_energy);
    }
}

TEST_CASE("heat_passes_between_bodies_that_touch_and_not_through_a_gap") {
  const std::string keys = "conductivity = 50.0\nspecific_heat = 10.0\nfriction = 0.0";
  for (const double gap : {0.0, 0.1}) {
    CAPTURE(gap);
    World world = two_blocks("", gap, keys, "temperature = 100.0", "temperature = 0.0");
    for (int frame = 0; frame < 100; ++frame) advance(world);
    const double hot = mean_temperature(world, 0), cold = mean_temperature(world, 1);
    CHECK(hot + cold == doctest::Approx(100).epsilon(1e-4));
    // Two half spaces: q = k dT / sqrt(pi a t) / 2 each side, a = 5e-3 m^2/s, over 2 s; the ends of
    // the blocks are not felt much before. The contact has the resistance of half a spacing or so.
    if (gap == 0)
      CHECK(cold > 10);
    else
      CHECK(cold == 0);
    CHECK(cold < 35);
  }
}
