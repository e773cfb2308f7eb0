#include <doctest/doctest.h>

#include "phyxel/app/checkpoints.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

using namespace phyxel;

namespace {

/// Two bodies that break, one of them melting and held by a moving pin in part, on a floor and
/// before a wall that pushes.
World busy_world() {
  return build(parse_scene(R"(
fps = 100
[material.glass]
method = "lattice"
youngs_modulus = 1e5
damping = 5.0
strength = 3e3
docking_rate = 100.0
docking_change = 1e3
[material.jelly]
method = "lattice"
law = "stiffness"
shells = 2
youngs_modulus = 3e4
docking_rate = 200.0
conductivity = 10.0
melting_temperature = 15.0
melting_rate = 1.0
freezing_rate = 1.0
[body.a]
material = "glass"
shape = { type = "box", centre = [0, 0.25, 0], size = [0.6, 0.5, 0.5] }
spacing = 0.05
velocity = [0, -2, 0]
[body.b]
material = "jelly"
shape = { type = "box", centre = [0, 0.8, 0], size = [0.5, 0.3, 0.3] }
spacing = 0.05
velocity = [1, -3, 1]
[pin.p]
body = "b"
shape = { type = "box", centre = [0.2, 0.8, 0], size = [0.15, 1, 1] }
motion = { times = [0, 1], positions = [[0, 0, 0], [0, -3, 1]] }
[collider.floor]
shape = { type = "plane" }
friction = 0.4
[collider.wall]
shape = { type = "box", centre = [-0.8, 0.5, 0], size = [1, 2, 2] }
motion = { times = [0, 1], positions = [[0, 0, 0], [2, 0, 0]] }
)",
                           "test"),
               {});
}

/// A block that melts on a floor and is freezing after the third frame.
World freezing_world() {
  return build(parse_scene(R"(
fps = 50
[material.wax]
method = "lattice"
youngs_modulus = 1e5
damping = 50.0
melting_temperature = 30.0
melting_rate = 4.0
freezing_rate = 0.5
viscosity = 2.0
[body.a]
material = "wax"
shape = { type = "box", centre = [0, 0.12, 0], size = [0.2, 0.2, 0.2] }
spacing = 0.03
velocity = [0, -1, 0]
temperature = 40.0
[collider.floor]
shape = { type = "plane" }
friction = 0.5
[[event]]
time = 0.05
set = { "body.a.temperature" = 10.0 }
)",
                           "test"),
               {});
}

int liquid_particles(World& world) {
  int count = 0;
  for (const ColumnView& view : world.methods.front()->columns())
    if (view.name == "phase")
      for (std::size_t i = 0; i < view.count; ++i)
        count += static_cast<const std::uint8_t*>(view.data)[i];
  return count;
}

/// All columns byte by byte, in the order of ids.
std::vector<std::byte> bytes_of(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Index> order(p.x.size());
  for (Index i = 0; i < p.size(); ++i) order[p.id[i]] = i;
  std::vector<std::byte> bytes;
  for (const ColumnView& view : world.methods.front()->columns())
    for (const Index i : order) {
      const auto* from = static_cast<const std::byte*>(view.data) + i * view.element_size();
      bytes.insert(bytes.end(), from, from + view.element_size());
    }
  return bytes;
}

}  // namespace

TEST_CASE("one_two_and_three_threads_give_the_same_bits") {
  for (World (*const make)() : {busy_world, freezing_world}) {
    std::vector<std::byte> first;
    for (int threads = 1; threads <= 3; ++threads) {
      const ThreadLimit limit(threads);
      World world = make();
      for (int frame = 0; frame < 4; ++frame) advance(world);
      if (threads == 1) first = bytes_of(world);
      CHECK(bytes_of(world) == first);
    }
  }
}

TEST_CASE("a_run_that_is_resumed_goes_on_with_the_same_bits") {
  for (World (*const make)() : {busy_world, freezing_world}) {
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World world = make();
    for (int frame = 0; frame < 3; ++frame) advance(world);
    save_checkpoint(output, world);
    World resumed = make();
    CHECK(load_checkpoint(output, resumed) == 3);
    for (World* w : {&world, &resumed})
      for (int frame = 0; frame < 3; ++frame) advance(*w);
    CHECK(bytes_of(resumed) == bytes_of(world));
  }
}

TEST_CASE("the_world_that_freezes_does_so_across_the_checkpoint") {
  World world = freezing_world();
  for (int frame = 0; frame < 2; ++frame) advance(world);
  const int molten = liquid_particles(world);
  advance(world);
  const int resumed_from = liquid_particles(world);
  for (int frame = 0; frame < 3; ++frame) advance(world);
  CHECK(molten > resumed_from);
  CHECK(resumed_from > liquid_particles(world));
}
