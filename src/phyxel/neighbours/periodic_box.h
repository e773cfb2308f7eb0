#pragma once

#include "phyxel/core/vec.h"

namespace phyxel {

/// Which axes repeat, and the box that does.
struct PeriodicBox {
  bool periodic[3] = {false, false, false};
  Vec3 min = Vec3::zero();   // m
  Vec3 size = Vec3::zero();  // m; used on periodic axes only
};

inline bool any_periodic(const PeriodicBox& box) {
  return box.periodic[0] || box.periodic[1] || box.periodic[2];
}

/// Shortest copy of a difference of positions. minimum_image(-d) = -minimum_image(d), bit for bit.
PHYXEL_FN Vec3 minimum_image(const PeriodicBox& box, Vec3 d) {
  for (int k = 0; k < 3; ++k)
    if (box.periodic[k]) d[k] -= box.size[k] * std::round(d[k] / box.size[k]);
  return d;
}

/// The copy of x in [min, min + size) on periodic axes; a position already there is unchanged.
PHYXEL_FN Vec3 wrap(const PeriodicBox& box, Vec3 x) {
  for (int k = 0; k < 3; ++k) {
    const Real end = box.min[k] + box.size[k];
    if (!box.periodic[k] || (x[k] >= box.min[k] && x[k] < end)) continue;
    x[k] -= box.size[k] * std::floor((x[k] - box.min[k]) / box.size[k]);
    // Rounding may land on or beyond either end, which are the same place.
    if (x[k] < box.min[k] || x[k] >= end) x[k] = box.min[k];
  }
  return x;
}

}  // namespace phyxel
