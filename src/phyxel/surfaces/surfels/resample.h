#pragma once

#include "phyxel/surfaces/surfels/implicit_surface.h"
#include "phyxel/surfaces/surfels/point_surface.h"
#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

/// What resampled surfels lie on. Null: there is none.
struct ResampleTarget {
  const PointField* blobs = nullptr;        // L_I
  const PointSurface* points = nullptr;     // of zombies, or of the surfels before
  const CarriedSurfels* zombies = nullptr;  // behind `points`; their colour and blend count
};

/// What stays the same while a set is resampled.
struct ResampleCase {
  const SurfelPhyxels& phyxels;  // now
  ResampleTarget target;
  const SurfelOptions& options;
  Real spacing;         // m
  std::uint64_t frame;  // for random numbers
};

/// Whether a disc has been stretched, squeezed or sheared since it was round, or moved.
bool needs_resampling(const Exec& exec, const CarriedSurfels& surfels,
                      const Column<std::uint8_t>& moved, Real spacing, std::uint64_t frame);

/// Splits surfels with too few neighbours, deletes some of those with too many, spreads those
/// around evenly, and puts all of these back on the surface. `moved` marks surfels that have left
/// their place for another reason. Where nothing is stretched, crowded or moved, nothing
/// happens. Mueller et al. 2004, sections 5.2.4 and 5.2.5.
void resample(const Exec& exec, const ResampleCase& of, const Column<std::uint8_t>& moved,
              ParticleId& next_id, CarriedSurfels& surfels);

}  // namespace phyxel
