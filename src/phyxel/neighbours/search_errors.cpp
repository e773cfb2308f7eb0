#include "phyxel/neighbours/search_errors.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"

namespace phyxel {

void check_search(std::size_t n, Real radius, const PeriodicBox& box) {
  if (n >= static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw Error(fmt::format("neighbours: {} particles, at most {}; enlarge the spacing", n,
                            std::numeric_limits<Index>::max() - 1));
  const Real smallest = std::sqrt(std::numeric_limits<Real>::min());  // its square is no zero
  if (!(radius > smallest) || !std::isfinite(radius))
    throw Error(fmt::format("neighbours: the search radius {} m must be finite and above {:.1g} m",
                            radius, smallest));
  for (int k = 0; k < 3; ++k)
    if (box.periodic[k] && !(box.size[k] >= 2 * radius && std::isfinite(box.size[k])))
      throw Error(fmt::format(
          "neighbours: the periodic box is {:.6g} m along {}, must be at least {:.6g} m, twice the "
          "cut-off and skin; enlarge world.domain or lower the cut-off",
          box.size[k], "xyz"[k], 2 * radius));
}

void refuse_non_finite(Index particle, const Vec3& x) {
  throw Error(
      fmt::format("neighbours.cells: particle {} has the non-finite position ({}, {}, {}); a step "
                  "was too large "
                  "or a force blew up: lower time.max_dt or soften the material",
                  particle, x[0], x[1], x[2]));
}

void refuse_entries(double entries, std::size_t particles, Real radius) {
  throw Error(fmt::format(
      "neighbours.count: {} particles have {:.3g} neighbours within {:.4g} m, at most {} can be "
      "listed; lower the cut-off or skin, enlarge the spacing, or look for collapsed particles",
      particles, entries, radius, std::numeric_limits<Index>::max()));
}

}  // namespace phyxel
