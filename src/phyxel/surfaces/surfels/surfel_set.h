#pragma once

#include "phyxel/matter/frame.h"
#include "phyxel/surfaces/surfels/surfels.h"

// Surfels as columns, as files and frames have them: position, normal (unit, outwards), radius (the
// longer half axis, m), the half axes axis_u and axis_v (m), colour (bytes) where there are some,
// and id. Points with a normal and a radius are what other programs know.

namespace phyxel {

FrameSet surfel_set(std::string name, const Surfels& surfels);

/// True for points with a normal, and half axes or a radius.
bool has_surfels(const std::vector<FrameColumn>& columns);

/// The surfels of such points; where they have no half axes they become round discs. Ids count from
/// zero where there are none. Points whose normal or radius is no number or zero have no area.
Surfels surfels_of(const std::vector<FrameColumn>& columns);

}  // namespace phyxel
