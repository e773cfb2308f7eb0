#include <doctest/doctest.h>

#include "methods/mls/mls_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::mls::test;

namespace {

/// Two bodies of one material that meet, one held by a moving pin, on a floor and before a wall
/// that pushes; in the middle of the run `event` happens.
std::string busy_scene(const std::string& keys, const std::string& event) {
  return fmt::format(R"(
fps = 100
[material.m]
method = "mls"
youngs_modulus = 1e5
{}
[body.a]
material = "m"
shape = {{ type = "box", centre = [0, 0.25, 0], size = [0.6, 0.5, 0.5] }}
packing = "jittered"
spacing = 0.07
temperature = 40.0
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.7, 0], size = [0.5, 0.3, 0.3] }}
packing = "jittered"
spacing = 0.07
velocity = [1, -6, 2]
[pin.p]
body = "b"
shape = {{ type = "box", centre = [0.2, 0.7, 0], size = [0.15, 1, 1] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0, -3, 1]] }}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.4
[collider.wall]
shape = {{ type = "box", centre = [-0.8, 0.5, 0], size = [1, 2, 2] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [4, 0, 0]] }}
{}
)",
                     keys, event);
}

struct Kind {
  std::string name, keys, event;
};
const std::vector<Kind> kinds = {
    {"elastic", "damping = 1e-3\nfibre_modulus = 3e5\nfibre = [0, 1, 0]", ""},
    {"plastic", "yield_strain = 0.02\ncreep = 20.0\nlargest_plastic_strain = 1.0", ""},
    {"flowing", "flows = true\nyield_strain = 0.0\ncreep = 20.0\ndamping = 1e-3", ""},
    {"freezing", "flows = true\nyield_strain = 0.0\ncreep = 20.0",
     "[[event]]\ntime = 0.025\nset = { \"material.m.flows\" = false }"},
    {"beginning to flow", "flows = false\nyield_strain = 0.0\ncreep = 20.0",
     "[[event]]\ntime = 0.015\nset = { \"material.m.flows\" = true }"},
    {"melting", "melted_creep = 50.0\nmelting_temperature = 30.0\nconductivity = 20.0", ""},
    {"implicit", "integration = \"implicit\"\ndamping = 1e-3", ""}};

World busy_world(const Kind& kind) {
  return world_of(busy_scene(kind.keys, kind.event));
}

/// All columns byte by byte, in the order of ids.
std::vector<std::byte> bytes_of(World& world) {
  const HostParticles& p = method_of(world).particles();
  std::vector<Index> order(p.x.size());
  for (Index i = 0; i < p.size(); ++i) order[p.id[i]] = i;
  std::vector<std::byte> bytes;
  for (const ColumnView& view : method_of(world).columns())
    for (const Index i : order) {
      const auto* from = static_cast<const std::byte*>(view.data) + i * view.element_size();
      bytes.insert(bytes.end(), from, from + view.element_size());
    }
  return bytes;
}

}  // namespace

TEST_CASE("one_to_four_threads_give_the_same_bits") {
  for (const Kind& kind : kinds) {
    CAPTURE(kind.name);
    std::vector<std::byte> first;
    for (int threads = 1; threads <= 4; ++threads) {
      const ThreadLimit limit(threads);
      World world = busy_world(kind);
      for (int frame = 0; frame < 4; ++frame) advance(world);
      if (threads == 1) first = bytes_of(world);
      CHECK(bytes_of(world) == first);
    }
  }
}

TEST_CASE("a_run_that_is_resumed_goes_on_with_the_same_bits") {
  for (const Kind& kind : kinds)
    for (const int stop : {1, 2, 3}) {
      CAPTURE(kind.name);
      CAPTURE(stop);
      const TemporaryFolder folder;
      const OutputFolder output{folder.path};
      std::filesystem::create_directories(output.root / "checkpoint");
      World world = busy_world(kind);
      for (int frame = 0; frame < stop; ++frame) advance(world);
      save_checkpoint(output, world);
      World resumed = busy_world(kind);
      CHECK(load_checkpoint(output, resumed) == stop);
      for (World* w : {&world, &resumed})
        for (int frame = 0; frame < 2; ++frame) advance(*w);
      CHECK(bytes_of(resumed) == bytes_of(world));
      CHECK(elastic_energy(resumed) == elastic_energy(world));
    }
}
