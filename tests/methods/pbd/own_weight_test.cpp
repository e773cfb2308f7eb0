#include "phyxel/methods/pbd/own_weight.h"

#include <doctest/doctest.h>

#include "methods/pbd/pbd_scenes.h"

using namespace phyxel;
using namespace phyxel::pbd::test;

namespace {

/// A rope or sheet that hangs from its upper end.
std::string hung(const std::string& shape, double spacing, int substeps, int iterations,
                 const std::string& keys = "") {
  return fmt::format(R"(
fps = 10
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 1000.0
{}
self_contact = false
substeps = {}
iterations = {}
[body.b]
material = "m"
shape = {{ {} }}
spacing = {}
thickness = 0.001
[pin.top]
body = "b"
shape = {{ type = "box", size = [2, {}, 2] }}
)",
                     keys.empty() ? "youngs_modulus = 1e10" : keys, substeps, iterations, shape,
                     spacing, spacing);
}
const char* const rope = "type = \"polyline\", points = [[0, 0, 0], [0, -1, 0]]";
const char* const sheet = "type = \"sheet\", width = 0.5, height = 1, centre = [0, -0.5, 0]";

/// Mean strain of its length, in the mean of a second after it has come to rest.
double mean_strain(World& world) {
  double sum = 0;
  for (int frame = 0; frame < 40; ++frame) {
    advance(world);
    double lowest = 0;
    for (const Vec3d& x : places(world)) lowest = std::min(lowest, x[1]);
    if (frame >= 30) sum += -lowest / 10;
  }
  return sum - 1;
}

}  // namespace

TEST_CASE("few_sweeps_stretch_hung_ropes_and_sheets_as_the_estimate_says") {
  for (const auto& [shape, spacing, substeps, iterations] :
       {std::tuple(rope, 0.02, 12, 1), std::tuple(rope, 0.02, 24, 1), std::tuple(rope, 0.02, 12, 4),
        std::tuple(rope, 0.04, 12, 1), std::tuple(sheet, 0.04, 12, 1),
        std::tuple(sheet, 0.04, 6, 1), std::tuple(sheet, 0.04, 6, 3)}) {
    CAPTURE(shape);
    CAPTURE(spacing);
    CAPTURE(substeps);
    CAPTURE(iterations);
    World world = world_of(hung(shape, spacing, substeps, iterations));
    pbd::Parameters p;
    p.substeps = substeps;
    p.iterations = iterations;
    // Half of what it is at the pin.
    const double expected =
        pbd::strain_of_sweeps(p, {spacing, 0.001, 1, 9.81, shape == rope, true}) / 2;
    CHECK(mean_strain(world) == doctest::Approx(expected).epsilon(0.15));
  }
}

TEST_CASE("plans_warn_of_bodies_that_few_sweeps_stretch") {
  const auto warnings = [](const std::string& text) {
    return plan(parse_scene(text, "s.toml")).warnings;
  };
  const std::vector<std::string> told = warnings(hung(rope, 0.02, 12, 1));
  REQUIRE(told.size() == 1);
  CHECK(
      told[0].starts_with("s.toml:12:1: body.b will stretch by about 9.5 % where 1 m of it hang, "
                          "its modulus asks for "));
  CHECK(told[0].ends_with("give substeps = 37 for 1 %, or long_range_strain = 0.01"));
  CHECK(warnings(hung(rope, 0.02, 37, 1)).empty());
  CHECK(warnings(hung(rope, 0.02, 12, 1, "long_range_strain = 0.01")).empty());
  CHECK(warnings(hung(rope, 0.02, 12, 1, "youngs_modulus = 5e4")).empty());  // it is that soft
}
