#include "phyxel/geometry/stream.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/lattice.h"

namespace phyxel {

namespace {

/// Two directions across a stream, along the axes where the stream is along one. The second
/// vanishes in 2 dimensions.
struct Across {
  Vec3 u, v;
};

Across across(const Vec3& direction, int dimensions) {
  if (dimensions == 2) return {{-direction[1], direction[0], 0}, Vec3::zero()};
  const Vec3 aside = std::abs(direction[2]) < Real(0.9) ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  const Vec3 u = normalized(cross(direction, aside));
  return {u, cross(direction, u)};
}

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

constexpr int slices_per_spacing = 8;
constexpr double darts_per_point = 150;  // more find hardly any room
constexpr double usual_points = 20000, most_points = 2e6;
constexpr int shortest_piece = 8, longest_piece = 128;  // spacings

/// A piece of the stream in coordinates across it and up the stream, in spacings. Cells are one
/// spacing wide, so that what is too near lies in the cells around.
class Piece {
 public:
  Piece(int half_width, int length, int dimensions)
      : half_(half_width),
        rows_(dimensions == 2 ? 1 : 2 * half_width + 2),
        length_(length),
        cells_(std::size_t(2 * half_width + 2) * rows_ * length) {}

  /// Whether no point is nearer than 1; up the stream the piece goes on with itself.
  bool has_room(const Vec3& p) const {
    const Int3 at = cell(p);
    for (Index k = at[2] - 1; k <= at[2] + 1; ++k)
      for (Index j = std::max(0, at[1] - 1); j <= std::min(rows_ - 1, at[1] + 1); ++j)
        for (Index i = at[0] - 1; i <= at[0] + 1; ++i)
          for (const Vec3& q : cells_[index(i, j, (k + length_) % length_)])
            if (length_squared(apart(p, q)) < 1) return false;
    return true;
  }
  void add(const Vec3& p) {
    const Int3 at = cell(p);
    cells_[index(at[0], at[1], at[2])].push_back(p);
    points.push_back(p);
  }
  std::vector<Vec3> points;

 private:
  Vec3 apart(const Vec3& p, const Vec3& q) const {
    Vec3 d = p - q;
    const auto whole = static_cast<Real>(length_);
    d[2] -= whole * std::round(d[2] / whole);
    return d;
  }
  Int3 cell(const Vec3& p) const {
    const auto across = [&](Real x) { return static_cast<Index>(std::floor(x)) + half_ + 1; };
    return {std::clamp(across(p[0]), 1, 2 * half_), rows_ == 1 ? 0 : across(p[1]),
            std::min(static_cast<Index>(p[2]), length_ - 1)};
  }
  std::size_t index(Index i, Index j, Index k) const {
    return (std::size_t(k) * rows_ + j) * (2 * half_ + 2) + i;
  }

  Index half_, rows_, length_;
  std::vector<std::vector<Vec3>> cells_;
};

/// A stream without order: a piece of it, filled by darts that keep their distance, whose end fits
/// its beginning. It passes the mouth in slices so thin that matter is let go nearly point by
/// point: whole layers let go at once stay together while they fall, and are seen as such.
void fill_poisson(Stream& s, const Shape& shape, Real spacing, std::uint32_t seed, int dimensions) {
  const Across axes = across(s.direction, dimensions);
  const Bounds bounds = checked_bounds(shape, spacing, dimensions);
  s.thickness = spacing / slices_per_spacing;
  if (bounds.empty()) return;
  const Vec3 centre = s.mouth = bounds.centre();
  const double half = length(cast<double>(bounds.size())) / (2 * spacing);
  const double box = dimensions == 2 ? 2 * half : 4 * half * half;  // around the mouth
  const double each = volume_per_point(Packing::poisson, 1, dimensions);
  const double piece =
      std::clamp<double>(std::floor(usual_points * each / box), shortest_piece, longest_piece);
  if (!(box * piece / each < most_points))
    throw InputError(fmt::format(
        "{:.3g} points fit into its mouth: spacing = {} m is too small for a nozzle of this size; "
        "packing = \"closest\" takes more",
        box / each, spacing));
  Piece filled(static_cast<int>(half) + 1, static_cast<int>(piece), dimensions);
  const Random random{seed, 0x73747265};
  const auto darts = static_cast<std::uint64_t>(darts_per_point * box * piece / each);
  const auto reach = static_cast<Real>(half), length_of_piece = static_cast<Real>(piece);
  for (std::uint64_t k = 0; k < darts; ++k) {
    const Vec3 dart = random.uniform3(k);
    const Vec3 p = {(2 * dart[0] - 1) * reach, dimensions == 2 ? 0 : (2 * dart[1] - 1) * reach,
                    std::min(dart[2] * length_of_piece, std::nextafter(length_of_piece, Real(0)))};
    const Vec3 place = centre + (axes.u * p[0] + axes.v * p[1]) * spacing;
    if (signed_distance(shape, place).distance < 0 && filled.has_room(p)) filled.add(p);
  }
  s.layers.assign(static_cast<std::size_t>(piece) * slices_per_spacing, {});
  for (const Vec3& p : filled.points) {
    const auto slice =
        std::min(static_cast<std::size_t>(p[2] * slices_per_spacing), s.layers.size() - 1);
    const Real ahead = (static_cast<Real>(slice) + Real(0.5)) / slices_per_spacing - p[2];
    s.layers[slice].push_back(centre +
                              (axes.u * p[0] + axes.v * p[1] + s.direction * ahead) * spacing);
  }
  s.held *= slices_per_spacing;
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
