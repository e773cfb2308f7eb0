#include "phyxel/surfaces/surfels/links.h"

#include <algorithm>
#include <limits>

#include "phyxel/surfaces/first_lanes.h"
#include "phyxel/surfaces/surfels/nearest_candidates.h"

namespace phyxel {

namespace {

constexpr Real at_cut = Real(1.2341e-4);  // exp(-9)

/// A Gaussian of width h/3, less what it is at h; `squared` in supports.
Pack link_weight(const Pack& squared) {
  return max(exp(squared * Pack(Real(-9))) - Pack(at_cut), Pack(Real(0)));
}
Real link_weight(Real squared) {
  return max(std::exp(-9 * squared) - at_cut, Real(0));
}

/// As many places as there can be links, for packs; those beyond the last are infinitely far.
struct Nearest {
  alignas(64) Real squared[most_links];
  alignas(64) Index phyxel[most_links] = {};
  int count = 0;

  Nearest() { std::ranges::fill(squared, std::numeric_limits<Real>::infinity()); }
};

void put_nearest_first(Links& links) {
  int first = 0;
  for (int k = 1; k < most_links && links.weight[k] > 0; ++k)
    if (links.weight[k] > links.weight[first]) first = k;
  std::swap(links.weight[0], links.weight[first]);
  std::swap(links.phyxel[0], links.phyxel[first]);
}

/// Weights of Gaussians less `cut`, which add up to 1; of all the same where this leaves nothing.
Links weighed(const Nearest& near, Real cut) {
  static_assert(most_links % lanes == 0);
  const Pack zero(Real(0));
  alignas(64) Real weight[most_links + lanes] = {};
  Links links{LinkPhyxels::zero(), LinkWeights::zero()};
  int kept = 0;
  for (int k = 0; k < near.count; k += lanes) {
    const Pack w = link_weight(Pack::load_aligned(near.squared + k)) - Pack(cut);
    const std::uint32_t bits = bits_of(w > zero);
    compress(near.phyxel + k, bits, links.phyxel.c + kept);
    kept += compress(w, bits, weight + kept);
  }
  for (int k = 0, all = kept; all == 0 && k < near.count; ++k)
    if (near.squared[k] < std::numeric_limits<Real>::infinity())
      links.phyxel[kept] = near.phyxel[k], weight[kept++] = 1;
  Pack sum = zero;
  for (int k = 0; k < most_links; k += lanes) sum += Pack::load_aligned(weight + k);
  const Pack share(1 / xsimd::hadd(sum));
  for (int k = 0; k < most_links; k += lanes)
    (Pack::load_aligned(weight + k) * share).store_unaligned(links.weight.c + k);
  return links;
}

/// The `count` nearest ones in order; returns the distance of the first that is left out.
Real take_nearest(const Candidates& found, int count, Nearest& near) {
  near.count = std::min(static_cast<int>(found.count), count);
  return phyxel::take_nearest(found, count, [&](int rank, Index k) {
    near.squared[rank] = found.squared[k], near.phyxel[rank] = found.index[k];
  });
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
  search.place_of.resize(places.size());
  for (Index k = 0; k < search.size(); ++k) {
    const Index i = search.cells.order[k];
    search.phyxel[k] = i;
    search.over_h2[k] = 1 / (support[i] * support[i]);
    search.place_of[i] = {{places[i][0], places[i][1], places[i][2], search.over_h2[k]}};
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

bool weigh_again(const LinkSearch& search, const Vec3& p, Links& links) {
  const Pack zero(Real(0)), one(Real(1)), infinity(std::numeric_limits<Real>::infinity());
  std::uint32_t some = 0;
  Nearest near;
  for (int k = 0; k < most_links && links.weight[k] > 0; k += lanes) {
    const QuadPack at = gather(search.place_of.data(), links.phyxel.c + k);
    const Pack dx = at.c[0] - Pack(p[0]), dy = at.c[1] - Pack(p[1]), dz = at.c[2] - Pack(p[2]);
    const Pack squared = (dx * dx + dy * dy + dz * dz) * at.c[3];
    const auto carries = Pack::load_unaligned(links.weight.c + k) > zero;
    const std::uint32_t bits = bits_of(carries & (squared < one));
    // Those that are out of reach get no weight where they are.
    select(carries, squared, infinity).store_aligned(near.squared + k);
    std::copy_n(links.phyxel.c + k, lanes, near.phyxel + k);
    near.count = most_links;
    some |= bits;
  }
  if (some == 0) return false;
  links = weighed(near, 0);
  put_nearest_first(links);
  return true;
}

namespace detail {

void find_candidates(const LinkSearch& search, const Vec3& p, Candidates& found) {
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
      compress(search.phyxel.data() + k, near, found.index.data() + found.count);
      found.count += compress(squared, near, found.squared.data() + found.count);
    }
  });
}

void take_all(const LinkSearch& search, const Vec3& p, Candidates& found) {
  found.count = 0;
  found.reserve(search.size());
  for (Index k = 0; k < search.size(); ++k) {
    found.index[k] = search.phyxel[k];
    found.squared[k] = length_squared(search.place(k) - p) * search.over_h2[k];
  }
  found.count = search.size();
}

Links links_from(Candidates& found) {
  Nearest near;
  const Real left_out = take_nearest(found, most_links, near);
  return weighed(near, left_out < 1 ? link_weight(left_out) : Real(0));
}

Links links_to_nearest(Candidates& found) {
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
