#pragma once

#include <vector>

#include "phyxel/matter/body_seed.h"
#include "phyxel/matter/surface_mesh.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// The bodies of a [surface.NAME] table with method = "body", with the meshes whose vertices their
/// particles are. `bodies`: into Scene::bodies.
std::vector<BodySeed> sheets_of(const Scene& scene, const std::vector<std::size_t>& bodies);

/// Their meshes, and tubes around lines, as one surface where the particles are now, with their
/// attributes. Meshes that are sets of the frame, by the names of their bodies, are taken from it:
/// they may be torn.
SurfaceMesh sheet_surface(const std::vector<BodySeed>& sheets, const Frame& frame);

}  // namespace phyxel
