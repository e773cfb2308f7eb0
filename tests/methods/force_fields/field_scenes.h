#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// The same matter of every method in force fields.

namespace phyxel {

struct PushedMethod {
  std::string name;
  std::string keys;  // of its material
};

inline const std::vector<PushedMethod>& pushed_methods() {
  static const std::vector<PushedMethod> all = {
      {"lattice", "youngs_modulus = 1e4\n"},
      {"sph", "sound_speed = 5.0\n"},
      {"lennard_jones", "youngs_modulus = 1e4\n"},
      {"mass_interaction", "youngs_modulus = 1e4\n"},
      {"mpm", "law = \"corotated\"\nyoungs_modulus = 1e4\n"},
  };
  return all;
}

/// Matter of 1000 kg/m^3, all of material m; `fields` and what else is in the scene.
inline std::string field_scene(const PushedMethod& method, const std::string& body,
                               const std::string& more, const std::string& gravity = "[0, 0, 0]",
                               const std::string& top = "fps = 10") {
  return fmt::format(R"({}
[world]
gravity = {}
[material.m]
method = "{}"
density = 1000.0
{}
[body.b]
material = "m"
packing = "cubic"
{}
{})",
                     top, gravity, method.name, method.keys, body, more);
}

/// One particle at a place, spacing 0.1 m.
inline std::string one_particle(const std::string& place, const std::string& velocity) {
  return fmt::format(
      "shape = {{ type = \"box\", centre = {}, size = [0.1, 0.1, 0.1] }}\nspacing = 0.1\nvelocity "
      "= {}\n",
      place, velocity);
}

inline World world_of(const std::string& text) {
  return build(parse_scene(text, "test"), {});
}

inline const HostParticles& particles_of(World& world) {
  return world.methods.front()->particles();
}

inline void advance_to(World& world, double time) {
  while (world.environment.time < time * (1 - 1e-9)) advance(world);
}

inline double extra_of(const Diagnostics& d, const std::string& name) {
  for (const auto& [key, value] : d.extra)
    if (key == name) return value;
  return not_given;
}

}  // namespace phyxel
