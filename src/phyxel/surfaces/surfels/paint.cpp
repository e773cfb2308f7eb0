#include "phyxel/surfaces/surfels/paint.h"

#include <cmath>



namespace phyxel {

namespace {

/// Number of the stripe or cube along one direction; the first has the middle in it.
long layer(Real along, Real width) {
  return std::lround(along / width);
}

}  // namespace

Vec3 painted(const Paint& paint, const Vec3& x) {
  const long number =
      paint.pattern == "stripes"
          ? layer(dot(x, normalized(paint.direction)), paint.width)
          : layer(x[0], paint.width) + layer(x[1], paint.width) + layer(x[2], paint.width);
  const auto count = static_cast<long>(paint.colours.size());
  return paint.colours[static_cast<std::size_t>(((number % count) + count) % count)];
}

void paint_surfels(const Paint& paint, Surfels& surfels) {
  Bounds bounds;
  for (const Vec3& x : surfels.x) bounds.include(x);
  const Vec3 middle = bounds.centre();
  surfels.colour.resize(surfels.x.size());
  for (std::size_t k = 0; k < surfels.x.size(); ++k)
    surfels.colour[k] = painted(paint, surfels.x[k] - middle);
}

}  // namespace phyxel
