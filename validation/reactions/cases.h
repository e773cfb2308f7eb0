#pragma once

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// Forces on colliders that statics and the momentum of a jet tell: tests run these cases as
// they are, validate_reactions prints them, also for finer matter.

namespace phyxel {

/// A material of each method, of blocks with 0.1 m between particles.
struct MethodCase {
  std::string name;
  std::string material;  // keys of its table
  std::string packing = "packing = \"cubic\"";
  double spacing = 0.1;  // m
  // s, of methods that take velocities from positions; 0: of those whose positions follow.
  double step_of_velocities = 0;
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
      {"pbd", R"(
method = "pbd"
youngs_modulus = 1.0e5
damping = 5.0e-3
)",
       "packing = \"cubic\"", 0.1, 1 / 720.0},
      {"implicit mls", R"(
method = "mls"
preset = "jelly"
youngs_modulus = 1.0e5
integration = "implicit"
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

/// Mean of a number of the frames that come.
template <class Number>
double mean_over_frames(World& world, int frames, const Number& number) {
  double sum = 0;
  for (int frame = 0; frame < frames; ++frame) advance(world), sum += number(world);
  return sum / frames;
}

inline void skip_frames(World& world, int frames) {
  for (int frame = 0; frame < frames; ++frame) advance(world);
}

/// What walls exert on a settled block upwards, over its weight: theory has 1. What still swings
/// averages out over some frames.
inline double settled_weight(const MethodCase& method) {
  World world = world_of(fmt::format(R"(
fps = 20
dimensions = 2
[material.m]
{0}
[body.block]
material = "m"
shape = {{ type = "box", centre = [0, 0.25, 0], size = [0.5, 0.5, 0.5] }}
{2}
spacing = {1}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.5
[world]
domain = {{ min = [-0.3, -1, -1], max = [0.3, 2, 1] }}
walls = "closed"
)",
                                     method.material, method.spacing, method.packing));
  skip_frames(world, 20);
  const double force = mean_over_frames(world, 10, [](const World& now) {
    double upwards = 0;
    for (const Reaction& r : reactions(now))
      if (r.kind == ReactionKind::collider) upwards += r.force[1];
    return upwards;
  });
  return force / (9.81 * diagnose(world).mass);
}

/// A block on a slope of 20 degrees: gravity leans instead of the floor, which is the same.
struct Incline {
  double normal, friction;  // parts of the force, over those of theory
  double mixed;             // N, largest difference between the force and its parts along the axes
};
constexpr double incline_angle = 20 * M_PI / 180;

/// The block rests where friction is above tan(20 degrees) = 0.364, and slides below it.
inline Incline lean_block(const MethodCase& method, double friction) {
  World world =
      world_of(fmt::format(R"(
fps = 20
dimensions = 2
[world]
gravity = [{2}, {3}, 0]
[material.m]
{0}
[body.block]
material = "m"
shape = {{ type = "box", centre = [0, 0.2, 0], size = [0.8, 0.4, 0.5] }}
{5}
spacing = {1}
[collider.slope]
shape = {{ type = "plane" }}
friction = {4}
)",
                           method.material, method.spacing, 9.81 * std::sin(incline_angle),
                           -9.81 * std::cos(incline_angle), friction, method.packing));
  skip_frames(world, 40);
  Incline found{0, 0, 0};
  for (int frame = 0; frame < 40; ++frame) {
    advance(world);
    const Reaction& slope = reaction_of(world, "slope");
    found.normal += slope.normal_force / 40;
    found.friction += slope.friction[0] / 40;
    found.mixed = std::max({found.mixed, std::abs(slope.force[1] - slope.normal_force),
                            std::abs(slope.force[0] - slope.friction[0])});
  }
  const double weight = 9.81 * diagnose(world).mass;
  const double normal = weight * std::cos(incline_angle), along = weight * std::sin(incline_angle);
  found.normal /= normal;
  found.friction /= -std::min(friction * normal, along);
  return found;
}

/// A flat jet of water on a plate, 1 m wide along z, without gravity.
struct Jet {
  double inflow, plate;  // momentum that flows in, and force on the plate, over rho Q v
};

/// `spacing`: m, of the particles of a jet of 0.1 m.
inline Jet jet_on_plate(double spacing) {
  constexpr double speed = 2, thickness = 0.1, density = 1000;
  World world = world_of(fmt::format(R"(
fps = 50
dimensions = 2
[world]
gravity = [0, 0, 0]
[material.water]
method = "sph"
density = {}
sound_speed = 20.0
artificial_viscosity = 0.2
[emitter.nozzle]
material = "water"
shape = {{ type = "box", centre = [0, 0.25, 0], size = [{}, 0.05, 0.1] }}
packing = "cubic"
spacing = {}
direction = [0, -1, 0]
speed = {}
[collider.plate]
shape = {{ type = "plane" }}
friction = 0.0
restitution = 0.0
)",
                                     density, thickness, spacing, speed));
  // The stream turns within some tenths of a second, and leaves along the plate.
  skip_frames(world, 20);
  Jet jet{0, 0};
  for (int frame = 0; frame < 20; ++frame) {
    advance(world);
    jet.plate += reaction_of(world, "plate").force[1] / 20;
    for (const Reaction& r : reactions(world))
      if (r.kind == ReactionKind::inflow) jet.inflow -= r.force[1] / 20;
  }
  constexpr double expected = density * thickness * speed * speed;
  return {jet.inflow / expected, jet.plate / expected};
}

}  // namespace phyxel
