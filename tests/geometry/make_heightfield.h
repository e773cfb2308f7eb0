#pragma once

#include <algorithm>
#include <functional>

#include "phyxel/geometry/heightfield.h"

namespace phyxel {

/// Heights from a function of (x, z).
inline std::shared_ptr<const Heightfield> make_heightfield(
    const Vec2& size, Index nx, Index nz, const std::function<Real(Real, Real)>& height,
    Real depth) {
  std::vector<Real> heights;
  for (Index z = 0; z < nz; ++z)
    for (Index x = 0; x < nx; ++x)
      heights.push_back(height(size[0] * (Real(x) / std::max<Index>(1, nx - 1) - Real(0.5)),
                               size[1] * (Real(z) / std::max<Index>(1, nz - 1) - Real(0.5))));
  return make_heightfield(size, nx, nz, std::move(heights), depth);
}

}  // namespace phyxel
