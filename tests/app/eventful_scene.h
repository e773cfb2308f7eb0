#pragma once

namespace phyxel {

/// Everything that can change while a scene runs, in ten frames: two bodies in an order that is not
/// that of their names, heat, events and keys before and after any stop, pins that move and let go,
/// a collider that moves and one that vanishes.
inline const char* const eventful_scene = R"(duration = 0.5
fps = 20
seed = 5

[world]
gravity = [0.0, -9.81, 0.0]

[material.wax]
preset = "wax"
youngs_modulus = 2.0e4
obstacle_beta = 2.0

[material.jelly]
preset = "putty"
dissociation_energy = 1.0

[body.upper]
material = "wax"
shape = { type = "box", size = [0.5, 0.3, 0.3], centre = [0, 0.75, 0], rotation = [10, 20, 30] }
spacing = 0.1
temperature = 45.0
angular_velocity = [0, 0, 90]

[body.lower]
material = "jelly"
shape = { type = "sphere", radius = 0.2, centre = [0, 0.28, 0] }
spacing = 0.09
packing = "poisson"

[collider.ground]
shape = { type = "plane" }
friction = 0.5

[collider.post]
shape = { type = "cylinder", radius = 0.1, height = 0.5, centre = [0.6, 0.25, 0] }
motion = { times = [0, 0.5], positions = [[0, 0, 0], [-0.3, 0, 0]] }

[pin.corner]
body = "upper"
shape = { type = "sphere", radius = 0.2, centre = [-0.25, 0.75, 0] }
motion = { times = [0, 0.25], positions = [[0, 0, 0], [0, 0.1, 0]] }

[[event]]
time = 0.12
set = { "material.wax.viscous_damping" = 5.0, "collider.post.visible" = false }

[[event]]
time = 0.2
set = { "pin.corner.active" = false, "world.gravity" = [1.0, -5.0, 0.0] }

[[event]]
time = 0.37
set = { "body.lower.velocity" = [0, 2, 0], "collider.post.visible" = true }

[[keyframe]]
path = "material.jelly.dissociation_energy"
times = [0.0, 0.4]
values = [1.0, 3.0]

[[keyframe]]
path = "body.upper.temperature"
times = [0.1, 0.3]
values = [45.0, 70.0]
interpolation = "smooth"

[render]
width = 64
height = 36
samples = 1
colour_by = "temperature"
)";

}  // namespace phyxel
