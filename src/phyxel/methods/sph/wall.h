#pragma once

#include "phyxel/matter/sph_kernel.h"

namespace phyxel::sph {

// A particle beside a collider is taken to see its own mirror image, smeared out to a sheet, and
// more such sheets a spacing apart behind it. What they add to its density is an integral of the
// kernel that depends on the distance alone: no particles are needed in walls, whatever their
// shape. The force is the slope of the energy of that density, so that walls neither add energy nor
// take any. A lattice half a spacing from the wall has the density of its inside, to a thousandth,
// and the force that the missing half would have.
//
// A half-space filled with liquid (Kulasegaram et al. 2004; Ferrand et al. 2013) makes such a
// lattice three percent too dense, and to balance a pressure its force has to be twice the slope of
// the energy: liquid at rest then begins to boil along the walls.

/// The sums over the sheets for h = 1, by distance from 0 to the reach.
struct WallTable {
  static constexpr int intervals = 128;
  Real covered[intervals + 1] = {};  // of W: the share of the kernel that the wall covers
  Real push[intervals + 1] = {};     // its slope, 1/m
  Real shear[intervals + 1] = {};    // of -W'/r, 1/m^2, over sheets that stay where they are
};

/// For particles of volume spacing^dimensions at rest.
WallTable make_wall_table(const Kernel& kernel, Real spacing, int dimensions);

/// What a wall does to a particle at a distance.
struct WallTerm {
  Real covered = 0;  // ratio of density that it adds, 0 to 1
  Real push = 0;     // 1/m
  Real shear = 0;    // 1/m^2
};

/// A particle within the wall is taken to lie on its surface.
PHYXEL_FN WallTerm wall_term(const WallTable& table, const Kernel& kernel, Real distance) {
  const Real q = max(distance, Real(0)) * kernel.over_h * (WallTable::intervals / 2);
  if (!(q < WallTable::intervals)) return {};
  const int k = static_cast<int>(q);
  const auto between = [&](const Real* values) {
    return values[k] + (q - k) * (values[k + 1] - values[k]);
  };
  return {between(table.covered), between(table.push) * kernel.over_h,
          between(table.shear) * kernel.over_h * kernel.over_h};
}

/// Several walls at one particle. Where two of them meet at a right angle each covers its share of
/// what the other leaves open.
struct WallSum {
  Real open = 1;  // share of the kernel that no wall covers

  PHYXEL_FN void add(const WallTerm& term) { open *= 1 - term.covered; }
  PHYXEL_FN Real covered() const { return 1 - open; }
};

/// By how much a wall accelerates a particle along its normal, m/s^2. `tension` is p / ratio^2, Pa;
/// `open` what other walls leave of the kernel.
PHYXEL_FN Real wall_acceleration(const WallTerm& term, Real tension, Real density, Real open) {
  return tension / density * term.push * open;
}

}  // namespace phyxel::sph
