#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

Method& method_of(World& world) {
  return *world.methods.front();
}

/// Mean of x over the particles between two places of the start, which ids remember.
struct Section {
  std::vector<ParticleId> ids;
};
Section section(World& world, double from, double to) {
  const HostParticles& p = method_of(world).particles();
  Section s;
  for (Index i = 0; i < p.size(); ++i) {
    const double x = world.environment.origin[0] + double(p.x[i][0]);
    if (x > from && x < to) s.ids.push_back(p.id[i]);
  }
  return s;
}
double mean_x(World& world, const Section& s) {
  const HostParticles& p = method_of(world).particles();
  std::vector<bool> is_in(p.x.size());
  for (const ParticleId id : s.ids) is_in[id] = true;
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (is_in[p.id[i]]) sum += p.x[i][0];
  return world.environment.origin[0] + sum / double(s.ids.size());
}

}  // namespace

/// A bar held at one end is pulled along itself by its own weight: stress rho g (L - x), so that
/// two sections at x1 and x2 part by rho g / E (L (x2 - x1) - (x2^2 - x1^2) / 2).
TEST_CASE("a_pulled_bar_stretches_as_youngs_modulus_says") {
  const double e = 1e5, density = 1000, g = 4, length = 1;
  for (const double spacing : {0.1, 0.06}) {
    CAPTURE(spacing);
    World world = build(parse_scene(fmt::format(R"(
fps = 100
[world]
gravity = [{}, 0, 0]
[material.m]
method = "lattice"
density = {:.1f}
youngs_modulus = {:.1f}
poissons_ratio = 0.3
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.5, 0, 0], size = [1, 0.3, 0.3] }}
spacing = {}
[pin.p]
body = "b"
shape = {{ type = "box", centre = [0, 0, 0], size = [0.2, 1, 1] }}
)",
                                                g, density, e, spacing),
                                    "test"));
    const Section near = section(world, 0.25, 0.4), far = section(world, 0.7, 0.85);
    const double x1 = mean_x(world, near), x2 = mean_x(world, far);
    // It swings about its rest: the mean over whole periods, 4 (L - 0.1) / c, weighed by a bell.
    const double period = 4 * (length - 0.1) / std::sqrt(e / density);
    const int frames = static_cast<int>(std::lround(3 * period * 100));
    double sum = 0, weights = 0;
    for (int frame = 1; frame < frames; ++frame) {
      advance(world);
      const double weight = 1 - std::cos(2 * 3.14159265358979 * frame / frames);
      sum += weight * (mean_x(world, far) - mean_x(world, near));
      weights += weight;
    }
    const double stretch = sum / weights - (x2 - x1);
    const double expected = density * g / e * (length * (x2 - x1) - (x2 * x2 - x1 * x1) / 2);
    CHECK(stretch == doctest::Approx(expected).epsilon(0.05));
  }
}

/// A free bar rings along itself with the period 2 L sqrt(rho / E).
TEST_CASE("a_free_bar_rings_at_its_pitch") {
  const double e = 1e5, density = 1000;
  World world = build(parse_scene(fmt::format(R"(
fps = 500
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
density = {:.1f}
youngs_modulus = {:.1f}
[body.b]
material = "m"
shape = {{ type = "box", size = [1, 0.2, 0.2] }}
spacing = 0.05
)",
                                              density, e),
                                  "test"));
  HostParticles& p = method_of(world).particles();
  std::vector<double> shape(p.x.size());
  for (Index i = 0; i < p.size(); ++i) {
    shape[p.id[i]] = std::sin(3.14159265358979 * p.x[i][0]);
    p.v[i][0] = Real(0.1 * shape[p.id[i]]);
  }
  const auto amplitude = [&] {
    const HostParticles& q = method_of(world).particles();
    double sum = 0;
    for (Index i = 0; i < q.size(); ++i) sum += shape[q.id[i]] * q.v[i][0];
    return sum;
  };
  double before = amplitude(), crossing = 0;
  int crossings = 0;
  for (int frame = 1; crossings < 5 && frame < 500; ++frame) {
    advance(world);
    const double now = amplitude();
    if (before * now < 0) {
      ++crossings;
      crossing = (frame - now / (now - before)) / 500;
    }
    before = now;
  }
  // The fifth crossing is after 9 quarters; 2 % in time are 4 % in Young's modulus.
  CHECK(crossing * 4 / 9 == doctest::Approx(2 * std::sqrt(density / e)).epsilon(0.02));
}

/// A bar is cut in two, and after a while its halves are put together again and leave each other.
TEST_CASE("halves_of_a_broken_bar_stay_two_and_join_where_nothing_breaks") {
  for (const bool breaks : {true, false}) {
    CAPTURE(breaks);
    World world = build(parse_scene(fmt::format(R"(
fps = 100
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
youngs_modulus = 1e5
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [0.6, 0.2, 0.2] }}
spacing = 0.05
)",
                                                breaks ? "docking_rate = 1e3" : ""),
                                    "test"));
    std::vector<bool> is_right(method_of(world).particles().x.size());
    {
      const HostParticles& p = method_of(world).particles();
      for (Index i = 0; i < p.size(); ++i) is_right[p.id[i]] = p.x[i][0] > Real(0.01);
    }
    const auto part = [&](Real distance, Real speed) {
      HostParticles& p = method_of(world).particles();
      for (Index i = 0; i < p.size(); ++i) {
        const bool right = is_right[p.id[i]];
        p.x[i][0] += right ? distance : 0;
        p.v[i][0] = right ? speed : -speed;
      }
    };
    const auto apart = [&] {
      const HostParticles& p = method_of(world).particles();
      double sum[2] = {0, 0}, count[2] = {0, 0};
      for (Index i = 0; i < p.size(); ++i) {
        sum[is_right[p.id[i]]] += p.x[i][0];
        ++count[is_right[p.id[i]]];
      }
      return sum[1] / count[1] - sum[0] / count[0];
    };
    const double whole = apart();
    part(Real(0.2), 0);
    for (int frame = 0; frame < 5; ++frame) advance(world);
    part(Real(-0.2), 0);
    for (int frame = 0; frame < 2; ++frame) advance(world);
    part(0, Real(0.2));
    for (int frame = 0; frame < 30; ++frame) advance(world);
    // 0.2 m/s for 0.3 s is 0.06 m each; joined halves swing back.
    CHECK((apart() - whole > 0.08) == breaks);
  }
}

/// Halves that leave each other at 1 m/s pull at their joint with density c v = 10 kPa.
TEST_CASE("a_bar_pulled_above_its_strength_breaks") {
  for (const bool breaks : {true, false}) {
    CAPTURE(breaks);
    World world = build(parse_scene(fmt::format(R"(
fps = 100
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
youngs_modulus = 1e5
strength = {}
[body.b]
material = "m"
shape = {{ type = "box", size = [0.6, 0.2, 0.2] }}
spacing = 0.05
)",
                                                breaks ? "3e3" : "3e4"),
                                    "test"));
    HostParticles& p = method_of(world).particles();
    for (Index i = 0; i < p.size(); ++i)
      p.v[i][0] = p.x[i][0] > Real(0.01) ? Real(0.5) : Real(-0.5);
    for (int frame = 0; frame < 50; ++frame) advance(world);
    double low = 1, high = -1;
    for (const Vec3& x : method_of(world).particles().x)
      low = std::min<double>(low, x[0]), high = std::max<double>(high, x[0]);
    // Each would have gone 0.25 m; the whole bar is never a tenth longer than 0.6 m.
    CHECK((high - low > 0.8) == breaks);
  }
}

/// A bar whose temperature is a half wave along it: that of the insulated bar decays by
/// exp(-pi^2 k t / (rho c L^2)).
TEST_CASE("heat_levels_out_as_conductivity_says_and_none_is_lost") {
  World world = build(parse_scene(R"(
fps = 10
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
density = 1000.0
youngs_modulus = 1e4
conductivity = 2000.0
specific_heat = 100.0
[body.b]
material = "m"
shape = { type = "box", size = [1, 0.2, 0.2] }
spacing = 0.05
)",
                                  "test"));
  HostParticles& p = method_of(world).particles();
  double low = 1, high = -1, before = 0;
  for (const Vec3& x : p.x) low = std::min<double>(low, x[0]), high = std::max<double>(high, x[0]);
  // Ends lie half a layer beyond the last particles; layers are spacing / sqrt(2) apart.
  const double length = high - low + 0.05 / std::sqrt(2.0), pi = 3.14159265358979;
  std::vector<double> shape(p.x.size());
  for (Index i = 0; i < p.size(); ++i) {
    shape[p.id[i]] = std::sin(pi * p.x[i][0] / length);
    p.temperature[i] = Real(20 + 10 * shape[p.id[i]]);
    before += p.temperature[i];
  }
  for (int frame = 0; frame < 5; ++frame) advance(world);
  const HostParticles& q = method_of(world).particles();
  double wave = 0, norm = 0, after = 0;
  for (Index i = 0; i < q.size(); ++i) {
    wave += shape[q.id[i]] * (q.temperature[i] - 20);
    norm += shape[q.id[i]] * shape[q.id[i]];
    after += q.temperature[i];
  }
  const double decay = std::exp(-pi * pi * 2000 / (1000 * 100) * 0.5 / (length * length));
  // Particles at the ends have fewer neighbours to lose heat to.
  CHECK(wave / norm / 10 == doctest::Approx(decay).epsilon(0.02));
  CHECK(decay < 0.95);
  CHECK(after == doctest::Approx(before).epsilon(1e-6));
}

namespace {

/// A ball of 4 kg that takes heat as `keys` say, for 1 s; `more` is what is around it.
double mean_warming(const std::string& keys, const std::string& more = "",
                    const std::string& world_keys = "") {
  World world = build(parse_scene(R"(
fps = 10
[world]
gravity = [0, 0, 0]
)" + world_keys + R"(
[material.m]
method = "lattice"
density = 1000.0
youngs_modulus = 1e4
specific_heat = 100.0
)" + keys + R"(
[body.b]
material = "m"
shape = { type = "sphere", radius = 0.1 }
spacing = 0.02
)" + more,
                                  "test"));
  for (int frame = 0; frame < 10; ++frame) advance(world);
  double sum = 0;
  const HostParticles& p = method_of(world).particles();
  for (const Real t : p.temperature) sum += t;
  return sum / p.size() - 20;
}

}  // namespace

TEST_CASE("heat_comes_from_within_from_walls_and_from_the_air") {
  // 500 W/kg over 100 J/(kg K).
  CHECK(mean_warming("heating = 500.0\n") == doctest::Approx(5).epsilon(1e-3));
  CHECK(mean_warming("heating = -500.0\n") == doctest::Approx(-5).epsilon(1e-3));
  // Air that is 1000 degrees warmer warms the ball by h A dT / (m c) = h 3 / (r rho c) dT = 3 h /
  // 10, slowly enough that it stays near 20 itself. Its area comes from 5 particles along a radius:
  // a tenth.
  CHECK(mean_warming("convection = 10.0\nconductivity = 1000.0\n", "",
                     "air_temperature = 1020.0\n") == doctest::Approx(3).epsilon(0.1));
  CHECK(mean_warming("convection = 10.0\n", "", "air_temperature = 20.0\n") == doctest::Approx(0));
}

TEST_CASE("a_pin_keeps_the_temperature_of_what_it_holds") {
  const std::string pin = R"(
[pin.p]
body = "b"
shape = { type = "sphere", radius = 0.05 }
temperature = 120.0
)";
  // A core of half the radius is an eighth of the ball; without conduction nothing else is warmed.
  CHECK(mean_warming("heating = 1e-6\n", pin) == doctest::Approx(100 / 8.0).epsilon(0.15));
  CHECK(mean_warming("conductivity = 1e5\n", pin) == doctest::Approx(100).epsilon(0.02));
}

TEST_CASE("a_flux_through_a_wall_warms_what_lies_on_it") {
  World world = build(parse_scene(R"(
fps = 10
[material.m]
method = "lattice"
density = 1000.0
youngs_modulus = 1e5
damping = 50.0
specific_heat = 100.0
conductivity = 1e4
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.11, 0], size = [0.4, 0.2, 0.4] }
spacing = 0.04
[collider.plate]
shape = { type = "plane" }
heat_flux = 2e4
)",
                                  "test"));
  for (int frame = 0; frame < 10; ++frame) advance(world);
  double sum = 0;
  const HostParticles& p = method_of(world).particles();
  int lowest = 0;
  for (Index i = 0; i < p.size(); ++i) sum += p.temperature[i], lowest += p.x[i][1] < Real(0.03);
  REQUIRE(lowest > 0);
  // Each particle of the lowest layer stands for a square of its spacing.
  const double power = 2e4 * lowest * 0.04 * 0.04, heat = 100 * double(p.mass[0]) * p.size();
  CHECK(sum / p.size() - 20 == doctest::Approx(power / heat).epsilon(0.05));
}

namespace {

int liquid_particles(World& world) {
  int count = 0;
  for (const ColumnView& view : method_of(world).columns())
    if (view.name == "phase")
      for (std::size_t i = 0; i < view.count; ++i)
        count += static_cast<const std::uint8_t*>(view.data)[i];
  return count;
}

void set_temperature(World& world, Real temperature) {
  for (Real& t : method_of(world).particles().temperature) t = temperature;
}

}  // namespace

TEST_CASE("a_block_melts_and_freezes_again_with_both_momenta_and_its_size") {
  World world = build(parse_scene(R"(
fps = 50
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
youngs_modulus = 1e5
melting_temperature = 30.0
melting_rate = 1.0
freezing_rate = 1.0
sound_speed = 10.0
[body.b]
material = "m"
shape = { type = "box", size = [0.3, 0.3, 0.3] }
spacing = 0.05
angular_velocity = [0, 0, 60]
temperature = 20.0
)",
                                  "test"));
  const auto look = [&] { return method_of(world).diagnostics(world.environment); };
  const auto size = [&] {
    double sum = 0;
    for (const Vec3& x : method_of(world).particles().x) sum += length_squared(x);
    return std::sqrt(sum / double(method_of(world).particles().size()));
  };
  const Diagnostics before = look();
  const double start = size();
  advance(world);
  CHECK(liquid_particles(world) == 0);
  set_temperature(world, 50);
  for (int frame = 0; frame < 5; ++frame) advance(world);
  const int melted = liquid_particles(world);
  CHECK(melted > 0.5 * double(before.particles));
  CHECK(melted < double(before.particles));
  set_temperature(world, 10);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  CHECK(liquid_particles(world) < 0.05 * double(before.particles));
  const Diagnostics after = look();
  const double scale = before.mass * before.max_speed;
  // As for solids: every step rounds, and forces are larger than what they leave.
  const double rounding = 100 * std::numeric_limits<Real>::epsilon();
  CHECK(length(after.momentum - before.momentum) < rounding * scale);
  CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale * 0.2);
  // Edges that cubes have are a few percent of their size; nothing flies away.
  CHECK(size() == doctest::Approx(start).epsilon(0.05));
  CHECK(after.max_speed < 3 * before.max_speed);
}

TEST_CASE("two_blocks_that_melt_into_each_other_freeze_where_they_are") {
  World world = build(parse_scene(R"(
fps = 50
[world]
walls = "closed"
[world.domain]
min = [-0.15, 0, -0.15]
max = [0.15, 0.5, 0.15]
[material.m]
method = "lattice"
youngs_modulus = 1e5
damping = 50.0
melting_temperature = 30.0
melting_rate = 0.2
freezing_rate = 2.0
viscosity = 2.0
[body.a]
material = "m"
shape = { type = "box", centre = [-0.065, 0.13, 0], size = [0.125, 0.25, 0.25] }
spacing = 0.035
temperature = 50.0
[body.b]
material = "m"
shape = { type = "box", centre = [0.065, 0.13, 0], size = [0.125, 0.25, 0.25] }
spacing = 0.035
temperature = 50.0
)",
                                  "test"));
  const auto look = [&] { return method_of(world).diagnostics(world.environment); };
  const double fall = look().mass * 9.81 * 0.25;
  for (int frame = 0; frame < 40; ++frame) advance(world);
  const Diagnostics liquid = look();
  CHECK(liquid_particles(world) > 0.9 * double(liquid.particles));
  set_temperature(world, 10);
  // Objects touch where they froze, though that be nearer than a spacing: nothing is set in motion.
  for (int frame = 0; frame < 10; ++frame) {
    advance(world);
    CHECK(look().kinetic_energy < 0.002 * fall);
  }
  CHECK(liquid_particles(world) < 0.05 * double(liquid.particles));
  CHECK(look().centre()[1] == doctest::Approx(liquid.centre()[1]).epsilon(0.02));
}

TEST_CASE("a_block_melts_to_a_puddle_and_comes_to_rest") {
  World world = build(parse_scene(R"(
fps = 25
[material.m]
method = "lattice"
youngs_modulus = 1e5
damping = 50.0
melting_temperature = 30.0
melting_rate = 0.4
viscosity = 2.0
[body.a]
material = "m"
shape = { type = "box", centre = [0, 0.12, 0], size = [0.2, 0.2, 0.2] }
spacing = 0.04
temperature = 40.0
[collider.floor]
shape = { type = "plane" }
friction = 0.5
)",
                                  "test"));
  const auto look = [&] { return method_of(world).diagnostics(world.environment); };
  // Matter that melts under load has the pressure of a liquid then, a few percent of all energy:
  // it may rise for a moment, but not beyond that of the fall.
  const double energy = look().potential_energy;
  for (int frame = 0; frame < 40; ++frame) {
    advance(world);
    const Diagnostics d = look();
    CHECK(d.kinetic_energy + d.potential_energy < 1.001 * energy);
  }
  CHECK(look().centre()[1] < 0.04);
  CHECK(look().kinetic_energy < 0.01 * energy);
}

/// A flat bar is drawn out by a third between two grips, which then let go.
TEST_CASE("a_bar_stretched_beyond_its_yield_stress_stays_long") {
  for (const bool yields : {true, false}) {
    CAPTURE(yields);
    World world = build(parse_scene(fmt::format(R"(
fps = 50
dimensions = 2
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
youngs_modulus = 1e5
damping = 2000.0
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [0.6, 0.2, 0.1] }}
spacing = 0.03
[pin.left]
body = "b"
shape = {{ type = "box", centre = [-0.3, 0, 0], size = [0.1, 1, 1] }}
[pin.right]
body = "b"
shape = {{ type = "box", centre = [0.3, 0, 0], size = [0.1, 1, 1] }}
motion = {{ times = [0, 0.6], positions = [[0, 0, 0], [0.15, 0, 0]] }}
[[event]]
time = 0.6
set = {{ "pin.left.active" = false, "pin.right.active" = false }}
)",
                                                yields ? "yield_stress = 3e3" : ""),
                                    "test"));
    for (int frame = 0; frame < 60; ++frame) advance(world);
    double low = 1, high = -1;
    for (const Vec3& x : method_of(world).particles().x)
      low = std::min<double>(low, x[0]), high = std::max<double>(high, x[0]);
    // 0.57 m between the outermost particles at the start, 0.72 when it is let go; 3 % come back.
    const double length = high - low;
    CAPTURE(length);
    CHECK((length > 0.68) == yields);
    if (!yields) CHECK(high - low == doctest::Approx(0.57).epsilon(0.03));
  }
}
