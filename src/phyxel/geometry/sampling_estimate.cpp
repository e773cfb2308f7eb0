#include <limits>

#include "phyxel/core/exec.h"
#include "phyxel/geometry/lattice.h"
#include "phyxel/geometry/sampling.h"

namespace phyxel {
namespace {

constexpr std::size_t most_cells = 120'000;  // in doubt at once: a fraction of a second for a model
constexpr double most_lattice_points = 262'144;

/// Boxes of one size that the surface may cut.
struct Cells {
  std::vector<Vec3> centres;
  Vec3 half;  // half size, m
  int dimensions;
};

Cells split(const Cells& cells) {
  Cells finer{{}, cells.half * Real(0.5), cells.dimensions};
  const int children = 1 << cells.dimensions;
  finer.centres.reserve(cells.centres.size() * children);
  for (const Vec3& c : cells.centres)
    for (int k = 0; k < children; ++k) {
      Vec3 side = {Real(k & 1 ? 1 : -1), Real(k & 2 ? 1 : -1), Real(k & 4 ? 1 : -1)};
      if (cells.dimensions == 2) side[2] = 0;
      finer.centres.push_back(c + scaled(side, finer.half));
    }
  return finer;
}

double volume_of_cell(const Cells& cells) {
  double v = 1;
  for (int k = 0; k < cells.dimensions; ++k) v *= 2.0 * cells.half[k];
  return v;
}

std::vector<Real> distances(const Shape& shape, const Cells& cells, Real offset) {
  std::vector<Real> d(cells.centres.size());
  for_each(Exec{}, "geometry.volume", static_cast<Index>(d.size()),
           [&](Index k) { d[k] = signed_distance(shape, cells.centres[k]).distance - offset; });
  return d;
}

/// Takes out cells that lie wholly inside or outside; returns how many were inside.
std::size_t settle(Cells& cells, const std::vector<Real>& d) {
  const Real reach = length(cells.half);
  std::size_t kept = 0, within = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (std::abs(d[k]) <= reach)
      cells.centres[kept++] = cells.centres[k];
    else if (d[k] < 0)
      ++within;
  }
  cells.centres.resize(kept);
  return within;
}

double density(Packing packing, Real spacing, int dimensions) {
  const double per_cell = std::pow(double(spacing), -dimensions);
  if (packing == Packing::closest && dimensions == 3) return std::sqrt(2.0) * per_cell;
  if (packing == Packing::closest || packing == Packing::hexagonal)
    return 2 / std::sqrt(3.0) * per_cell;
  if (packing == Packing::poisson) return 0.70 * per_cell;
  return per_cell;
}

bool is_lattice(Packing packing) {
  return packing == Packing::closest || packing == Packing::hexagonal || packing == Packing::cubic;
}

/// Points of a lattice, counted one row at a time.
std::size_t count_lattice(const Shape& shape, const Lattice& lattice, Real spacing) {
  const auto points_of_row = [&](Index r) {
    std::size_t n = 0;
    walk(shape, row(lattice, r), 0, lattice_offset(spacing),
         [&](Index, const Vec3&, Where) { ++n; });
    return n;
  };
  return reduce(Exec{}, "geometry.count_lattice", lattice.rows(), std::size_t{0}, points_of_row,
                [](std::size_t a, std::size_t b) { return a + b; });
}

}  // namespace

double volume(const Shape& shape, int dimensions, Real offset) {
  Bounds bounds = bounds_of(shape);
  if (bounds.empty()) return 0;
  bounds.min -= Vec3::filled(offset);
  bounds.max += Vec3::filled(offset);
  if (dimensions == 2) bounds.min[2] = bounds.max[2] = 0;
  Cells cells{{bounds.centre()}, bounds.size() * Real(0.5), dimensions};
  double sum = 0;
  std::vector<Real> d = distances(shape, cells, offset);
  for (int level = 0; level < 20; ++level) {
    sum += settle(cells, d) * volume_of_cell(cells);
    if (cells.centres.empty() || cells.centres.size() << dimensions > most_cells) break;
    cells = split(cells);
    d = distances(shape, cells, offset);
  }
  std::size_t within = 0;
  for (const Real x : distances(shape, cells, offset)) within += x < 0;
  return sum + within * volume_of_cell(cells);
}

std::size_t estimate_count(const Shape& shape, Packing packing, Real spacing, int dimensions) {
  const Bounds bounds = checked_bounds(shape, spacing, dimensions);
  if (bounds.empty()) return 0;
  const Vec3 size = bounds.size() + Vec3::filled(spacing);
  double in_bounds = 2 * density(packing, spacing, dimensions);
  for (int k = 0; k < dimensions; ++k) in_bounds *= size[k];
  if (is_lattice(packing) && in_bounds < most_lattice_points)
    return count_lattice(shape, lattice_of(packing, bounds, spacing, dimensions), spacing);
  // Points of a Poisson disk sample crowd at the border, as nothing beyond it keeps them away.
  const Real offset = packing == Packing::poisson ? Real(0.3) * spacing : 0;
  const double n = volume(shape, dimensions, offset) * density(packing, spacing, dimensions);
  return n < 1e18 ? static_cast<std::size_t>(std::lround(n))
                  : std::numeric_limits<std::size_t>::max();
}

}  // namespace phyxel
