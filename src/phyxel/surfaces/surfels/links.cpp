#include "phyxel/surfaces/surfels/links.h"

#include <algorithm>

namespace phyxel {

namespace {

Links no_links() {
  return {LinkPhyxels::zero(), LinkWeights::zero()};
}

/// A Gaussian of width h/3, less what it is at h; `squared` in supports.
Real link_weight(Real squared) {
  constexpr Real at_cut = Real(1.2341e-4);  // exp(-9)
  return max(std::exp(-9 * squared) - at_cut, Real(0));
}

/// The nearest ones of those found, sorted, up to `count` and one more.
void keep_nearest(std::size_t count, std::vector<detail::LinkCandidate>& found) {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(found.size(), count + 1));
  if (found.size() > count + 1)
    std::nth_element(found.begin(), found.begin() + kept - 1, found.end());
  found.resize(kept);
  std::sort(found.begin(), found.end());
}

}  // namespace

LinkSearch make_link_search(const Exec& exec, const Column<Vec3>& places,
                            const Column<Real>& support) {
  const Real reach = support.empty() ? 1 : *std::max_element(support.begin(), support.end());
  LinkSearch search{index_cells(exec, places, reach), {}, {}};
  search.place.resize(places.size()), search.over_h2.resize(places.size());
  for_each(exec, "surfels.search", static_cast<Index>(places.size()), [&](Index k) {
    const Index i = search.cells.cells.order[k];
    search.place[k] = places[i];
    search.over_h2[k] = 1 / (support[i] * support[i]);
  });
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
  for (int k = 0; k < most_links; ++k) {
    if (k >= count) links.phyxel[k] = 0;
    links.weight[k] = k < count ? links.weight[k] / sum : Real(0);
  }
  return count > 0;
}

bool weigh_again(const Column<Vec3>& places, const Column<Real>& support, const Vec3& p,
                 Links& links) {
  const int count = static_cast<int>(
      std::find(links.weight.c, links.weight.c + most_links, Real(0)) - links.weight.c);
  thread_local std::vector<detail::LinkCandidate> found;
  found.clear();
  for (int k = 0; k < count; ++k) {
    const Index i = links.phyxel[k];
    const Real squared = length_squared(places[i] - p) / (support[i] * support[i]);
    if (squared < 1) found.push_back({squared, i});
  }
  if (found.empty()) return false;
  links = detail::links_from(found);
  return true;
}

namespace detail {

Links links_from(std::vector<LinkCandidate>& found) {
  keep_nearest(most_links, found);
  const bool is_cut = found.size() > most_links;
  const Real cut = is_cut ? link_weight(found.back().squared) : Real(0);
  // Where all weigh the same, or nothing, the cut would leave nothing.
  const bool all_same = !(link_weight(found.front().squared) > cut);
  Links links = no_links();
  for (int k = 0; k < most_links && k < static_cast<int>(found.size()); ++k) {
    links.phyxel[k] = found[k].phyxel;
    links.weight[k] = all_same ? Real(1) : link_weight(found[k].squared) - cut;
  }
  make_whole(links);
  return links;
}

Links links_to_nearest(std::vector<LinkCandidate>& found) {
  constexpr std::size_t count = 4;
  if (found.empty()) return no_links();
  keep_nearest(count, found);
  found.resize(std::min(found.size(), count));
  // By how much farther they are than the nearest: no weight vanishes far away from all.
  const Real nearest = found.front().squared;
  for (LinkCandidate& c : found) c.squared -= nearest;
  return links_from(found);
}

}  // namespace detail

}  // namespace phyxel
