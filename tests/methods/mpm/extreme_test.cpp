#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

struct Extreme {
  std::string law = "corotated", transfer = "apic", material = "", time = "", body = "";
  std::string size = "[0.2, 0.2, 0.2]", centre = "[0, 0.3, 0]", gravity = "[0, -9.81, 0]";
  double spacing = 0.05;
  int frames = 5;
};

World world_of(const Extreme& e) {
  return build(parse_scene(fmt::format(R"(
fps = 100
[world]
gravity = {}
[time]
{}
[material.m]
method = "mpm"
law = "{}"
transfer = "{}"
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = {}, size = {} }}
packing = "cubic"
spacing = {}
{}
[collider.floor]
shape = {{ type = "plane" }}
)",
                                       e.gravity, e.time, e.law, e.transfer, e.material, e.centre,
                                       e.size, e.spacing, e.body),
                           "test"),
               {});
}

/// What refused the run, or "" where it ended with numbers. `cuts`: steps that were cut.
std::string refusal(const Extreme& e, int* cuts = nullptr) {
  World world;
  try {
    world = world_of(e);
    for (int frame = 0; frame < e.frames; ++frame) {
      const AdvanceReport report = advance(world);
      if (cuts) *cuts += report.cut_steps;
    }
  } catch (const Error& error) {
    return error.what();
  }
  for (const Vec3& x : world.methods.front()->particles().x) CHECK(is_finite(x));
  for (const Vec3& v : world.methods.front()->particles().v) CHECK(is_finite(v));
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("extreme_input_is_handled_or_refused_with_the_reason") {
  for (const std::string transfer : {"apic", "flip"}) {
    CAPTURE(transfer);
    Extreme stiff{.transfer = transfer, .material = "youngs_modulus = 1e9", .frames = 1};
    CHECK(refusal(stiff) == "");

    Extreme forced{.transfer = transfer,
                   .material = "youngs_modulus = 1e7",
                   .time = "fixed_dt = 0.01",
                   .body = "velocity = [0, -5, 0]",
                   .frames = 50};
    // A hundred times the stable step: whatever would cross cells is cut.
    int cuts = 0;
    if (const std::string said = refusal(forced, &cuts); said.empty())
      CHECK(cuts > 0);
    else
      CHECK(says(said, "lower time.fixed_dt"));

    Extreme one{.transfer = transfer, .size = "[0.05, 0.05, 0.05]", .frames = 40};
    CHECK(world_of(one).methods.front()->particles().size() == 1);
    CHECK(refusal(one) == "");

    Extreme crowded{.transfer = transfer, .material = "cell = 0.5", .spacing = 0.015};
    CHECK(world_of(crowded).methods.front()->particles().size() > 2000);
    CHECK(refusal(crowded) == "");

    CHECK(refusal({.transfer = transfer, .gravity = "[0, 0, 0]"}) == "");

    Extreme far{.transfer = transfer, .centre = "[1e6, 1e6, 1e6]"};
    CHECK(refusal(far) == "");  // it has an origin of its own there
  }
}

TEST_CASE("matter_that_has_left_its_origin_far_behind_is_refused") {
  if (sizeof(Real) == 8) return;
  World world = world_of({});
  for (Vec3& x : world.methods.front()->particles().x) x[0] += Real(1e6);
  CHECK_THROWS_WITH_AS(advance(world), doctest::Contains("from the scene's local origin"), Error);
}

TEST_CASE("a_body_travels_kilometres_and_arrives_where_it_should") {
  for (const std::string transfer : {"apic", "flip"}) {
    World world = world_of({.transfer = transfer,
                            .material = "cell = 0.5\nyoungs_modulus = 1e4",
                            .body = "velocity = [300, 0, -200]",
                            .size = "[1, 1, 1]",
                            .centre = "[0, 50, 0]",
                            .gravity = "[0, 0, 0]",
                            .spacing = 0.25});
    const Vec3d start = diagnose(world).centre();
    for (int frame = 0; frame < 1000; ++frame) advance(world);
    const Vec3d way = diagnose(world).centre() - start;
    CHECK(way[0] == doctest::Approx(3000).epsilon(1e-4));
    CHECK(way[2] == doctest::Approx(-2000).epsilon(1e-4));
    CHECK(std::abs(way[1]) < 0.05);
  }
}
