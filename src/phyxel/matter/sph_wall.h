#pragma once

#include "phyxel/matter/sph_cohesion.h"

namespace phyxel::sph {

// The density of a particle beside a collider includes its own mirror image, smeared out to a
// sheet, and more such sheets a spacing apart behind it. Their part is an integral of the kernel
// that depends on the distance alone: no particles are needed in walls, whatever their shape. The
// force is the slope of the energy of that density, so that walls neither add energy nor take any.
// A lattice half a spacing from the wall has the density of its inside, to a thousandth, and the
// force that the missing half would exert.
//
// A half-space filled with liquid (Kulasegaram et al. 2004; Ferrand et al. 2013) makes such a
// lattice three percent too dense, and to balance a pressure its force has to be twice the slope of
// the energy: particles of a liquid at rest then begin to move along the walls.

/// The sums over the sheets for h = 1, by distance from 0 to the reach.
struct WallTable {
  static constexpr int intervals = 128;
  Real covered[intervals + 1] = {};  // of W: the share of the kernel that the wall covers
  Real push[intervals + 1] = {};     // its slope, 1/m
  Real shear[intervals + 1] = {};    // of -W'/r, 1/m^2, over sheets that stay where they are
  Real cover[intervals + 1] = {};    // of the kernel of surface tension
  Real lean[intervals + 1] = {};     // its slope, 1/m
  Real across[intervals + 1] = {};   // of that the part along the lines of pairs, 1/m
};

/// For particles of volume spacing^dimensions at rest.
WallTable make_wall_table(const SmoothingKernel& kernel, Real spacing, int dimensions);

/// Terms of a wall for a particle at a distance.
struct WallTerm {
  Real covered = 0;  // ratio of density that it adds, 0 to 1
  Real push = 0;     // 1/m
  Real shear = 0;    // 1/m^2
};

/// Terms of a wall for surface tension, where it counts as more of the same liquid.
struct WallCover {
  Real cover = 0;
  Real lean = 0;    // 1/m
  Real across = 0;  // 1/m
};

/// Interpolates values[distance]; for a particle within the wall, those at its surface.
struct WallPlace {
  int k = WallTable::intervals;
  Real share = 0;

  PHYXEL_FN WallPlace(const SmoothingKernel& kernel, Real distance) {
    const Real q = max(distance, Real(0)) * kernel.over_h * (WallTable::intervals / 2);
    if (!(q < WallTable::intervals)) return;
    k = static_cast<int>(q);
    share = q - k;
  }
  PHYXEL_FN bool within_reach() const { return k < WallTable::intervals; }
  PHYXEL_FN Real of(const Real* values) const {
    return values[k] + share * (values[k + 1] - values[k]);
  }
};

PHYXEL_FN WallTerm wall_term(const WallTable& table, const SmoothingKernel& kernel, Real distance) {
  const WallPlace at(kernel, distance);
  if (!at.within_reach()) return {};
  return {at.of(table.covered), at.of(table.push) * kernel.over_h,
          at.of(table.shear) * kernel.over_h * kernel.over_h};
}

PHYXEL_FN WallCover wall_cover(const WallTable& table, const SmoothingKernel& kernel,
                               Real distance) {
  const WallPlace at(kernel, distance);
  if (!at.within_reach()) return {};
  return {at.of(table.cover), at.of(table.lean) * kernel.over_h,
          at.of(table.across) * kernel.over_h};
}

/// Attraction of a particle of a surface by a wall, N/m^3: as by the images of its pairs. It makes
/// surfaces meet walls at a right angle, and drops hang from ceilings.
PHYXEL_FN Real wall_pull(const Cohesion& cohesion, int dimensions, const WallCover& wall,
                         const Vec3& lean, const Vec3& normal) {
  const Real stress = length_squared(lean), to_wall = dot(lean, normal) * dot(lean, normal);
  const Real around = (stress - to_wall) / (dimensions - 1);
  const Real leans = to_wall * wall.across + around * (wall.lean - wall.across);
  return 2 * (stress * wall.lean - cohesion.across * leans);
}

/// Several walls at one particle. Where two of them meet at a right angle each covers its share of
/// what the other leaves open.
struct WallSum {
  Real open = 1;  // share of the kernel that no wall covers

  PHYXEL_FN void add(const WallTerm& term) { open *= 1 - term.covered; }
  PHYXEL_FN Real covered() const { return 1 - open; }
};

/// Acceleration of a particle by a wall along its normal, m/s^2. `tension` is p / ratio^2, Pa;
/// `open` the share of the kernel that other walls do not cover.
PHYXEL_FN Real wall_acceleration(const WallTerm& term, Real tension, Real density, Real open) {
  return tension / density * term.push * open;
}

}  // namespace phyxel::sph
