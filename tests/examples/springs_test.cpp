#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/app/checkpoints.h"
#include "phyxel/core/error.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"
#include "springs/law.h"
#include "springs/method.h"

using namespace phyxel;

namespace {

/// What add_method() says about a method that it refuses.
std::string refusal_of(const MethodInfo& info) {
  try {
    add_method(info);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Methods are added once, before the first scene; names that are taken and methods with missing
/// parts are refused.
bool add_methods() {
  MethodInfo taken = springs::info(), without_make = taken;
  taken.name = "mpm";
  without_make.make = nullptr;
  CHECK(refusal_of(taken).find("there is a method of this name") != std::string::npos);
  CHECK(refusal_of(without_make).find("MethodInfo lacks make") != std::string::npos);
  return refusal_of(springs::info()).empty();
}
void add_springs() {
  static const bool added = add_methods();
  CHECK(added);
}

World world_of(const std::string& text) {
  add_springs();
  return build(parse_scene(text, "test.toml"));
}

World bouncing_mattress() {
  add_springs();
  return build(read_scene(PHYXEL_EXAMPLES_DIR "/springs/bounce.toml"));
}

/// A free block of two materials that turns.
World free_block() {
  return world_of(R"(
fps = 100
[world]
gravity = [0, 0, 0]
[material.soft]
method = "springs"
stiffness = 50.0
damping = 0.01
[material.stiff]
method = "springs"
stiffness = 200.0
[body.a]
material = "soft"
shape = { type = "box", centre = [0.05, 0, 0], size = [0.1, 0.1, 0.1] }
spacing = 0.02
velocity = [0.5, 0.2, -0.1]
angular_velocity = [3, 5, 8]
[body.b]
material = "stiff"
shape = { type = "box", centre = [-0.05, 0, 0], size = [0.1, 0.1, 0.1] }
spacing = 0.02
angular_velocity = [3, 5, 8]
)");
}

/// Two masses of 1 kg, one spacing of 1 m apart along x.
World two_masses(const std::string& damping = "") {
  return world_of(fmt::format(R"(
fps = 10
[world]
gravity = [0, 0, 0]
[time]
fixed_dt = 1e-3
[material.m]
method = "springs"
stiffness = 200.0
particle_mass = 1.0
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [2, 1, 1] }}
packing = "cubic"
spacing = 1.0
)",
                              damping));
}

/// Height of the lowest particle, m.
double lowest_particle(World& world) {
  double lowest = infinity;
  for (const Vec3& x : world.methods[0]->particles().x) lowest = std::min(lowest, double(x[1]));
  return lowest + world.environment.origin[1];
}

/// All columns byte by byte, in the order of ids.
std::vector<std::byte> bytes_of(World& world) {
  const Frame frame = take_frame(world);
  std::vector<std::byte> bytes;
  for (const FrameColumn& column : frame.columns)
    bytes.insert(bytes.end(), column.data.begin(), column.data.end());
  return bytes;
}

}  // namespace

TEST_CASE("the_force_of_a_spring_is_the_slope_of_its_energy_and_ends_where_it_breaks") {
  const springs::Spring spring{200, 0, 1, Real(1.3)};
  for (const Real r : {Real(0.5), Real(0.9), Real(1), Real(1.2)}) {
    // The energy is a parabola: central differences are exact up to rounding.
    const Real h = Real(0.05), slope = (spring_term(spring, r + h, 0).energy -
                                        spring_term(spring, r - h, 0).energy) /
                                       (2 * h);
    CHECK(spring_term(spring, r, 0).push == doctest::Approx(-slope).epsilon(1e-4));
  }
  CHECK(spring_term(spring, Real(1.29999), 0).energy == doctest::Approx(0).epsilon(1e-2));
  CHECK(spring_term(spring, Real(1.3), 0).push == 0);
}

TEST_CASE("two_masses_on_a_spring_swing_with_the_period_of_the_textbook") {
  World world = two_masses();
  HostParticles& p = world.methods[0]->particles();
  REQUIRE(p.size() == 2);
  const Real away = p.x[1][0] > p.x[0][0] ? Real(0.05) : Real(-0.05);
  p.x[1][0] += away;
  // Reduced mass 1/2 kg: omega = sqrt(200 / 0.5) = 20 1/s, a period of pi/10 s.
  const double omega = 20;
  for (int frame = 1; frame <= 20; ++frame) {
    advance(world);
    const Real r = length(p.x[1] - p.x[0]);
    // Symplectic Euler lags by half a step: amplitude times omega dt / 2 = 0.05 * 0.01.
    CHECK(r == doctest::Approx(1 + 0.05 * std::cos(omega * frame / 10)).epsilon(6e-4));
  }
}

TEST_CASE("a_damper_takes_the_amplitude_as_the_textbook_says") {
  World world = two_masses("damping = 1.0");
  HostParticles& p = world.methods[0]->particles();
  p.x[1][0] += p.x[1][0] > p.x[0][0] ? Real(0.05) : Real(-0.05);
  advance(world);
  // mu r'' = -k (r - L) - c r', mu = 1/2 kg: decay at c / (2 mu) = 1 1/s.
  const double decay = 1, omega = std::sqrt(400 - decay * decay), t = 0.1;
  const double expected =
      0.05 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
  CHECK(length(p.x[1] - p.x[0]) == doctest::Approx(1 + expected).epsilon(6e-4));
}

TEST_CASE("momenta_of_a_free_block_are_kept_and_its_energy_never_grows") {
  World world = free_block();
  const Diagnostics before = diagnose(world);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  const Diagnostics after = diagnose(world);
  // Forces of pairs cancel exactly; sums of about 1000 steps are rounded at random.
  const double eps = std::numeric_limits<Real>::epsilon(), root = std::sqrt(1000.0);
  const double momentum = before.mass * 1.5;
  CHECK(length(after.momentum - before.momentum) < 4 * eps * root * momentum);
  CHECK(length(after.angular_momentum - before.angular_momentum) < 4 * eps * root * momentum * 0.1);
  CHECK(after.kinetic_energy + after.potential_energy <
        before.kinetic_energy + before.potential_energy);
}

TEST_CASE("a_mattress_falls_bends_and_bounces_back") {
  World world = bouncing_mattress();
  double lowest = infinity, highest_after = 0;
  for (int frame = 1; frame <= 12; ++frame) {
    advance(world);
    const Diagnostics d = diagnose(world);
    lowest = std::min(lowest, d.centre()[1]);
    if (lowest < d.centre()[1]) highest_after = std::max(highest_after, d.centre()[1]);
    CHECK(lowest_particle(world) > 0.009);  // half a spacing, with some rounding
  }
  CHECK(lowest < 0.15);
  CHECK(highest_after > lowest + 0.01);
}

TEST_CASE("one_two_and_three_threads_give_the_same_bits") {
  std::vector<std::byte> first;
  for (int threads = 1; threads <= 3; ++threads) {
    const ThreadLimit limit(threads);
    World world = bouncing_mattress();
    for (int frame = 0; frame < 7; ++frame) advance(world);  // it has hit the floor
    if (threads == 1) first = bytes_of(world);
    CHECK(bytes_of(world) == first);
  }
}

TEST_CASE("a_run_that_is_resumed_goes_on_with_the_same_bits") {
  const TemporaryFolder folder;
  const OutputFolder output{folder.path};
  std::filesystem::create_directories(output.root / "checkpoint");
  World world = free_block();
  for (int frame = 0; frame < 3; ++frame) advance(world);
  save_checkpoint(output, world);
  World resumed = free_block();
  CHECK(load_checkpoint(output, resumed) == 3);
  for (World* w : {&world, &resumed})
    for (int frame = 0; frame < 3; ++frame) advance(*w);
  CHECK(bytes_of(resumed) == bytes_of(world));
}

TEST_CASE("bad_parameters_are_answered_with_place_value_limit_and_remedy") {
  const auto message = [](const std::string& keys) -> std::string {
    try {
      world_of("[material.m]\nmethod = \"springs\"\n" + keys +
               "\n[body.b]\nmaterial = \"m\"\nspacing = 0.1\n"
               "shape = { type = \"sphere\", radius = 0.2 }\n");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message("stiffness = -1.0")
            .starts_with("test.toml:3:1: material.m.stiffness = -1 must be above 0 N/m"));
  CHECK(message("stiffnes = 1.0").find("did you mean 'stiffness'?") != std::string::npos);
  CHECK(message("damping = 1.0").find("has no stiffness; give one") != std::string::npos);
  CHECK(message("stiffness = 1.0\nreach = 5.0").find("longer springs pull matter into a lump") !=
        std::string::npos);
  CHECK(message("preset = \"mattress\"").empty());
}

TEST_CASE("methods_are_added_before_the_first_scene") {
  add_springs();
  CHECK(find_method("springs") != nullptr);
  CHECK_THROWS_WITH_AS(add_method(springs::info()),
                       "add_method(\"springs\"): the methods are in use already; add it before the "
                       "first scene is read",
                       Error);
}
