#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "methods/pbd/pbd_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::pbd::test;

namespace {

/// A strip that is pulled to 1.5 times its length in 0.5 s, held up to 1 s, and let go.
std::string strip(const std::string& keys) {
  return fmt::format(R"(
fps = 20
[world]
gravity = [0, 0, 0]
[material.strip]
method = "pbd"
density = 100.0
stretch_modulus = 200.0
bend_stiffness = 0.0
damping = 0.005
iterations = 4
substeps = 20
self_contact = false
{}
[body.strip]
material = "strip"
shape = {{ type = "sheet", width = 0.4, height = 0.2 }}
packing = "cubic"
spacing = 0.05
thickness = 0.001
[pin.left]
body = "strip"
shape = {{ type = "box", size = [0.06, 1, 1], centre = [-0.2, 0, 0] }}
[pin.right]
body = "strip"
shape = {{ type = "box", size = [0.06, 1, 1], centre = [0.2, 0, 0] }}
motion = {{ times = [0, 0.5, 3], positions = [[0, 0, 0], [0.2, 0, 0], [0.2, 0, 0]] }}
[[event]]
time = 1.0
set = {{ "pin.right.active" = false }}
)",
                     keys);
}

double width(World& world) {
  const auto [low, high] =
      std::ranges::minmax(places(world), {}, [](const Vec3d& x) { return x[0]; });
  return high[0] - low[0];
}

/// Of a strip before it was pulled, and 1 s after it was let go.
struct Widths {
  double before, after;
};
Widths pull(const std::string& keys) {
  World world = world_of(strip(keys));
  const double before = width(world);
  for (int frame = 0; frame < 40; ++frame) advance(world);
  return {before, width(world)};
}

/// A sheet of two rows of squares, flat, whose far edge a pin turns about the middle line by
/// `angle` degrees and lets go.
std::string hinge(const std::string& keys, double angle) {
  return fmt::format(R"(
fps = 20
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
density = 100.0
stretch_modulus = 2000.0
bend_stiffness = 0.01
damping = 0.05
substeps = 20
self_contact = false
{}
[body.b]
material = "m"
shape = {{ type = "sheet", width = 0.3, height = 0.2 }}
packing = "cubic"
spacing = 0.1
thickness = 0.001
[pin.still]
body = "b"
shape = {{ type = "box", size = [0.22, 1, 1], centre = [-0.1, 0, 0] }}
[pin.turns]
body = "b"
shape = {{ type = "box", size = [0.12, 1, 1], centre = [0.1, 0, 0] }}
motion = {{ times = [0, 0.5, 3], rotations = [[0, 0, 0], [0, {}, 0], [0, {}, 0]] }}
[[event]]
time = 1.0
set = {{ "pin.turns.active" = false }}
)",
                     keys, angle, angle);
}

double height(World& world) {
  double z = 0;
  for (const Vec3d& x : places(world)) z = std::max(z, std::abs(x[2]));
  return z;
}
/// 1 s after the pin has let go.
double height_after_turn(const std::string& keys) {
  World world = world_of(hinge(keys, 60));
  for (int frame = 0; frame < 40; ++frame) advance(world);
  return height(world);
}

const std::string flowing = "yield_strain = 0.1\ncreep = 20.0\nyield_angle = 5.0";

}  // namespace

TEST_CASE("a_strip_keeps_what_was_beyond_its_yield_strain") {
  // Pulled to 1.5 times its length, of which all but a tenth flows.
  const Widths beyond = pull("yield_strain = 0.1");
  CHECK(beyond.after / beyond.before == doctest::Approx(1.4).epsilon(0.02));
  // Below the yield nothing flows: it moves as one that is elastic.
  const Widths within = pull("yield_strain = 2.0");
  CHECK(within.after == pull("").after);
  CHECK(within.after / within.before < 1.05);
  const Widths limited = pull("yield_strain = 0.1\nlargest_plastic_strain = 0.2");
  CHECK(limited.after / limited.before == doctest::Approx(1.2).epsilon(0.02));
}

TEST_CASE("creep_takes_its_time") {
  // Pulled evenly for 0.5 s to a strain of 0.5, held for 0.5 s: e' = 1 - c (e - 0.1), then
  // e' = -c (e - 0.1).
  const double c = 2, strain = 0.1 + (1 / c) * (1 - std::exp(-c * 0.4));
  const double elastic = 0.1 + (strain - 0.1) * std::exp(-c * 0.5);
  const Widths widths = pull("yield_strain = 0.1\ncreep = 2.0");
  CHECK(widths.after / widths.before == doctest::Approx(1.5 - elastic).epsilon(0.02));
}

TEST_CASE("a_sheet_bent_beyond_its_yield_angle_keeps_a_crease") {
  const double creased = height_after_turn("yield_angle = 10.0");
  const double elastic = height_after_turn("yield_angle = 150.0");
  CHECK(creased > 0.04);
  CHECK(elastic < 0.2 * creased);
  CHECK(elastic == height_after_turn(""));
}

TEST_CASE("a_plastic_run_that_is_resumed_goes_on_with_the_same_bits") {
  for (const int stop : {8, 22}) {  // while it is pulled, and after the pin has let go
    CAPTURE(stop);
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World world = world_of(strip(flowing));
    for (int frame = 0; frame < stop; ++frame) advance(world);
    save_checkpoint(output, world);
    World resumed = world_of(strip(flowing));
    CHECK(load_checkpoint(output, resumed) == stop);
    for (World* w : {&world, &resumed})
      for (int frame = 0; frame < 16; ++frame) advance(*w);
    CHECK(bytes_of(resumed) == bytes_of(world));
    CHECK(width(resumed) > 0.45);
  }
}

TEST_CASE("plastic_flow_has_the_same_bits_on_one_to_three_threads") {
  std::vector<std::byte> first;
  for (int threads = 1; threads <= 3; ++threads) {
    const ThreadLimit limit(threads);
    World world = world_of(strip(flowing));
    for (int frame = 0; frame < 12; ++frame) advance(world);
    if (threads == 1) first = bytes_of(world);
    CHECK(bytes_of(world) == first);
  }
}

TEST_CASE("parameters_of_flow_that_have_no_effect_are_refused") {
  for (const char* keys : {"creep = 1.0", "largest_plastic_strain = 0.1",
                           "yield_strain = 0.1\nelements = \"cells\""}) {
    CAPTURE(keys);
    CHECK_THROWS_AS(world_of(strip(keys)), InputError);
  }
}
