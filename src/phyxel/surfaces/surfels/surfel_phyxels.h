#pragma once

#include "phyxel/core/exec.h"
#include "phyxel/matter/frame.h"

namespace phyxel {

/// The phyxels of a frame that carry a surface, in the order of their ids. Columns that a method
/// does not have are empty.
struct SurfelPhyxels {
  Column<ParticleId> id;
  Column<Vec3> x;                // now, m
  Column<Vec3> reference;        // in the reference shape, m; stays while a phyxel does not absorb
  Column<Mat3> deformation;      // F: from the reference shape to now
  Column<Mat3> absorbed;         // A: deformation that the reference shape has absorbed
  Column<std::uint8_t> absorbs;  // 1: its reference shape follows the deformation (it flows)
  Column<Real> support;          // h: how far it is felt, m
  Column<Index> object;          // bodies do not see each other in the reference shape
  Column<Real> boundary;         // P: how probably it lies on the boundary, 0 to 1

  Index size() const { return static_cast<Index>(x.size()); }
};

/// Throws Error where a column has another length than the positions, or one is missing that must
/// be there.
void check(const SurfelPhyxels& phyxels);

/// The particles `which` of a frame of a method with a reference shape, from its columns
/// `reference`, `deformation`, `absorbed`, `absorbs`, `support` and `object`; without boundary.
SurfelPhyxels surfel_phyxels(const Frame& frame, const std::vector<std::size_t>& which);

/// Of a method without a reference shape: rest positions and local transformations take its place,
/// as for skins. `support`: m, of all of them.
SurfelPhyxels surfel_phyxels(const Column<ParticleId>& id, const Column<Vec3>& x,
                             const Column<Vec3>& rest_positions, const Column<Mat3>& transforms,
                             Real support);

/// P = 1 - det C / (tr C / 3)^3 with the covariance C of the neighbours of a phyxel in the
/// reference shape, within its support (Mueller et al. 2004, eq. 29; in 2 dimensions det C /
/// (tr C / 2)^2). A phyxel with too few neighbours to span a body has P = 1.
void measure_boundary(const Exec& exec, int dimensions, SurfelPhyxels& phyxels);

}  // namespace phyxel
