#pragma once

#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {

/// A ball of some fifty particles of unit mass and spacing in empty space; `more` is added at the
/// end, `body` to the body, `world` to the world.
struct Ball {
  std::string top = "fps = 10";
  std::string world = "gravity = [0, 0, 0]";
  std::string material = "";
  std::string body = "";
  std::string more = "";
};

inline std::string text_of(const Ball& b) {
  return fmt::format(R"({}
[world]
{}
[material.wax]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0
{}
[body.ball]
material = "wax"
shape = {{ type = "sphere", radius = 2.2 }}
spacing = 1.0
{}
{}
)",
                     b.top, b.world, b.material, b.body, b.more);
}

inline World world_of(const Ball& ball, const std::filesystem::path& folder = ".") {
  return build(parse_scene(text_of(ball), "scene.toml", folder));
}

inline void advance_to(World& world, int frame) {
  while (world.frame < frame) advance(world);
}

}  // namespace phyxel
