#pragma once

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

/// Phyxels in one frame, to be asked for those around a place.
struct LinkSearch {
  const Column<Vec3>* places = nullptr;  // of the reference shape, or now
  const Column<Real>* support = nullptr;
  IndexedCells cells;
};
LinkSearch make_link_search(const Exec& exec, const Column<Vec3>& places,
                            const Column<Real>& support);

/// The phyxels around p by a Gaussian of width h/3 about each of them, cut at h and, where there
/// are more than most_links, at the first of those left out, so that weights have no jump. Where
/// fewer than four are in reach, the four nearest. may_carry(i): whether phyxel i counts.
template <class MayCarry>
Links find_links(const LinkSearch& search, const Vec3& p, const MayCarry& may_carry);

/// Weights add up to 1 again after some became 0, which move to the end; false where none is left.
bool make_whole(Links& links);

namespace detail {

struct LinkCandidate {
  Real weight, squared;
  Index phyxel;
};

/// Weights of one search, at most many; the heaviest first.
Links links_from(std::vector<LinkCandidate>& found);
/// Of the nearest ones, however far they are.
Links links_to_nearest(const LinkSearch& search, const Vec3& p, std::vector<LinkCandidate>& found);

PHYXEL_FN Real link_weight(Real squared, Real support) {
  constexpr Real at_cut = Real(1.2341e-4);  // exp(-9)
  const Real w = std::exp(-9 * squared / (support * support)) - at_cut;
  return w > 0 ? w : Real(0);
}

constexpr std::size_t least_links = 4;

}  // namespace detail

template <class MayCarry>
Links find_links(const LinkSearch& search, const Vec3& p, const MayCarry& may_carry) {
  thread_local std::vector<detail::LinkCandidate> found;
  found.clear();
  visit_runs(search.cells, p, search.cells.cells.edge, 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Index i = search.cells.cells.order[k];
      const Real squared = length_squared((*search.places)[i] - p);
      const Real h = (*search.support)[i];
      if (squared < h * h && may_carry(i))
        found.push_back({detail::link_weight(squared, h), squared, i});
    }
  });
  if (found.size() >= detail::least_links) return detail::links_from(found);
  found.clear();
  for (Index i = 0; i < static_cast<Index>(search.places->size()); ++i)
    if (may_carry(i)) found.push_back({0, length_squared((*search.places)[i] - p), i});
  return detail::links_to_nearest(search, p, found);
}

}  // namespace phyxel
