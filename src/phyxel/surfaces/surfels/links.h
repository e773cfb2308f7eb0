#pragma once

#include <limits>

#include "phyxel/surfaces/point_runs.h"
#include "phyxel/surfaces/surfels/surfel_phyxels.h"

// Which phyxels carry a surfel, and how much each.

namespace phyxel {

/// Phyxels that carry a surfel at most: a cache line of their numbers.
constexpr int most_links = 16;
using LinkPhyxels = Vec<Index, most_links>;
using LinkWeights = Vec<Real, most_links>;  // add up to 1, the heaviest first; 0: no more

struct Links {
  LinkPhyxels phyxel;
  LinkWeights weight;
};

/// Phyxels in one frame, to be asked for those around a place, in the order of cells.
struct LinkSearch {
  IndexedCells cells;
  Column<Vec3> place;    // in the reference shape, or now, m
  Column<Real> over_h2;  // of the support, 1/m^2
};
LinkSearch make_link_search(const Exec& exec, const Column<Vec3>& places,
                            const Column<Real>& support);

/// The phyxels around p by a Gaussian of width h/3 about each of them, cut at h and, where there
/// are more than most_links, at the first of those left out, so that weights have no jump. Where
/// none is in reach, the four nearest. may_carry(i): whether phyxel i counts.
template <class MayCarry>
Links find_links(const LinkSearch& search, const Vec3& p, const MayCarry& may_carry);

/// Weights add up to 1 again after some became 0, which move to the end; false where none is left.
bool make_whole(Links& links);

/// The same phyxels with the weights that they have for a surfel at p now; false where none is in
/// reach.
bool weigh_again(const Column<Vec3>& places, const Column<Real>& support, const Vec3& p,
                 Links& links);

namespace detail {

struct LinkCandidate {
  Real squared;  // distance in supports
  Index phyxel;
  bool operator<(const LinkCandidate& b) const {
    return squared != b.squared ? squared < b.squared : phyxel < b.phyxel;
  }
};

/// Gaussians of those within their support, the heaviest first.
Links links_from(std::vector<LinkCandidate>& found);
/// Of the nearest ones, however far they are.
Links links_to_nearest(std::vector<LinkCandidate>& found);

}  // namespace detail

template <class MayCarry>
Links find_links(const LinkSearch& search, const Vec3& p, const MayCarry& may_carry) {
  thread_local std::vector<detail::LinkCandidate> found;
  found.clear();
  const auto look_at = [&](Index first, Index last, Real limit) {
    for (Index k = first; k < last; ++k) {
      const Real squared = length_squared(search.place[k] - p) * search.over_h2[k];
      if (squared < limit && may_carry(search.cells.cells.order[k]))
        found.push_back({squared, search.cells.cells.order[k]});
    }
  };
  visit_runs(search.cells, p, search.cells.cells.edge, 1,
             [&](Index first, Index last) { look_at(first, last, 1); });
  if (!found.empty()) return detail::links_from(found);
  look_at(0, static_cast<Index>(search.place.size()), std::numeric_limits<Real>::infinity());
  return detail::links_to_nearest(found);
}

}  // namespace phyxel
