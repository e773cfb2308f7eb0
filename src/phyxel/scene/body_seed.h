#pragma once

#include "phyxel/matter/body_seed.h"
#include "phyxel/matter/frame.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

/// The mesh whose vertices are the particles of a thin body (is_thin), where the body is at the
/// start. Throws InputError where the shape cannot be made of particles.
BodyMesh body_mesh(const Scene& scene, const BodySpec& body, ShapeFiles& files);

/// Volume (m^3) that a particle of the body stands for; in flat scenes the area, m^2.
double particle_volume(const Scene& scene, const BodySpec& body, ShapeFiles& files);

/// The body number `index` as its method gets it. Of a volume that a mesh encloses the mesh comes
/// along, not bound to points.
BodySeed body_seed(const Scene& scene, std::size_t index, ParticleId first_id, ShapeFiles& files);

/// The mesh of a seed in a frame, with the attributes of its particles: vertices are where these
/// are now. Triangles and edges of particles that the frame does not have are left out.
FrameSet mesh_of(const BodySeed& seed, const Frame& frame);

/// Refuses thin bodies of methods that have none.
void check_thin_bodies(const Scene& scene);

/// Refuses a filled body whose particles stand for far more matter than its shape holds: it is too
/// thin or too small for its spacing. Of methods whose mass is that of a reference shape.
void check_filling(const Scene& scene, const BodySpec& body, const BodySeed& seed,
                   ShapeFiles& files);

/// Refuses nozzles that emit what their method cannot make there.
void check_nozzles(const Scene& scene);

}  // namespace phyxel
