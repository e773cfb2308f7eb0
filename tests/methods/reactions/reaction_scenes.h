#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {

/// A material of each method, of blocks with 0.1 m between particles.
struct MethodCase {
  std::string name;
  std::string material;  // keys of its table
  std::string packing = "packing = \"cubic\"";
  double spacing = 0.1;  // m
};

inline std::vector<MethodCase> every_method() {
  return {
      {"lennard_jones", R"(
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 200.0
damping = 15.0
viscous_damping = 20.0
obstacle_range = 0.1
)",
       ""},
      {"lennard_jones by euler", R"(
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 200.0
damping = 15.0
obstacle_range = 0.1
integration = "euler"
)",
       ""},
      {"mass_interaction", R"(
method = "mass_interaction"
preset = "paste"
)"},
      {"sph", R"(
method = "sph"
density = 1000.0
sound_speed = 15.0
artificial_viscosity = 1.0
)"},
      // Its own packing: others are not at rest.
      {"lattice", R"(
method = "lattice"
preset = "jelly"
youngs_modulus = 1.0e5
)",
       ""},
      {"mls", R"(
method = "mls"
preset = "jelly"
youngs_modulus = 1.0e5
damping = 5.0e-3
)"},
      {"mpm", R"(
method = "mpm"
preset = "jelly"
)"},
      {"mpm by flip", R"(
method = "mpm"
preset = "jelly"
transfer = "flip"
)"},
      {"implicit mpm", R"(
method = "mpm"
preset = "jelly"
integration = "implicit"
)"},
  };
}

/// A block that slides on a floor and meets a paddle that swings, and one that a pin swings.
inline std::string busy_scene(const MethodCase& method, int dimensions) {
  return fmt::format(R"(
dimensions = {2}
fps = 20
[world]
gravity = [0.0, -9.81, 0.0]
[material.m]
{0}
[body.falls]
material = "m"
shape = {{ type = "box", centre = [0, 0.35, 0], size = [0.6, 0.6, 0.4] }}
spacing = {1}
velocity = [-0.5, -1.0, 0.0]
[body.held]
material = "m"
shape = {{ type = "box", centre = [2, 1.35, 0], size = [0.4, 0.9, 0.4] }}
spacing = {1}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.3
restitution = 0.3
[collider.paddle]
shape = {{ type = "box", centre = [-0.5, 0.4, 0], size = [0.3, 0.8, 2] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0.6, 0, 0]] }}
[pin.hand]
body = "held"
shape = {{ type = "box", centre = [2, 1.7, 0], size = [1, 0.25, 1] }}
[pin.hand.motion]
times = [0, 1]
positions = [[0, 0, 0], [0, 0.4, 0]]
rotations = [[0, 0, 0], [0, 0, 60]]
pivot = [2, 1.7, 0]
)",
                     method.material, method.spacing, dimensions);
}

inline World world_of(const std::string& text) {
  return build(parse_scene(text, "reactions.toml"));
}

/// The reaction of this name; counts_reactions must be true.
inline const Reaction& reaction_of(const World& world, const std::string& name) {
  for (const Reaction& r : reactions(world))
    if (r.name == name && r.kind != ReactionKind::inflow) return r;
  throw Error("no reaction of " + name);
}

inline Vec3d sum_of_forces(const World& world) {
  Vec3d sum = Vec3d::zero();
  for (const Reaction& r : reactions(world)) sum += r.force;
  return sum;
}

}  // namespace phyxel
