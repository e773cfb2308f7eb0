#include <doctest/doctest.h>
#include <fmt/format.h>

#include "mpm/cases.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;
using namespace phyxel::validation;

namespace {

/// A body that flies, turns and is deformed; nothing acts from outside.
std::string tumbling(const std::string& law, const std::string& transfer) {
  return fmt::format(R"(
fps = 100
[world]
gravity = [0, 0, 0]
[material.m]
method = "mpm"
density = 400.0
cell = 0.1
law = "{}"
transfer = "{}"
[body.a]
material = "m"
shape = {{ type = "box", centre = [0.03, 0.2, 0.07], size = [0.5, 0.4, 0.3] }}
packing = "cubic"
spacing = 0.05
velocity = [3, 1, 2]
angular_velocity = [300, 500, 700]
[body.b]
material = "m"
shape = {{ type = "sphere", centre = [0.6, 0.3, 0.2], radius = 0.2 }}
packing = "cubic"
spacing = 0.05
velocity = [-4, 0, 1]
)",
                     law, transfer);
}

const std::vector<std::string> laws = {"snow",   "corotated", "neo_hookean",
                                       "liquid", "sand",      "von_mises"};

}  // namespace

TEST_CASE("mass_momentum_and_with_apic_angular_momentum_stay") {
  for (const std::string& law : laws)
    for (const std::string transfer : {"apic", "flip"}) {
      CAPTURE(law);
      CAPTURE(transfer);
      World world = build(parse_scene(tumbling(law, transfer), "test"), {});
      const Totals before = totals_of(world, 0.1);
      int steps = 0;
      for (int frame = 0; frame < 10; ++frame) steps += advance(world).substeps;
      const Totals after = totals_of(world, 0.1);
      CHECK(after.mass == before.mass);
      // Every step rounds the momentum of every node and particle; roundings have no preferred
      // sign, so that their sum grows as the root of the steps.
      const double rounding = 4 * std::sqrt(double(steps)) * std::numeric_limits<Real>::epsilon();
      CHECK(length(after.momentum - before.momentum) < rounding * before.momentum_scale);
      if (transfer == "apic")
        CHECK(length(after.angular + after.spin - before.angular - before.spin) <
              rounding * before.angular_scale);
    }
}

TEST_CASE("the_step_of_few_particles_forgets_what_was_before") {
  // Every step is a frame, and the pack of a single particle has lanes to spare: what they hold
  // must not limit the step.
  World world = build(parse_scene(R"(
dimensions = 2
fps = 1000
[world]
gravity = [0, 0, 0]
[material.m]
method = "mpm"
law = "corotated"
cell = 0.05
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0, 0], size = [0.05, 0.025, 1] }
packing = "cubic"
spacing = 0.025
velocity = [0.1, 0.2, 0]
)",
                                  "test"),
                      {});
  advance(world);
  const double first = stable_step(world).dt;
  for (int frame = 0; frame < 60; ++frame) advance(world);
  CHECK(stable_step(world).dt == doctest::Approx(first).epsilon(1e-4));
}
