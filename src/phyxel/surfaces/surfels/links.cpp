#include "phyxel/surfaces/surfels/links.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "phyxel/surfaces/first_lanes.h"

namespace phyxel {

namespace {

using detail::LinkCandidates;

constexpr Real at_cut = Real(1.2341e-4);  // exp(-9)

/// A Gaussian of width h/3, less what it is at h; `squared` in supports.
Pack link_weight(const Pack& squared) {
  return max(exp(squared * Pack(Real(-9))) - Pack(at_cut), Pack(Real(0)));
}
Real link_weight(Real squared) {
  return max(std::exp(-9 * squared) - at_cut, Real(0));
}

/// As many places as there can be links, and numbers that packs may be made of.
struct Nearest {
  alignas(64) Real squared[most_links] = {};
  LinkPhyxels phyxel = LinkPhyxels::zero();
  int count = 0;

  void put_nearest_first() {
    int first = 0;
    for (int k = 1; k < count; ++k)
      if (squared[k] < squared[first] ||
          (squared[k] == squared[first] && phyxel[k] < phyxel[first]))
        first = k;
    std::swap(squared[0], squared[first]);
    std::swap(phyxel[0], phyxel[first]);
  }
};

/// Weights of Gaussians less `cut`; of all the same where this leaves nothing.
Links weighed(Nearest& near, Real cut) {
  static_assert(most_links % lanes == 0);
  near.put_nearest_first();
  Links links{near.phyxel, LinkWeights::zero()};
  alignas(64) Real weight[most_links];
  std::fill(near.squared + near.count, near.squared + most_links, Real(1));
  for (int k = 0; k < most_links; k += lanes)
    (link_weight(Pack::load_aligned(near.squared + k)) - Pack(cut)).store_aligned(weight + k);
  const bool all_same = !(weight[0] > 0);
  for (int k = 0; k < near.count; ++k) links.weight[k] = all_same ? Real(1) : weight[k];
  make_whole(links);
  return links;
}

/// The `count` nearest ones; returns the distance of the first that is left out, or infinity.
Real take_nearest(LinkCandidates& found, int count, Nearest& near) {
  near.count = std::min(static_cast<int>(found.count), count);
  if (found.count <= count) {
    for (int k = 0; k < near.count; ++k)
      near.squared[k] = found.squared[k], near.phyxel[k] = found.phyxel[k];
    return std::numeric_limits<Real>::infinity();
  }
  thread_local std::vector<Index> order;
  order.resize(static_cast<std::size_t>(found.count));
  std::iota(order.begin(), order.end(), Index{0});
  std::nth_element(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) {
    return found.squared[a] != found.squared[b] ? found.squared[a] < found.squared[b]
                                                : found.phyxel[a] < found.phyxel[b];
  });
  for (int k = 0; k < count; ++k)
    near.squared[k] = found.squared[order[k]], near.phyxel[k] = found.phyxel[order[k]];
  return found.squared[order[count]];
}

}  // namespace

LinkSearch make_link_search(const Exec& exec, const Column<Vec3>& places,
                            const Column<Real>& support) {
  const Real reach = support.empty() ? 1 : *std::max_element(support.begin(), support.end());
  LinkSearch search;
  build_cells(exec, places, reach, {}, search.cells);
  fill_cells(exec, "surfels.search", places, search);
  search.over_h2.assign(search.x.size(), 1);
  search.phyxel.assign(search.x.size(), 0);
  for (Index k = 0; k < search.size(); ++k) {
    const Index i = search.cells.order[k];
    search.phyxel[k] = i;
    search.over_h2[k] = 1 / (support[i] * support[i]);
  }
  return search;
}

bool make_whole(Links& links) {
  Real sum = 0;
  int count = 0;
  for (int k = 0; k < most_links; ++k) {
    if (!(links.weight[k] > 0)) continue;
    sum += links.weight[k];
    links.phyxel[count] = links.phyxel[k], links.weight[count++] = links.weight[k];
  }
  const Real share = count > 0 ? 1 / sum : Real(0);
  for (int k = 0; k < count; ++k) links.weight[k] *= share;
  for (int k = count; k < most_links; ++k) links.phyxel[k] = 0, links.weight[k] = 0;
  return count > 0;
}

bool weigh_again(const Column<Vec3>& places, const Column<Real>& support, const Vec3& p,
                 Links& links) {
  Nearest near;
  for (int k = 0; k < most_links && links.weight[k] > 0; ++k) {
    const Index i = links.phyxel[k];
    const Real squared = length_squared(places[i] - p) / (support[i] * support[i]);
    near.squared[near.count] = squared, near.phyxel[near.count] = i;
    near.count += squared < 1;
  }
  if (near.count == 0) return false;
  links = weighed(near, 0);
  return true;
}

namespace detail {

void LinkCandidates::reserve(Index more) {
  const auto size = static_cast<std::size_t>(count + more + lanes);
  if (phyxel.size() < size) phyxel.resize(2 * size), squared.resize(2 * size);
}

void find_candidates(const LinkSearch& search, const Vec3& p, LinkCandidates& found) {
  found.count = 0;
  visit_runs(search, p, search.cells.edge, 1, [&](Index first, Index last) {
    found.reserve(last - first);
    for (Index k = first; k < last; k += lanes) {
      const Pack dx = Pack::load_unaligned(search.x.data() + k) - Pack(p[0]),
                 dy = Pack::load_unaligned(search.y.data() + k) - Pack(p[1]),
                 dz = Pack::load_unaligned(search.z.data() + k) - Pack(p[2]);
      const Pack squared = xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx)) *
                           Pack::load_unaligned(search.over_h2.data() + k);
      const std::uint32_t near = bits_of((squared < Pack(Real(1))) & lanes_below(last - k));
      compress(search.phyxel.data() + k, near, found.phyxel.data() + found.count);
      found.count += compress(squared, near, found.squared.data() + found.count);
    }
  });
}

void take_all(const LinkSearch& search, const Vec3& p, LinkCandidates& found) {
  found.count = 0;
  found.reserve(search.size());
  for (Index k = 0; k < search.size(); ++k) {
    found.phyxel[k] = search.phyxel[k];
    found.squared[k] = length_squared(search.place(k) - p) * search.over_h2[k];
  }
  found.count = search.size();
}

Links links_from(LinkCandidates& found) {
  Nearest near;
  const Real left_out = take_nearest(found, most_links, near);
  return weighed(near, left_out < 1 ? link_weight(left_out) : Real(0));
}

Links links_to_nearest(LinkCandidates& found) {
  constexpr int count = 4;
  if (found.count == 0) return {LinkPhyxels::zero(), LinkWeights::zero()};
  Nearest near;
  take_nearest(found, count, near);
  // By how much farther they are than the nearest: no weight vanishes far away from all.
  const Real nearest = *std::min_element(near.squared, near.squared + near.count);
  for (int k = 0; k < near.count; ++k) near.squared[k] -= nearest;
  return weighed(near, 0);
}

}  // namespace detail

}  // namespace phyxel
