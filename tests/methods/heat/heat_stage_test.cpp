#include <cmath>
#include <doctest/doctest.h>

#include "heat_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "render/temporary_folder.h"

using namespace phyxel;

/// A bar whose temperature is a half wave along it: that of the insulated bar decays by
/// exp(-pi^2 k t / (rho c L^2)).
TEST_CASE("heat_levels_out_as_conductivity_says_and_none_is_lost") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    World world = heated_world(method, "conductivity = 2000.0\n",
                               "{ type = \"box\", size = [1, 0.2, 0.2] }", 0.05);
    HostParticles& p = method_of(world).particles();
    double low = 1, high = -1;
    for (const Vec3& x : p.x)
      low = std::min<double>(low, x[0]), high = std::max<double>(high, x[0]);
    // Ends lie half a layer beyond the last particles; layers are spacing / sqrt(2) apart.
    const double length = high - low + 0.05 / std::sqrt(2.0), pi = 3.14159265358979;
    std::vector<double> shape(p.x.size());
    for (Index i = 0; i < p.size(); ++i) {
      shape[p.id[i]] = std::sin(pi * p.x[i][0] / length);
      p.temperature[i] = Real(20 + 10 * shape[p.id[i]]);
    }
    method_of(world).begin(world.environment);
    const double before = heat_of(world);
    for (int frame = 0; frame < 5; ++frame) advance(world);
    const HostParticles& q = method_of(world).particles();
    double wave = 0, norm = 0, moved = 0;
    for (Index i = 0; i < q.size(); ++i) {
      const double s = shape[q.id[i]];
      wave += s * (q.temperature[i] - 20);
      norm += s * s;
      moved += q.mass[i] * 100 * std::abs(q.temperature[i] - 20 - 10 * s);
    }
    const double decay = std::exp(-pi * pi * 2000 / (1000 * 100) * 0.5 / (length * length));
    // Particles at the ends have fewer neighbours to lose heat to, and liquids move a little.
    CHECK((1 - wave / norm / 10) / (1 - decay) == doctest::Approx(1).epsilon(0.12));
    CHECK(decay < 0.95);
    // Each pair exchanges the same bits; sums of powers are rounded.
    CHECK(std::abs(heat_of(world) - before) < 1e-5 * moved);
  }
}

namespace {

/// Warming of a ball of 4 kg in 1 s.
double warming_of_ball(const HeatedMethod& method, const std::string& keys,
                       const std::string& more = "", const std::string& world_keys = "") {
  World world =
      heated_world(method, keys, "{ type = \"sphere\", radius = 0.1 }", 0.02, more, world_keys);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  return mean_temperature(world) - 20;
}

}  // namespace

TEST_CASE("heat_comes_from_within_and_from_the_air") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    // 500 W/kg over 100 J/(kg K).
    CHECK(warming_of_ball(method, "heating = 500.0\n") == doctest::Approx(5).epsilon(1e-3));
    // Air that is 1000 degrees warmer warms the ball by h A dT / (m c) = 3 h / (r rho c) dT = 3 h /
    // 10, slowly enough that it stays near 20 itself. Its area comes from 5 particles along a
    // radius.
    CHECK(warming_of_ball(method, "convection = 10.0\nconductivity = 1000.0\n", "",
                          "air_temperature = 1020.0\n") == doctest::Approx(3).epsilon(0.12));
  }
}

TEST_CASE("a_pin_keeps_the_temperature_of_what_it_holds") {
  const std::string pin = R"(
[pin.p]
body = "b"
shape = { type = "sphere", radius = 0.05 }
temperature = 120.0
)";
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    // A core of half the radius is an eighth of the ball; without conduction it alone is warm.
    CHECK(warming_of_ball(method, "heating = 1e-6\n", pin) ==
          doctest::Approx(100 / 8.0).epsilon(0.15));
    // The slowest wave decays by e in r^2 rho c / (pi^2 k) = 0.05 s, a twentieth of the time.
    CHECK(warming_of_ball(method, "conductivity = 2000.0\n", pin) ==
          doctest::Approx(100).epsilon(0.02));
  }
}

namespace {

/// A block between two plates of 0 and 100 degrees, held in place: how hard plates push does not
/// matter, and pushing softly allows long steps.
World block_between_plates(const HeatedMethod& method, std::string keys) {
  if (method.name == "lennard_jones") keys += "obstacle_beta = 1e-3\n";
  return heated_world(method, keys, "{ type = \"box\", size = [0.4, 0.2, 0.2] }", 0.04,
                      R"(
[pin.all]
body = "b"
shape = { type = "sphere", radius = 1 }
[collider.cold]
shape = { type = "plane", point = [-0.2, 0, 0], normal = [1, 0, 0] }
temperature = 0.0
[collider.hot]
shape = { type = "plane", point = [0.2, 0, 0], normal = [-1, 0, 0] }
temperature = 100.0
)");
}

}  // namespace

TEST_CASE("between_two_walls_the_steady_temperature_is_linear") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    // Ten times the 0.16 s in which the slowest wave decays by e.
    World world = block_between_plates(method, "conductivity = 1e4\n");
    for (int frame = 0; frame < 16; ++frame) advance(world);
    const HostParticles& p = method_of(world).particles();
    double worst = 0;
    for (Index i = 0; i < p.size(); ++i)
      worst = std::max(worst, std::abs(p.temperature[i] - 100 * (p.x[i][0] + 0.2) / 0.4));
    // A layer is 7 degrees wide, and walls meet it somewhere within.
    CHECK(worst < 3);
  }
}

namespace {

/// A block that falls onto a hot floor, with convection, latent heat and a pin that has a
/// temperature.
World busy_world(const HeatedMethod& method) {
  return build(parse_scene(fmt::format(R"(
fps = 50
[world]
air_temperature = -20.0
[material.m]
method = "{}"
density = 1000.0
conductivity = 200.0
specific_heat = 100.0
latent_heat = 500.0
melting_temperature = 22.0
convection = 30.0
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.14, 0], size = [0.3, 0.2, 0.2] }}
spacing = 0.04
velocity = [0, -1, 0]
[pin.p]
body = "b"
shape = {{ type = "box", centre = [0.12, 0.14, 0], size = [0.1, 1, 1] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0, 0.1, 0]] }}
temperature = 30.0
[collider.floor]
shape = {{ type = "plane" }}
temperature = 90.0
heat_flux = 100.0
)",
                                       method.name, method.keys),
                           "test"),
               {});
}

}  // namespace

TEST_CASE("one_two_and_three_threads_give_the_same_bits") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    std::vector<std::byte> first;
    for (int threads = 1; threads <= 3; ++threads) {
      const ThreadLimit limit(threads);
      World world = busy_world(method);
      for (int frame = 0; frame < 4; ++frame) advance(world);
      if (threads == 1) first = bytes_of(world);
      CHECK(bytes_of(world) == first);
    }
  }
}

TEST_CASE("a_run_that_is_resumed_goes_on_with_the_same_bits") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World world = busy_world(method);
    for (int frame = 0; frame < 3; ++frame) advance(world);
    save_checkpoint(output, world);
    World resumed = busy_world(method);
    CHECK(load_checkpoint(output, resumed) == 3);
    for (World* w : {&world, &resumed})
      for (int frame = 0; frame < 3; ++frame) advance(*w);
    CHECK(bytes_of(resumed) == bytes_of(world));
  }
}

TEST_CASE("an_event_may_begin_and_end_the_flow_of_heat") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    World world = heated_world(method, "", "{ type = \"box\", size = [0.2, 0.1, 0.1] }", 0.02, R"(
[[event]]
time = 0.2
set = { "material.m.heating" = 500.0 }
[[event]]
time = 0.6
set = { "material.m.heating" = 0.0 }
)");
    for (int frame = 0; frame < 2; ++frame) advance(world);
    CHECK(mean_temperature(world) == doctest::Approx(20));
    for (int frame = 0; frame < 8; ++frame) advance(world);
    // 500 W/kg for 0.4 s over 100 J/(kg K).
    CHECK(mean_temperature(world) == doctest::Approx(22).epsilon(1e-3));
  }
}

TEST_CASE("matter_without_thermal_parameters_has_no_enthalpy") {
  for (const HeatedMethod& method : heated_methods()) {
    CAPTURE(method.name);
    HeatedMethod bare = method;
    World world = build(parse_scene("[material.m]\nmethod = \"" + bare.name + "\"\n" + bare.keys +
                                        "[body.b]\nmaterial = \"m\"\nspacing = 0.04\n"
                                        "shape = { type = \"box\", size = [0.2, 0.2, 0.2] }\n",
                                    "test"),
                        {});
    advance(world);
    CHECK(enthalpies(world) == nullptr);
  }
}
