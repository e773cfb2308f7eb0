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
      {"lattice", R"(
method = "lattice"
preset = "jelly"
youngs_modulus = 1.0e5
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
