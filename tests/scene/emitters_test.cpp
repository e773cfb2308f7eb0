#include "phyxel/scene/emitters.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {
namespace {

constexpr Real spacing = Real(0.02);

/// A tap 10 cm wide in empty space.
std::string tap(const std::string& keys = "speed = 0.5", const std::string& more = "",
                const std::string& method = "sph") {
  return fmt::format(R"(
fps = 20
duration = 1.0
[world]
gravity = [0, 0, 0]
[material.water]
method = "{}"
density = 1000.0
[emitter.tap]
material = "water"
shape = {{ type = "cylinder", centre = [0, 1, 0], radius = 0.05, height = 0.1 }}
spacing = 0.02
{}
{}
)",
                     method, keys, more);
}

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}
void advance_to(World& world, int frame) {
  while (world.frame < frame) advance(world);
}
HostParticles& particles(World& world) {
  return world.methods.front()->particles();
}
double mass(World& world) {
  return diagnose(world).mass;
}

/// Of a layer of the stream, kg.
double layer_mass(const World& world) {
  const Stream& s = world.emissions[0].stream;
  return 1000 * s.area * s.thickness;
}

Vec3d mean_velocity(World& world) {
  const Diagnostics d = diagnose(world);
  return d.momentum / d.mass;
}

Real nearest_pair(const HostParticles& p) {
  Real least = infinity;
  for (Index i = 0; i < p.size(); ++i)
    for (Index j = 0; j < i; ++j) least = std::min(least, length(p.x[i] - p.x[j]));
  return least;
}

}  // namespace

TEST_CASE("as_much_comes_out_as_the_rate_says") {
  World world = world_of(tap("rate = 3e-3"));
  const double at_start = mass(world);
  // The first layer and those that wait behind it.
  CHECK(at_start == doctest::Approx((1 + held_layers) * layer_mass(world)).epsilon(1e-5));
  advance_to(world, 10);
  // Whole layers only.
  CHECK(std::abs(mass(world) - at_start - 1000 * 3e-3 * 0.5) <= 1.001 * layer_mass(world));
}

TEST_CASE("a_stream_keeps_its_speed_and_its_order") {
  World world = world_of(tap());
  advance_to(world, 10);
  const HostParticles& p = particles(world);
  for (Index i = 0; i < p.size(); ++i) {
    // Sound of the liquid is some twenty times faster than what is left of pushing at the ends.
    CHECK(length(p.v[i] - Vec3{0, Real(-0.5), 0}) < Real(0.1));
    const double y = world.environment.origin[1] + double(p.x[i][1]);
    CHECK(y < 1 + 4 * spacing);
    CHECK(y > 1 - 0.25 - 0.05);
  }
  CHECK(nearest_pair(p) > Real(0.8) * spacing);
}

TEST_CASE("a_tap_opens_and_shuts_at_its_times") {
  World world = world_of(tap("speed = 0.5\nstart = 0.13\nstop = 0.31"));
  const double at_start = mass(world);
  advance_to(world, 2);
  CHECK(mass(world) == at_start);
  advance_to(world, 9);
  const double area = world.emissions[0].stream.area;
  CHECK(world.emissions[0].carried == doctest::Approx(0.5 * (0.31 - 0.13)).epsilon(1e-5));
  CHECK(std::abs(mass(world) - at_start - 1000 * area * 0.09) <= 1.001 * layer_mass(world));
  // What was left in the nozzle goes on by itself.
  for (const Vec3& v : particles(world).v) CHECK(v[1] < Real(-0.3));
}

TEST_CASE("events_halt_a_stream_and_change_it") {
  World world = world_of(tap("speed = 0.5", R"(
[[event]]
time = 0.1
set = { "emitter.tap.active" = false }
[[event]]
time = 0.2
set = { "emitter.tap.active" = true, "emitter.tap.speed" = 1.0, "emitter.tap.temperature" = 70 }
)"));
  advance_to(world, 2);
  CHECK(world.emissions[0].carried == doctest::Approx(0.05).epsilon(1e-5));
  advance_to(world, 4);
  CHECK(world.emissions[0].carried == doctest::Approx(0.05).epsilon(1e-5));
  const double warm_before = diagnose(world).max_temperature;
  advance_to(world, 6);
  CHECK(world.emissions[0].carried == doctest::Approx(0.15).epsilon(1e-5));
  CHECK(warm_before == doctest::Approx(20));
  CHECK(diagnose(world).max_temperature == doctest::Approx(70));
}

TEST_CASE("a_moving_nozzle_gives_its_speed_to_what_comes_out") {
  World world =
      world_of(tap("speed = 0.5\nmotion = { times = [0, 1], positions = [[0, 0, 0], [2, 0, 0]] }"));
  advance_to(world, 6);
  const HostParticles& p = particles(world);
  const Vec3d mean = mean_velocity(world);
  CHECK(mean[0] == doctest::Approx(2).epsilon(0.01));
  CHECK(mean[1] == doctest::Approx(-0.5).epsilon(0.02));
  for (Index i = 0; i < p.size(); ++i)  // all of it has moved along with the nozzle
    CHECK(std::abs(world.environment.origin[0] + double(p.x[i][0]) - 0.6) < 0.07);
}

TEST_CASE("all_methods_pour_the_same_stream") {
  for (const char* method : {"lennard_jones", "sph", "mpm", "lattice"}) {
    CAPTURE(method);
    std::string text = tap("speed = 0.5", "", method);
    if (std::string(method) == "lennard_jones")
      text.replace(text.find("density = 1000.0"), 0, "youngs_modulus = 1e5\n");
    World world = world_of(text);
    advance_to(world, 5);
    CHECK(std::abs(mass(world) - 1000 * world.emissions[0].stream.area * 0.125 -
                   (1 + held_layers) * layer_mass(world)) <= 1.001 * layer_mass(world));
    // A thread of lennard_jones contracts by a few percent, back to the nozzle that holds its end.
    const double contraction = std::string(method) == "lennard_jones" ? 0.2 : 0.02;
    CHECK(length(mean_velocity(world) - Vec3d{0, -0.5, 0}) < contraction);
  }
}

TEST_CASE("a_solid_thread_of_a_lattice_is_one_piece") {
  World world = world_of(tap("speed = 0.5", "", "lattice"));
  advance_to(world, 8);
  // It moves as the nozzle pushes it, but for the rounding of some 500 steps through the nozzle, at
  // 1 m: 3e-8 m each, in strain 1e-3, which sound at 30 m/s makes
  // 0.03 m/s, and the free end twice that.
  const Real rounding = sizeof(Real) == 4 ? Real(0.06) : Real(1e-9);
  for (const Vec3& v : particles(world).v) CHECK(length(v - Vec3{0, Real(-0.5), 0}) < rounding);
  HostParticles& p = particles(world);
  const Real up = Real(world.environment.origin[1]);
  for (Index i = 0; i < p.size(); ++i) p.v[i] += Vec3{p.x[i][1] + up - 1, 0, 0};
  world.live.bodies[0].nozzle->active = false;
  const Real before = nearest_pair(p);
  advance_to(world, 10);
  CHECK(nearest_pair(particles(world)) > Real(0.9) * before);
  Real low = 1;  // the end hangs on: it has not flown off
  for (const Vec3& x : particles(world).x) low = std::min(low, x[1] + up);
  CHECK(low > Real(0.75));
}

TEST_CASE("grains_of_a_stream_without_order_fall_one_by_one") {
  // The part of what falls that has another grain at its height, within a hundredth of a spacing.
  const auto in_layers = [](const char* packing) {
    std::string text =
        tap(fmt::format("speed = 0.2\npacking = \"{}\"", packing), "", "mass_interaction");
    text.replace(text.find("[0, 0, 0]"), 9, "[0, -10, 0]");
    text.replace(text.find("density = 1000.0"), 0,
                 "automaton = \"granular\"\nyoungs_modulus = 1e4\n");
    World world = world_of(text);
    advance_to(world, 6);
    const HostParticles& p = particles(world);
    CHECK(nearest_pair(p) > Real(0.95) * spacing);
    int falling = 0, beside = 0;
    for (Index i = 0; i < p.size(); ++i) {
      if (p.pin[i] >= 0) continue;
      ++falling;
      for (Index j = 0; j < p.size(); ++j)
        if (j != i && std::abs(p.x[i][1] - p.x[j][1]) < Real(0.01) * spacing) {
          ++beside;
          break;
        }
    }
    CHECK(falling > 20);
    return double(beside) / falling;
  };
  CHECK(in_layers("closest") > 0.9);
  CHECK(in_layers("poisson") < 0.4);
}

}  // namespace phyxel
