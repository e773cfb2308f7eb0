#include <cstring>
#include <doctest/doctest.h>

#include "phyxel/app/checkpoints.h"
#include "reactions/reaction_scenes.h"
#include "render/temporary_folder.h"

using namespace phyxel;

namespace {

/// Enough particles for several threads.
std::string block_and_hand(const MethodCase& method) {
  return fmt::format(R"(
fps = 500
[material.m]
{0}
[body.block]
material = "m"
shape = {{ type = "box", centre = [0, 0.55, 0], size = [1.1, 1.1, 1.1] }}
spacing = {1}
velocity = [0.5, -2, 0]
[collider.floor]
shape = {{ type = "plane" }}
[pin.hand]
body = "block"
shape = {{ type = "box", centre = [0, 1.05, 0], size = [2, 0.15, 2] }}
)",
                     method.material, method.spacing);
}

/// All numbers of the reactions, bit by bit.
std::string numbers_of(const World& world) {
  std::string bytes;
  for (const Reaction& r : reactions(world))
    for (const Vec3d& v : {r.force, r.friction, r.torque, r.origin_torque,
                           Vec3d{r.peak_force, r.normal_force, r.peak_torque}})
      bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
  return bytes;
}

}  // namespace

TEST_CASE("reactions_have_the_same_bits_on_any_number_of_threads") {
  for (const MethodCase& method : every_method()) {
    CAPTURE(method.name);
    std::string first;
    for (int threads = 1; threads <= 3; ++threads) {
      const ThreadLimit limit(threads);
      World world = world_of(block_and_hand(method));
      advance(world);
      if (threads == 1) first = numbers_of(world);
      CHECK(first.size() > 0);
      CHECK(numbers_of(world) == first);
    }
  }
}

TEST_CASE("a_resumed_run_counts_the_same_reactions") {
  for (const MethodCase& method : every_method()) {
    CAPTURE(method.name);
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World world = world_of(block_and_hand(method));
    advance(world);
    save_checkpoint(output, world);
    World resumed = world_of(block_and_hand(method));
    REQUIRE(load_checkpoint(output, resumed) == 1);
    advance(world);
    advance(resumed);
    CHECK(numbers_of(resumed) == numbers_of(world));
  }
}
