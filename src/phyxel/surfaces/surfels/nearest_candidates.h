#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "phyxel/surfaces/first_lanes.h"
#include "phyxel/surfaces/surfels/candidates.h"

namespace phyxel {

/// How many candidates are nearer than candidate k; of those as near, ones of a smaller index.
inline int rank_of(const Candidates& found, Index k) {
  const Pack own(found.squared[k]);
  int nearer = 0, as_near = 0;
  for (Index j = 0; j < found.count; j += lanes) {
    const Pack other = Pack::load_unaligned(found.squared.data() + j);
    const auto there = lanes_below(found.count - j);
    nearer += std::popcount(bits_of((other < own) & there));
    as_near += std::popcount(bits_of((other == own) & there));
  }
  if (as_near == 1) return nearer;
  for (Index j = 0; j < found.count; ++j)
    nearer += found.squared[j] == found.squared[k] && found.index[j] < found.index[k];
  return nearer;
}

/// put(rank, k) for the `most` nearest candidates, the nearest with rank 0; returns the distance of
/// the first that is left out, or infinity. Few are compared each with all, without branches.
template <class Put>
Real take_nearest(const Candidates& found, int most, const Put& put) {
  constexpr Index few = 256;
  Real left_out = std::numeric_limits<Real>::infinity();
  if (found.count <= few) {
    for (Index k = 0; k < found.count; ++k) {
      const int rank = rank_of(found, k);
      if (rank < most) put(rank, k);
      if (rank == most) left_out = found.squared[k];
    }
    return left_out;
  }
  thread_local std::vector<Index> order;
  order.resize(static_cast<std::size_t>(found.count));
  for (Index k = 0; k < found.count; ++k) order[k] = k;
  std::partial_sort(order.begin(), order.begin() + most + 1, order.end(),
                    [&](Index a, Index b) { return found.is_nearer(a, b); });
  for (int rank = 0; rank < most; ++rank) put(rank, order[rank]);
  return found.squared[order[most]];
}

}  // namespace phyxel
