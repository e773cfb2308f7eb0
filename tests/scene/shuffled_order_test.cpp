#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>

#include "phyxel/core/random.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {
namespace {

/// A stream; matter with a shape to remember cannot come out of a nozzle.
std::string tap_of(const std::string& material) {
  const auto says = [&](const char* word) { return material.find(word) != std::string::npos; };
  if (says("\"mls\"") && !says("flows")) return "";
  return R"(
[emitter.tap]
material = "m"
shape = { type = "sphere", centre = [-0.1, 0.5, 0], radius = 0.05 }
spacing = 0.03
speed = 2.0
)";
}

/// Two bodies that fall on each other, on a floor, and a stream on top; `material` has the method.
std::string busy_scene(const std::string& material) {
  return "fps = 50\n[material.m]\n" + material + tap_of(material) + R"(
[body.lower]
material = "m"
shape = { type = "box", centre = [0, 0.105, 0], size = [0.3, 0.2, 0.3] }
spacing = 0.03
temperature = 60
[body.upper]
material = "m"
shape = { type = "sphere", centre = [0.05, 0.33, 0], radius = 0.1 }
spacing = 0.03
velocity = [0, -2, 0.5]
angular_velocity = [0, 300, 0]
[pin.foot]
body = "lower"
shape = { type = "sphere", centre = [0.15, 0, 0.15], radius = 0.1 }
[collider.ground]
shape = { type = "plane" }
friction = 0.3
[sink.drain]
shape = { type = "box", centre = [0.2, 0.1, 0], size = [0.15, 0.4, 0.1] }
)";
}

const std::vector<std::string> materials = {
    "method = \"lennard_jones\"\nyoungs_modulus = 1e5\nviscous_damping = 2.0",
    "method = \"mass_interaction\"\nautomaton = \"granular\"\nyoungs_modulus = 1e5",
    "method = \"mass_interaction\"\nautomaton = \"brittle\"\nstrength = 1e4\nyoungs_modulus = 1e5",
    "method = \"sph\"\nconductivity = 5.0\nconvection = 10.0",
    "method = \"lattice\"\nyoungs_modulus = 1e5",
    "method = \"lattice\"\npreset = \"wax\"",
    "method = \"mls\"\nyoungs_modulus = 1e5\ndamping = 1e-3\nyield_strain = 0.05\ncreep = 10.0",
    "method = \"mls\"\nyoungs_modulus = 1e5\nflows = true\nyield_strain = 0.0\ncreep = 20.0",
    "method = \"mls\"\npreset = \"wax\"",
    "method = \"mls\"\nyoungs_modulus = 1e5\nintegration = \"implicit\"",
    "method = \"mpm\"\nlaw = \"corotated\"\nyoungs_modulus = 1e5",
    "method = \"mpm\"\nlaw = \"liquid\"\nconductivity = 5.0"};

/// Puts the particles of every method in another order, with all that belongs to them.
void shuffle(World& world, std::uint32_t seed) {
  const Random random{seed, 0};
  for (auto& method : world.methods) {
    HostColumn<Index> order(method->particles().x.size());
    std::iota(order.begin(), order.end(), Index{0});
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[random.words(k).word[0] % (k + 1)]);
    method->keep(world.environment.exec, order);
    method->begin(world.environment);
  }
}

/// A cube that vibrates: matter whose law draws nothing at random.
World vibrating_cube(const std::string& material) {
  World world = build(parse_scene("fps = 50\n[material.m]\n" + material + R"(
[body.cube]
material = "m"
shape = { type = "box", size = [0.3, 0.3, 0.3] }
spacing = 0.03
angular_velocity = [0, 30, 10]
)",
                                  "scene.toml"));
  for (int frame = 0; frame < 2; ++frame) advance(world);
  return world;
}

/// Positions in the order of ids.
std::vector<Vec3> places_of(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Vec3> places(p.x.size());
  for (Index i = 0; i < p.size(); ++i) places[p.id[i]] = p.x[i];
  return places;
}

/// Whether the cube moves to the same bits when its particles are shuffled; where ids are not kept
/// they are those of the places in memory, so that ties are broken by these.
bool moves_as_when_shuffled(const std::string& material, bool keeps_ids) {
  World plain = vibrating_cube(material), other = vibrating_cube(material);
  shuffle(other, 1);
  HostParticles& p = other.methods.front()->particles();
  const HostColumn<ParticleId> ids = p.id;
  if (!keeps_ids) std::iota(p.id.begin(), p.id.end(), ParticleId{0});
  other.methods.front()->begin(other.environment);
  for (int frame = 0; frame < 3; ++frame) advance(plain), advance(other);
  const std::vector<Vec3> wanted = places_of(plain), found = places_of(other);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!(found[k] == wanted[keeps_ids ? k : ids[k]])) return false;
  return true;
}

}  // namespace

TEST_CASE("ties_broken_by_places_in_memory_would_change_results") {
  for (const char* material :
       {"method = \"lennard_jones\"\nyoungs_modulus = 1e5", "method = \"sph\"",
        "method = \"mpm\"\nlaw = \"corotated\"\nyoungs_modulus = 1e5"}) {
    CAPTURE(material);
    CHECK(moves_as_when_shuffled(material, true));
    CHECK(!moves_as_when_shuffled(material, false));
  }
}

TEST_CASE("results_do_not_depend_on_where_particles_lie_in_memory") {
  for (const std::string& material : materials) {
    CAPTURE(material);
    World plain = build(parse_scene(busy_scene(material), "scene.toml")),
          other = build(parse_scene(busy_scene(material), "scene.toml"));
    shuffle(other, 1);
    for (int frame = 0; frame < 3; ++frame) {
      advance(plain), advance(other);
      const Diagnostics a = diagnose(plain), b = diagnose(other);
      CHECK(a.kinetic_energy == b.kinetic_energy);
      CHECK(a.potential_energy == b.potential_energy);
      CHECK(a.momentum == b.momentum);
      CHECK(a.angular_momentum == b.angular_momentum);
      CHECK(a.extra == b.extra);
      const Frame x = take_frame(plain), y = take_frame(other);
      REQUIRE(x.count == y.count);
      for (const FrameColumn& column : x.columns) {
        CAPTURE(column.name);
        CHECK(column.data == y.find(column.name)->data);
      }
      shuffle(other, 2 + frame);
    }
    CHECK(plain.removal.count > 0);
  }
}

}  // namespace phyxel
