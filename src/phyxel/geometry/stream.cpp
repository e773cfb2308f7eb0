#include "phyxel/geometry/stream.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/geometry/lattice.h"
#include "phyxel/geometry/stream_axes.h"

namespace phyxel {

namespace {

/// Points of a square lattice across the mouth, moved by a share of the spacing along both axes.
std::vector<Vec3> layer_of(const Shape& shape, const Across& axes, Real spacing, Real shift,
                           int dimensions) {
  const Bounds bounds = checked_bounds(shape, spacing, dimensions);
  if (bounds.empty()) return {};
  const double across_mouth = length(cast<double>(bounds.size())) / spacing;
  if (!(across_mouth < 1e4))
    throw InputError(
        fmt::format("{:.3g} points fit across the mouth: spacing = {} m is too small "
                    "for a nozzle of this size; raise it or make the shape smaller",
                    across_mouth, spacing));
  const Index most = static_cast<Index>(across_mouth / 2) + 1;
  const Index rows = dimensions == 2 ? 0 : most;
  std::vector<Vec3> points;
  for (Index j = -rows; j <= rows; ++j)
    for (Index i = -most; i <= most; ++i) {
      const Vec3 p =
          bounds.centre() + (axes.u * (Real(i) + shift) + axes.v * (Real(j) + shift)) * spacing;
      if (signed_distance(shape, p).distance < lattice_offset(spacing)) points.push_back(p);
    }
  return points;
}

/// Layers of the closest packing: each lies in the hollows of the one before. The shifts make them
/// mirror images of each other in a mouth that is its own.
void fill_closest(Stream& s, const Shape& shape, Real spacing, int dimensions) {
  const Across axes = across(s.direction, dimensions);
  s.thickness = spacing * (dimensions == 2 ? std::sqrt(Real(0.75)) : std::sqrt(Real(0.5)));
  s.layers = {layer_of(shape, axes, spacing, Real(0.25), dimensions),
              layer_of(shape, axes, spacing, Real(-0.25), dimensions)};
}

/// With or without a point in the middle, whichever fills the mouth better.
void fill_cubic(Stream& s, const Shape& shape, Real spacing, int dimensions) {
  const Across axes = across(s.direction, dimensions);
  s.thickness = spacing;
  s.layers.assign(2, layer_of(shape, axes, spacing, 0, dimensions));
  const std::vector<Vec3> other = layer_of(shape, axes, spacing, Real(0.5), dimensions);
  if (other.size() > s.layers[0].size()) s.layers.assign(2, other);
}

}  // namespace

std::size_t Stream::points() const {
  std::size_t count = 0;
  for (const std::vector<Vec3>& layer : layers) count += layer.size();
  return count;
}

Stream make_stream(const Shape& shape, const Vec3& direction, Packing packing, Real spacing,
                   int dimensions, std::uint32_t seed) {
  Stream s;
  s.direction = normalized(direction);
  if (packing == Packing::poisson)
    fill_poisson(s, shape, spacing, seed, dimensions);
  else if (packing == Packing::cubic || packing == Packing::jittered)
    fill_cubic(s, shape, spacing, dimensions);
  else
    fill_closest(s, shape, spacing, dimensions);
  if (s.empty()) return s;
  if (packing != Packing::poisson) s.mouth = s.layers[s.layers[0].empty() ? 1 : 0].front();
  s.area = static_cast<Real>(s.points_per_layer() * volume_per_point(packing, spacing, dimensions) /
                             s.thickness);
  return s;
}

}  // namespace phyxel
