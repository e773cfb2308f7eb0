#pragma once

#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

/// Memory that is reused from frame to frame.
struct SurfelScratch {
  Column<AffineRow> maps;
};

/// Takes the surface from one frame of its phyxels to the next. Both must have `boundary`
/// (measure_boundary) where the surface blends.
void advance_surfels(const Exec& exec, SurfelSurface& surface, const SurfelPhyxels& before,
                     const SurfelPhyxels& now, const SurfelOptions& options,
                     SurfelScratch& scratch);

}  // namespace phyxel
