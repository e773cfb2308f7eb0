#include "phyxel/app/surfaces/bare_surfels.h"

#include <fmt/format.h>

#include "phyxel/surfaces/point_runs.h"

namespace phyxel {

namespace {

/// Surfaces lie up to about a spacing from the particles of a regular packing, edges farther.
constexpr Real far_away = Real(1.5);  // spacings

struct Bare {
  Index count = 0;
  Real distance = 0;  // m, of the farthest, as far as it was looked for
};
struct Farther {
  Bare operator()(const Bare& a, const Bare& b) const {
    return {a.count + b.count, max(a.distance, b.distance)};
  }
};

}  // namespace

std::string bare_surfels_warning(const Exec& exec, const Surfels& surfels,
                                 const std::vector<Vec3>& points, Real spacing,
                                 const std::string& surface, const std::string& body) {
  if (points.empty()) return "";
  const Column<Vec3> at(points.begin(), points.end());
  const Real reach = 3 * spacing;
  const IndexedCells cells = index_cells(exec, at, reach);
  const Bare bare = reduce(
      exec, "surfels.bare", surfels.size(), Bare{},
      [&](Index s) {
        Real nearest = reach * reach;
        visit_runs(cells, surfels.x[s], reach, 1, [&](Index first, Index last) {
          for (Index k = first; k < last; ++k)
            nearest = min(nearest, length_squared(at[cells.cells.order[k]] - surfels.x[s]));
        });
        const Real distance = std::sqrt(nearest);
        return distance > far_away * spacing ? Bare{1, distance} : Bare{};
      },
      Farther{});
  if (bare.count == 0) return "";
  return fmt::format(
      "{}: {} of {} surfels of {} are more than {} spacings from all of its particles, by up to "
      "{:.3g} m: parts thinner than the spacing have none, meet nothing and move as the nearest "
      "ones do; lower {}.spacing = {:.3g}",
      surface, bare.count, surfels.size(), body, far_away, bare.distance, body, spacing);
}

}  // namespace phyxel
