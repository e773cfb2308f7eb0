#include "phyxel/scene/memory_budget.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {
namespace {

/// A tap that is 10 cm wide; a particle fills 0.02^3 / sqrt(2) m^3.
std::string tap(const std::string& world, const std::string& more) {
  return fmt::format(R"(fps = 20
duration = 1.0
[world]
gravity = [0, 0, 0]
{}
[material.water]
method = "sph"
density = 1000.0
[emitter.tap]
material = "water"
shape = {{ type = "cylinder", radius = 0.05, height = 0.1 }}
spacing = 0.02
speed = 0.5
{}
)",
                     world, more);
}

Scene scene_of(const std::string& more, const std::string& world = "") {
  return parse_scene(tap(world, more), "scene.toml");
}

double coming(const Scene& scene, double from, double to) {
  ShapeFiles files{scene.folder};
  return emitted(scene, scene.bodies[0], stream_of(scene, scene.bodies[0], files), from, to);
}

const char* const raised = "[[event]]\ntime = 0.5\nset = { \"emitter.tap.speed\" = 1000.0 }\n";

}  // namespace

TEST_CASE("events_and_keyframes_of_an_emitter_are_foreseen") {
  const double still = coming(scene_of(""), 0, 1);
  CHECK(still > 100);
  // Half of the time at 2000 times the speed.
  CHECK(coming(scene_of(raised), 0, 1) ==
        doctest::Approx(still * (0.5 + 0.5 * 2000)).epsilon(1e-6));
  const char* const shut = "[[event]]\ntime = 0.25\nset = { \"emitter.tap.active\" = false }\n";
  CHECK(coming(scene_of(shut), 0, 1) == doctest::Approx(0.25 * still).epsilon(1e-6));
  const char* const keys =
      "[[keyframe]]\npath = \"emitter.tap.speed\"\ntimes = [0, 1]\nvalues = [0, 4]\n";
  CHECK(coming(scene_of(keys), 0, 1) == doctest::Approx(4 * still).epsilon(1e-6));
  const char* const smooth =
      "[[keyframe]]\npath = \"emitter.tap.speed\"\ntimes = [0, 1]\nvalues = [0, 4]\n"
      "interpolation = \"smooth\"\n";
  CHECK(coming(scene_of(smooth), 0, 1) == doctest::Approx(4 * still).epsilon(1e-6));
}

TEST_CASE("what_comes_out_is_what_was_foreseen") {
  const Scene scene = scene_of("[[event]]\ntime = 0.5\nset = { \"emitter.tap.speed\" = 1.5 }\n");
  World world = build(scene);
  const auto count = [&] { return double(world.methods[0]->particles().x.size()); };
  const double before = count(), foreseen = coming(scene, 0, 1);
  while (world.frame < 20) advance(world);
  // Layers are whole ones.
  const Stream& stream = world.emissions[0].stream;
  CHECK(std::abs(count() - before - foreseen) <= 2 * stream.points_per_layer());
}

TEST_CASE("a_rate_that_an_event_raises_is_refused_where_memory_ends") {
  const double memory = 1e8;
  CHECK_NOTHROW(plan(scene_of(""), memory));
  std::string message;
  try {
    plan(scene_of(raised), memory);
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK_MESSAGE(message.starts_with("scene.toml:12:1: "), message);
  CHECK(message.find("100 MB of memory may be used") != message.npos);
  CHECK(message.find("world.out_of_memory") != message.npos);
  for (const char* word : {"stop", "stop_emitting"}) {
    const ScenePlan planned =
        plan(scene_of(raised, fmt::format("out_of_memory = \"{}\"", word)), memory);
    REQUIRE(planned.warnings.size() == 1);
    CHECK(planned.warnings[0].find("before the end") != planned.warnings[0].npos);
  }
}

TEST_CASE("a_shortage_is_told_before_the_frame_that_would_make_it") {
  World world = build(scene_of(raised, "out_of_memory = \"stop\""), {}, {}, 2e7);
  while (memory_shortage(world).empty() && world.frame < 20) advance(world);
  CHECK(world.frame == 10);
  CHECK(particle_bytes(world) < world.memory);
  CHECK(memory_shortage(world).find("emitter.tap would add") != std::string::npos);
  stop_emitting(world);
  CHECK(memory_shortage(world).empty());
  const std::size_t count = world.methods[0]->particles().x.size();
  advance(world);
  CHECK(world.methods[0]->particles().x.size() == count);
}

}  // namespace phyxel
