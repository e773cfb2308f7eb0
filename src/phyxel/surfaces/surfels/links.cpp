#include "phyxel/surfaces/surfels/links.h"

#include <algorithm>

namespace phyxel {

namespace {

Links no_links() {
  return {LinkPhyxels::zero(), LinkWeights::zero()};
}

}  // namespace

LinkSearch make_link_search(const Exec& exec, const Column<Vec3>& places,
                            const Column<Real>& support) {
  const Real reach = support.empty() ? 1 : *std::max_element(support.begin(), support.end());
  return {&places, &support, index_cells(exec, places, reach)};
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

namespace detail {

Links links_from(std::vector<LinkCandidate>& found) {
  const auto heavier = [](const LinkCandidate& a, const LinkCandidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.phyxel < b.phyxel;
  };
  const bool is_cut = found.size() > most_links;
  const auto kept = std::min<std::size_t>(found.size(), most_links);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept + is_cut),
                    found.end(), heavier);
  const Real cut = is_cut ? found[kept].weight : Real(0);
  // Where all weigh the same, the cut would leave nothing.
  const bool all_same = !found.empty() && !(found[0].weight > cut);
  Links links = no_links();
  for (std::size_t k = 0; k < kept; ++k) {
    links.phyxel[k] = found[k].phyxel;
    links.weight[k] = all_same ? Real(1) : found[k].weight - cut;
  }
  make_whole(links);
  return links;
}

Links links_to_nearest(const LinkSearch& search, const Vec3&, std::vector<LinkCandidate>& found) {
  if (found.empty()) return no_links();
  const auto nearer = [](const LinkCandidate& a, const LinkCandidate& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.phyxel < b.phyxel;
  };
  const auto kept = std::min(found.size(), least_links);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                    nearer);
  found.resize(kept);
  const Real h = (*search.support)[found[0].phyxel], width = h * h / 9;
  // By how much farther they are than the nearest: no weight vanishes far away from all.
  const Real nearest = found[0].squared;
  for (LinkCandidate& c : found) c.weight = std::exp((nearest - c.squared) / width);
  return links_from(found);
}

}  // namespace detail

}  // namespace phyxel
