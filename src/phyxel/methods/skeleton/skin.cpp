#include "phyxel/methods/skeleton/skin.h"

#include <algorithm>

namespace phyxel {

Real skin_within(const PeriodicBox& box, Real cutoff, double share) {
  Real skin = static_cast<Real>(share) * cutoff;
  for (int k = 0; k < 3; ++k)
    if (box.periodic[k]) skin = std::max(Real(0), std::min(skin, box.size[k] / 2 - cutoff));
  return skin;
}

void adapt(double entries, int steps, Skin& skin) {
  constexpr double change_of_share = 1.1;
  const double cost = entries + skin.cost_of_search / steps;
  if (cost > skin.cost) skin.grows = !skin.grows;
  skin.cost = cost;
  skin.share *= skin.grows ? change_of_share : 1 / change_of_share;
  skin.share = std::clamp(skin.share, Skin::least_share, Skin::largest_share);
}

}  // namespace phyxel
