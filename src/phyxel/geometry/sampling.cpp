#include "phyxel/geometry/sampling.h"

#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/lattice.h"

namespace phyxel {
namespace {

constexpr double most_points = std::numeric_limits<Index>::max();
constexpr double most_rows = 1 << 28, most_in_row = 1e9;

/// Points along an axis of length `extent` that lie centred with half a step at either end.
double fitting(Real extent, Real step) {
  return std::max(1.0, std::round(double(extent) / step));
}
/// As above, but odd, so that one lies at the centre, and enough to pass the ends.
double odd_past(Real extent, Real step) {
  return 2 * std::ceil(double(extent) / step / 2) + 1;
}

/// Numbers of points as a lattice can hold them, or a refusal.
Int3 checked_count(const double (&n)[3], Real spacing) {
  if (n[0] > most_in_row || n[1] * n[2] > most_rows)
    throw InputError(
        fmt::format("{:.3g} x {:.3g} x {:.3g} points fit about the shape: spacing = "
                    "{} m is too small for a body of this size",
                    n[0], n[1], n[2], spacing));
  return {Index(n[0]), Index(n[1]), Index(n[2])};
}

Lattice staggered(const Bounds& bounds, const Vec3& step, Real spacing, int dimensions) {
  double n[3] = {1, 1, 1};
  for (int k = 0; k < dimensions; ++k) n[k] = odd_past(bounds.size()[k], step[k]);
  return {bounds.centre(), step, checked_count(n, spacing), true};
}

Lattice square(const Bounds& bounds, Real spacing, int margin, int dimensions) {
  double n[3] = {1, 1, 1};
  for (int k = 0; k < dimensions; ++k) n[k] = fitting(bounds.size()[k], spacing) + 2 * margin;
  return {bounds.centre(), Vec3::filled(spacing), checked_count(n, spacing), false};
}

void add_if_inside(const Shape& shape, const Vec3& p, Where where, std::vector<Vec3>& points) {
  if (where == Where::inside || inside(shape, p)) points.push_back(p);
}

std::vector<Vec3> sample_lattice(const Shape& shape, const Lattice& lattice, Real spacing) {
  return collect<Vec3>(
      shape, lattice, 0, lattice_offset(spacing),
      [](std::vector<Vec3>& points, std::uint64_t, const Vec3& p, Where) { points.push_back(p); });
}

/// Displacement of at most `reach` along each axis; none along z in 2 dimensions.
Vec3 jitter(const Vec3& unit, Real reach, int dimensions) {
  Vec3 v = (unit * 2 - Vec3::filled(1)) * reach;
  if (dimensions == 2) v[2] = 0;
  return v;
}

/// Points inside the shape, each at most `reach` from a point of the lattice along each axis.
/// offsets(id, add) calls add(unit) with a place in the unit cube for each point that the lattice
/// point `id` becomes.
template <class Offsets>
std::vector<Vec3> sample_around(const Shape& shape, const Lattice& lattice, Real reach,
                                int dimensions, Offsets offsets) {
  return collect<Vec3>(
      shape, lattice, reach * std::sqrt(Real(3)), 0,
      [&](std::vector<Vec3>& points, std::uint64_t id, const Vec3& p, Where where) {
        offsets(id, [&](const Vec3& unit) {
          add_if_inside(shape, p + jitter(unit, reach, dimensions), where, points);
        });
      });
}

std::vector<Vec3> sample_jittered(const Shape& shape, const Lattice& lattice, Real spacing,
                                  std::uint32_t seed, int dimensions) {
  const Random random{seed, 0x6a697474};
  return sample_around(shape, lattice, spacing / 4, dimensions,
                       [&](std::uint64_t id, auto add) { add(random.uniform3(id)); });
}

/// Number of independent points in a cell that holds one on average (Poisson's law), from a uniform
/// number.
int poisson_of_one(Real uniform) {
  double probability = std::exp(-1.0), sum = probability;
  int n = 0;
  while (uniform >= sum && n < 12) {
    probability /= ++n;
    sum += probability;
  }
  return n;
}

std::vector<Vec3> sample_random(const Shape& shape, const Lattice& lattice, Real spacing,
                                std::uint32_t seed, int dimensions) {
  const Random random{seed, 0x72616e64};
  return sample_around(shape, lattice, spacing / 2, dimensions, [&](std::uint64_t id, auto add) {
    const int n = poisson_of_one(random.uniform(id, 0));
    for (int k = 1; k <= n; ++k) add(random.uniform3(id, k));
  });
}

void refuse_too_many(const Shape& shape, const Bounds& bounds, Packing packing, Real spacing,
                     int dimensions) {
  if (count_in_bounds(bounds, packing, spacing, dimensions) <= most_points) return;
  const double n = estimate_count(shape, packing, spacing, dimensions);
  if (n > most_points)
    throw InputError(
        fmt::format("spacing = {} m gives about {:.3g} points, at most {:.3g} are "
                    "possible; raise the spacing",
                    spacing, n, most_points));
}

}  // namespace

Lattice lattice_of(Packing packing, const Bounds& bounds, Real spacing, int dimensions) {
  const Real half_diagonal = spacing / std::sqrt(Real(2));
  if (packing == Packing::hexagonal || (packing == Packing::closest && dimensions == 2))
    return staggered(bounds, {spacing, spacing * std::sqrt(Real(0.75)), spacing}, spacing, 2);
  if (packing == Packing::closest)
    return staggered(bounds, {2 * half_diagonal, half_diagonal, half_diagonal}, spacing, 3);
  return square(bounds, spacing, packing == Packing::cubic ? 0 : 1, dimensions);
}

Bounds checked_bounds(const Shape& shape, Real spacing, int dimensions) {
  if (!(spacing > 0) || !std::isfinite(spacing))
    throw InputError(fmt::format("spacing = {} m must be above 0", spacing));
  if (dimensions != 2 && dimensions != 3)
    throw InputError(fmt::format("dimensions = {} must be 2 or 3", dimensions));
  Bounds bounds = bounds_of(shape);
  if (dimensions == 2) bounds.min[2] = bounds.max[2] = 0;
  if (!bounds.empty() && !is_bounded(bounds))
    throw InputError(
        "the shape has no end and cannot be filled with points; intersect it with a "
        "box");
  return bounds;
}

std::vector<Vec3> sample_inside(const Shape& shape, Packing packing, Real spacing,
                                std::uint32_t seed, int dimensions) {
  const Bounds bounds = checked_bounds(shape, spacing, dimensions);
  if (packing == Packing::hexagonal && dimensions != 2)
    throw InputError("packing = hexagonal is flat and needs dimensions = 2; use closest in 3D");
  if (bounds.empty()) return {};
  refuse_too_many(shape, bounds, packing, spacing, dimensions);
  if (packing == Packing::poisson) return sample_poisson(shape, bounds, spacing, seed, dimensions);
  const Lattice lattice = lattice_of(packing, bounds, spacing, dimensions);
  if (packing == Packing::jittered)
    return sample_jittered(shape, lattice, spacing, seed, dimensions);
  if (packing == Packing::random) return sample_random(shape, lattice, spacing, seed, dimensions);
  return sample_lattice(shape, lattice, spacing);
}

}  // namespace phyxel
