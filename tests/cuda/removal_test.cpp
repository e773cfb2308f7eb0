#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "cuda/both_devices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

const std::vector<std::string> methods = {"lennard_jones", "mass_interaction", "sph", "lattice",
                                          "mpm"};

/// A stream that falls into a sink.
std::string stream(const std::string& method) {
  const bool liquid = method == "sph" || method == "mpm";
  const std::string keys =
      (liquid ? "" : "youngs_modulus = 1e5\n") +
      std::string(method == "mass_interaction" ? "automaton = \"granular\"\n" : "");
  return "fps = 20\n[material.m]\nmethod = \"" + method + "\"\ndensity = 1000.0\n" + keys + R"(
[emitter.tap]
material = "m"
shape = { type = "cylinder", centre = [0, 0.5, 0], radius = 0.05, height = 0.1 }
spacing = 0.02
speed = 1.0
[sink.drain]
shape = { type = "plane", point = [0, 0.2, 0] }
)";
}

}  // namespace

TEST_CASE("a_sink_removes_on_a_gpu_what_it_removes_on_the_cpu") {
  for (const std::string& method : methods) {
    CAPTURE(method);
    World cpu = world_on({}, stream(method)), gpu = world_on(on_gpu, stream(method));
    for (int frame = 0; frame < 8; ++frame) advance(cpu), advance(gpu);
    const HostParticles& p = gpu.methods.front()->particles();
    const std::set<ParticleId> ids(p.id.begin(), p.id.end());
    CHECK(ids.size() == p.id.size());
    CHECK(gpu.removal.count > 0);
    CHECK(gpu.removal.count + ids.size() == gpu.next_id);
    CHECK(gpu.next_id == cpu.next_id);
    // Rounding decides on which side of the plane a few particles are at a look.
    CHECK(std::abs(double(gpu.removal.count) - double(cpu.removal.count)) <
          0.02 * double(gpu.next_id));
  }
}

TEST_CASE("a_world_that_has_lost_all_matter_goes_on_on_a_gpu") {
  for (const std::string& method : methods) {
    CAPTURE(method);
    World world = world_on(on_gpu, stream(method) + R"([[event]]
time = 0.1
set = { "emitter.tap.active" = false }
remove = "material.m"
)");
    for (int frame = 0; frame < 4; ++frame) advance(world);
    CHECK(particle_count(world) > 0);  // in the nozzle
    for (auto& any : world.methods) {
      any->keep(world.environment.exec, {});
      any->begin(world.environment);
    }
    for (int frame = 0; frame < 2; ++frame) advance(world);
    CHECK(particle_count(world) == 0);
    CHECK(take_frame(world).count == 0);
    CHECK(diagnose(world).kinetic_energy == 0);
  }
}
