#pragma once

#include <string>
#include <vector>

#include "phyxel/surfaces/surfels/surfels.h"

namespace phyxel {

/// Colours by place, for bodies without a texture.
struct Paint {
  std::string pattern = "none";  // "none", "stripes" across a direction, "checker" of cubes
  Real width = 0;                // m, of a stripe or a cube
  Vec3 direction = {0, 1, 0};    // of stripes
  std::vector<Vec3> colours = {{Real(0.80), Real(0.72), Real(0.58)},
                               {Real(0.45), Real(0.10), Real(0.08)}};  // in turn
};

/// The colour at a place relative to the middle of what is painted.
Vec3 painted(const Paint& paint, const Vec3& x);

/// Gives surfels their colours, around the middle of their bounds. They keep them whatever happens.
void paint_surfels(const Paint& paint, Surfels& surfels);

}  // namespace phyxel
