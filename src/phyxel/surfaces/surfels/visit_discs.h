#pragma once

#include <bit>

#include "phyxel/surfaces/first_lanes.h"
#include "phyxel/surfaces/surfels/disc_search.h"

namespace phyxel {

/// A pack of discs seen from a place of a normal.
struct SeenDiscs {
  Pack d[3];       // from them to the place, m
  Pack normal[3];  // theirs
  Pack squared;    // distance
  Pack agreement;  // cosine between normals
};

/// visit(first, seen, lanes) for packs of discs that contain all within `reach` of p, which are
/// `width` cells away at most: those are in the `lanes`. It returns whether to go on.
template <class Visit>
void visit_discs(const DiscSearch& s, const Vec3& p, const Vec3& normal, Real reach, Index width,
                 const Visit& visit) {
  const Pack limit(reach * reach);
  bool goes_on = true;
  visit_runs(s, p, reach, width, [&](Index first, Index last) {
    for (Index k = first; k < last && goes_on; k += lanes) {
      const auto at = [&](const Column<Real>& c) { return Pack::load_unaligned(c.data() + k); };
      SeenDiscs seen{{Pack(p[0]) - at(s.x), Pack(p[1]) - at(s.y), Pack(p[2]) - at(s.z)},
                     {at(s.nx), at(s.ny), at(s.nz)},
                     {},
                     {}};
      const auto& [d, n, squared, agreement] = seen;
      seen.squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      seen.agreement = n[0] * Pack(normal[0]) + n[1] * Pack(normal[1]) + n[2] * Pack(normal[2]);
      const auto near = (squared < limit) & lanes_below(last - k);
      goes_on = visit(k, seen, near);
    }
  });
}

}  // namespace phyxel
