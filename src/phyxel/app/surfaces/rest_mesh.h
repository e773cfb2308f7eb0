#pragma once

#include "phyxel/matter/surface_mesh.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/surfaces/local_transforms.h"

// What surfaces that follow particles from their rest pose share.

namespace phyxel {

/// The mesh of a body at the start: that of the table or of the body's shape, with its colours;
/// around a body of another shape the surface of its points. `spacing`: of the particles, m.
SurfaceMesh rest_mesh(const Exec& exec, const Scene& scene, const SurfaceSpec& spec,
                      const BodySpec& body, const std::vector<Vec3>& points, Real spacing,
                      ShapeFiles& files);

/// Local transformations of particles since the start: those that their method knows, or
/// estimates.
Column<Mat3> transforms_of(const Exec& exec, const RestShape& rest, const Frame& particles);

}  // namespace phyxel
