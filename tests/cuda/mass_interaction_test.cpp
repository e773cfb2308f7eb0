#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cuda/both_devices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// A ball of about 2000 masses that turns and falls on a floor beside a second one that is held.
std::string falling_balls(const std::string& law) {
  return fmt::format(R"(
fps = 100
[time]
fixed_dt = 1e-4
[material.m]
method = "mass_interaction"
density = 1000.0
stiffness = 50.0
{0}
[body.a]
material = "m"
shape = {{ type = "sphere", centre = [0, 0.085, 0], radius = 0.08 }}
spacing = 0.01
velocity = [0.3, -1, -0.2]
angular_velocity = [3, 20, 5]
[body.b]
material = "m"
shape = {{ type = "sphere", centre = [0.14, 0.085, 0], radius = 0.05 }}
spacing = 0.01
[pin.p]
body = "b"
shape = {{ type = "box", centre = [0.2, 0.08, 0], size = [0.06, 0.2, 0.2] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0, 1, 0]] }}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.4
)",
                     law);
}

// Masses lie one spacing apart: with thresholds there, rounding would decide which are bound.
const std::vector<std::string> laws = {
    "pair_viscosity = 0.01\nviscous_distance = 1.5",
    "automaton = \"cohesive\"\npair_viscosity = 0.01\nelastic_distance = 1.02",
    "automaton = \"granular\"\npair_viscosity = 0.01\nfriction = 0.5\nelastic_distance = 1.02",
    "automaton = \"brittle\"\npair_viscosity = 0.005\nstrength = 500.0",
    "automaton = \"plastic\"\npair_viscosity = 0.01\nelastic_distance = 1.02\nyield_stress = 200.0",
};

}  // namespace

TEST_CASE("masses_end_where_the_cpu_leaves_them") {
  for (const std::string& law : laws) {
    CAPTURE(law);
    World cpu = world_on({}, falling_balls(law)), gpu = world_on(on_gpu, falling_balls(law));
    const std::vector<Vec3> start = positions_by_id(cpu);
    advance(cpu);
    advance(gpu);
    // Rounding in float, which 100 steps of contacts that open and close multiply.
    const std::vector<Vec3> end = positions_by_id(cpu);
    CHECK(largest_difference(end, positions_by_id(gpu)) < 1e-2 * 0.01);
    CHECK(largest_difference(end, start) > 0.01);
  }
}

TEST_CASE("all_pairs_and_the_search_for_neighbours_give_the_same_bits_on_the_gpu") {
  for (const std::string& law : laws) {
    CAPTURE(law);
    World search = world_on(on_gpu, falling_balls(law)),
          pairs = world_on(on_gpu, falling_balls(law + "\nall_pairs = true"));
    for (int frame = 0; frame < 3; ++frame) {
      advance(search);
      advance(pairs);
    }
    CHECK(positions_by_id(search) == positions_by_id(pairs));
  }
}

TEST_CASE("free_masses_keep_both_momenta_on_the_gpu") {
  for (const std::string& law : laws) {
    CAPTURE(law);
    World world = world_on(on_gpu, fmt::format(R"(
fps = 100
[world]
gravity = [0, 0, 0]
[material.m]
method = "mass_interaction"
density = 1000.0
stiffness = 50.0
{0}
[body.b]
material = "m"
shape = {{ type = "sphere", radius = 0.041 }}
spacing = 0.01
velocity = [0.3, 0.1, -0.2]
angular_velocity = [3, 20, 5]
)",
                                               law));
    const Diagnostics before = diagnose(world);
    for (int frame = 0; frame < 10; ++frame) advance(world);
    const Diagnostics now = diagnose(world);
    // As on the CPU: forces of pairs cancel exactly, some thousand steps are rounded at random.
    const double eps = std::numeric_limits<Real>::epsilon(), root = std::sqrt(5000.0);
    const double momentum = before.mass * 1.5, turning = momentum * 0.1;
    CHECK(length(now.momentum - before.momentum) < 4 * eps * root * momentum);
    CHECK(length(now.angular_momentum - before.angular_momentum) < 4 * eps * root * turning);
  }
}
