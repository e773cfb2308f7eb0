#pragma once

// Scenes that between them use every kernel of the method.

namespace phyxel {

/// A block that falls on the floor, past a turning bar and into a bowl of a mesh; two materials,
/// one of them soft when warm, viscous, held by a pin: all that the kernels know.
inline constexpr const char* busy_scene = R"(
[world]
gravity = [0, -10, 0]
[material.hard]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 20.0
viscous_damping = 0.4
[material.soft]
method = "lennard_jones"
particle_mass = 1.2
dissociation_energy = 8.0
damping = 0.2
softening_start = 20.0
softening_end = 60.0
[body.a]
material = "hard"
shape = { type = "box", centre = [0, 6.0, 0], size = [8, 5, 8] }
spacing = 1.0
velocity = [0, -3, 0]
angular_velocity = [0, 0.3, 0]
[body.b]
material = "soft"
shape = { type = "box", centre = [0, 12.0, 0], size = [6, 4, 6] }
spacing = 1.0
temperature = 45.0
[pin.held]
body = "b"
shape = { type = "box", centre = [0, 13, 0], size = [3, 2, 3] }
motion = { times = [0, 5], positions = [[0, 0, 0], [1, 0.5, 0]] }
[collider.ground]
shape = { type = "plane", point = [0, 0, 0] }
friction = 0.5
restitution = 0.3
[collider.bar]
shape = { type = "capsule", radius = 0.8, height = 1.0, centre = [3, 1.2, 0] }
friction = 0.2
motion = { times = [0, 5], positions = [[0, 0, 0], [0, 0, 0]], rotations = [[0, 0, 0], [0, 0, 90]] }
[collider.bunny]
shape = { type = "bunny", centre = [-3, 1.2, 0], size = 2.0 }
)";

/// A cold free crystal of one material: the plain kernels.
inline constexpr const char* crystal_scene = R"(
[world]
gravity = [0, 0, 0]
[material.m]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0
[body.b]
material = "m"
shape = { type = "box", size = [16, 16, 16] }
spacing = 1.0
)";

}  // namespace phyxel
