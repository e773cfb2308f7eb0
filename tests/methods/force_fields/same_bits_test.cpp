#include <doctest/doctest.h>

#include "methods/force_fields/field_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "render/temporary_folder.h"

using namespace phyxel;

namespace {

/// Matter in all fields on a floor.
World busy_world(const PushedMethod& method, const std::string& keys = "") {
  return world_of(field_scene(
      method,
      "shape = { type = \"box\", centre = [0, 0.4, 0], size = [0.5, 0.6, 0.5] }\nspacing = 0.1\n",
      R"([field.wind]
type = "wind"
velocity = [3, 0, 1]
quadratic = 0.5
turbulence = 2.0
eddy_size = 0.3
region = { type = "difference", of = [ { type = "box", size = [2, 2, 2] }, { type = "sphere", radius = 0.3 } ] }
edge = 0.1
[field.drag]
type = "drag"
linear = 0.5
[field.pull]
type = "attractor"
point = [1, 1, 0]
softening = 0.1
[field.turn]
type = "vortex"
axis = [0, 1, 0]
[collider.floor]
shape = { type = "plane" }
[[keyframe]]
path = "field.turn.strength"
times = [0, 0.1]
values = [0, 20]
)" + keys,
      "[0, -9.81, 0]", "fps = 50"));
}

std::vector<Vec3> state_of(World& world) {
  const HostParticles& p = particles_of(world);
  std::vector<Vec3> state(2 * p.x.size());
  for (Index i = 0; i < p.size(); ++i) state[2 * p.id[i]] = p.x[i], state[2 * p.id[i] + 1] = p.v[i];
  return state;
}

}  // namespace

TEST_CASE("one_two_and_three_threads_give_the_same_bits_in_fields") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    std::vector<Vec3> first;
    Vec3d impulse = Vec3d::zero();
    for (int threads = 1; threads <= 3; ++threads) {
      const ThreadLimit limit(threads);
      World world = busy_world(method);
      for (int frame = 0; frame < 4; ++frame) advance(world);
      if (threads == 1) first = state_of(world), impulse = diagnose(world).field_impulse;
      CHECK(state_of(world) == first);
      CHECK(diagnose(world).field_impulse == impulse);
    }
  }
}

TEST_CASE("a_run_in_fields_that_is_resumed_goes_on_with_the_same_bits") {
  for (const PushedMethod& method : pushed_methods()) {
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
    CHECK(state_of(resumed) == state_of(world));
    CHECK(diagnose(resumed).field_impulse == diagnose(world).field_impulse);
  }
}

TEST_CASE("a_field_that_is_switched_off_leaves_the_bits_of_a_scene_without_it") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    const std::string body =
        "shape = { type = \"box\", centre = [0, 0.4, 0], size = [0.5, 0.6, 0.5] }\nspacing = 0.1\n";
    const std::string floor = "[collider.floor]\nshape = { type = \"plane\" }\n";
    World plain = world_of(field_scene(method, body, floor, "[0, -9.81, 0]"));
    World off = world_of(field_scene(
        method, body, floor + "[field.f]\ntype = \"drag\"\nlinear = 1.0\nactive = false",
        "[0, -9.81, 0]"));
    for (World* w : {&plain, &off})
      for (int frame = 0; frame < 2; ++frame) advance(*w);
    CHECK(state_of(plain) == state_of(off));
  }
}
