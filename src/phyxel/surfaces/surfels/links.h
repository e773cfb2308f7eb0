#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/surfaces/point_runs.h"
#include "phyxel/surfaces/surfels/candidates.h"
#include "phyxel/surfaces/surfels/surfel_phyxels.h"

// Which phyxels carry a surfel, and how much each.

namespace phyxel {

/// Phyxels that carry a surfel at most: a cache line of their numbers.
constexpr int most_links = 16;
using LinkPhyxels = Vec<Index, most_links>;  // the nearest first
using LinkWeights = Vec<Real, most_links>;   // add up to 1; 0: no more

struct Links {
  LinkPhyxels phyxel;
  LinkWeights weight;
};

/// Phyxels in one frame, to be asked for those around a place, in the order of cells.
struct LinkSearch : SortedPoints {
  Column<Real> over_h2;   // of the support, 1/m^2; a few more than phyxels, as x, y and z
  Column<Index> phyxel;   // the order of cells, as long
  Column<Quad> place_of;  // of each phyxel, and its over_h2
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
bool weigh_again(const LinkSearch& search, const Vec3& p, Links& links);

namespace detail {

/// All within their support of p, with distances in supports.
void find_candidates(const LinkSearch& search, const Vec3& p, Candidates& found);
/// All there are.
void take_all(const LinkSearch& search, const Vec3& p, Candidates& found);
/// Gaussians of those within their support.
Links links_from(Candidates& found);
/// Of the nearest ones, however far they are.
Links links_to_nearest(Candidates& found);

/// Leaves those that may carry.
template <class MayCarry>
void choose(const MayCarry& may_carry, Candidates& found) {
  Index kept = 0;
  for (Index k = 0; k < found.count; ++k) {
    found.index[kept] = found.index[k], found.squared[kept] = found.squared[k];
    kept += may_carry(found.index[k]);
  }
  found.count = kept;
}

}  // namespace detail

template <class MayCarry>
Links find_links(const LinkSearch& search, const Vec3& p, const MayCarry& may_carry) {
  thread_local Candidates found;
  detail::find_candidates(search, p, found);
  detail::choose(may_carry, found);
  if (found.count > 0) return detail::links_from(found);
  detail::take_all(search, p, found);
  detail::choose(may_carry, found);
  return detail::links_to_nearest(found);
}

}  // namespace phyxel
