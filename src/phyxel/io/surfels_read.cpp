#include "phyxel/io/surfels_read.h"

#include <algorithm>

#include "phyxel/core/error.h"
#include "phyxel/io/points.h"
#include "phyxel/surfaces/surfels/surfel_set.h"

namespace phyxel {

FrameSet surfels_in(const Frame& points, const std::string& name) {
  FrameSet set = surfel_set(name, surfels_of(points.columns));
  for (const FrameColumn& column : points.columns) {
    const auto same = [&](const FrameColumn& c) { return c.name == column.name; };
    const auto known = std::find_if(set.columns.begin(), set.columns.end(), same);
    if (known == set.columns.end())
      set.columns.push_back(column);
    else if (column.components == known->components)
      *known = column;  // to the bit
  }
  return set;
}

FrameSet read_surfels(const std::filesystem::path& path, const std::string& name,
                      const Vec3d& origin) {
  const Frame points = rebased(read_points(path), origin);
  if (!has_surfels(points.columns))
    throw InputError(Place{path.string()},
                     "holds no surfels: its points need a normal, and half axes or a radius");
  return surfels_in(points, name);
}

}  // namespace phyxel
