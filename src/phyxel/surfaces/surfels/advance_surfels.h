#pragma once

#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/surfels/contact.h"
#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

/// Memory that is reused from frame to frame.
struct SurfelScratch {
  Column<AffineRow> maps;
  PointField blobs;
  Column<std::uint8_t> moved, kept, adopted;
};

/// Takes the surface from one frame of its phyxels to the next. Both must have `boundary`
/// (measure_boundary) where the surface blends. `touched`: what it may come onto, as it is now.
void advance_surfels(const Exec& exec, SurfelSurface& surface, const SurfelPhyxels& before,
                     const SurfelPhyxels& now, const SurfelOptions& options,
                     const std::vector<TouchedSurface>& touched, SurfelScratch& scratch);

}  // namespace phyxel
