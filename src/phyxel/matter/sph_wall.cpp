#include "phyxel/matter/sph_wall.h"

#include "phyxel/matter/sph_sheet.h"

namespace phyxel::sph {

WallTable make_wall_table(const SmoothingKernel& of, Real spacing_at_rest, int dimensions) {
  SmoothingKernel kernel = make_kernel(1, dimensions);
  const Real scale = of.peak / make_kernel(of.h, dimensions).peak;  // made for sums, or not
  kernel.peak *= scale;
  kernel.slope *= scale;
  const double spacing = spacing_at_rest / of.h;
  const Cohesion cohesion = make_cohesion(kernel, Real(spacing), dimensions);
  WallTable table;
  const auto w = [&](Real r) { return weight(kernel, r); };
  const auto slope = [&](Real r) { return inward_slope(kernel, r); };
  const auto cover = [&](Real r) { return cover_weight(kernel, cohesion, r); };
  const auto steep = [&](Real r) { return cover_slope(kernel, cohesion, r) / (r * r); };
  const auto bent = [&](Real r) { return cover_slope(kernel, cohesion, r); };
  for (int k = 0; k <= WallTable::intervals; ++k) {
    const double distance = 2.0 * k / WallTable::intervals;
    for (double z = 2 * distance; z < 2; z += spacing) {
      table.covered[k] += static_cast<Real>(spacing * over_sheet(z, dimensions, w));
      table.push[k] += static_cast<Real>(2 * spacing * z * over_sheet(z, dimensions, slope));
    }
    for (double z = distance + spacing / 2; z < 2; z += spacing) {
      table.shear[k] += static_cast<Real>(spacing * over_sheet(z, dimensions, slope));
      table.cover[k] += static_cast<Real>(spacing * over_sheet(z, dimensions, cover));
      table.lean[k] += static_cast<Real>(spacing * z * over_sheet(z, dimensions, bent));
      table.across[k] += static_cast<Real>(spacing * z * z * z * over_sheet(z, dimensions, steep));
    }
  }
  return table;
}

}  // namespace phyxel::sph
