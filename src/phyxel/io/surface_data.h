#pragma once

#include <string>

#include "phyxel/matter/colour.h"
#include "phyxel/matter/surface_mesh.h"

// What the writers of surfaces share.

namespace phyxel {

/// Error unless positions are finite, triangles name vertices that exist, normals, texture and
/// attributes have one value per vertex, and no name comes twice.
void check_surface(const SurfaceMesh& surface, const std::string& file);

/// The attribute `colour` of 3 or 4 components, or null.
const FrameColumn* colour_of(const std::vector<FrameColumn>& columns);

/// colour_code as linear light, which glTF and USD want, by the sRGB transfer curve, IEC 61966-2-1;
/// alpha stays.
float colour_light(const FrameColumn& colour, std::size_t i, int c);

}  // namespace phyxel
