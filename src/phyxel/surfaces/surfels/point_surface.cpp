#include "phyxel/surfaces/surfels/point_surface.h"

#include <algorithm>
#include <cmath>

#include "phyxel/surfaces/surfels/disc.h"

namespace phyxel {

namespace {

constexpr Real cell_spacings = Real(2.5);
constexpr std::size_t enough = 6, most = 12;
constexpr Index widest = 4;  // cells to look into on each side
/// Of the distance to the farthest: the mean of half a disc is 0.29 from its middle, of a quarter
/// 0.41.
constexpr Real off_mean = Real(0.42);
constexpr Real sharp = Real(0.5);  // cosine of an edge that is not rounded

struct Near {
  Real squared;
  Index surfel;
  bool operator<(const Near& b) const {
    return squared != b.squared ? squared < b.squared : surfel < b.surfel;
  }
};

/// `agreement`: the least cosine between normals.
void find_near(const PointSurface& s, const Vec3& p, const Vec3& normal, Real agreement,
               std::vector<Near>& found) {
  const Real least = agreement * length_squared(normal);
  for (Index width = 1; width <= widest; width *= 2) {
    found.clear();
    const Real reach = s.cells.cells.edge * static_cast<Real>(width);
    visit_runs(s.cells, p, reach, width, [&](Index first, Index last) {
      for (Index k = first; k < last; ++k) {
        const Index i = s.cells.cells.order[k];
        const Real squared = length_squared(s.surfels->x[i] - p);
        if (squared < reach * reach && !(dot(s.normal[i], normal) < least))
          found.push_back({squared, i});
      }
    });
    if (found.size() >= enough) break;
  }
  const std::size_t kept = std::min(found.size(), most);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
  found.resize(kept);
}

struct Sums {
  Real weight = 0;
  Vec3 x = Vec3::zero(), normal = Vec3::zero(), colour = Vec3::zero();
  Real along = 0;  // sum w n_i . (p - x_i)
};

Sums sum_over(const PointSurface& s, const Vec3& p, const std::vector<Near>& near) {
  Sums sums;
  // Ends at the farthest, so that nothing jumps where another one comes.
  const Real end = near.back().squared * Real(1.0001) + Real(1e-12) * s.spacing * s.spacing;
  for (const Near& n : near) {
    const Real t = 1 - n.squared / end, w = t * t + Real(1e-6);
    const Vec3 &x = s.surfels->x[n.surfel], &normal = s.normal[n.surfel];
    sums.weight += w, sums.x += x * w, sums.normal += normal * w;
    sums.along += w * dot(normal, p - x);
    if (!s.surfels->colour.empty()) sums.colour += s.surfels->colour[n.surfel] * w;
  }
  return sums;
}

}  // namespace

PointSurface make_point_surface(const Exec& exec, const Surfels& surfels, Real spacing) {
  PointSurface s;
  s.surfels = &surfels;
  s.spacing = spacing;
  s.cells = index_cells(exec, surfels.x, cell_spacings * spacing);
  s.normal.resize(surfels.x.size());
  for_each(exec, "surfels.normals", surfels.size(),
           [&](Index k) { s.normal[k] = disc_normal(surfels.u[k], surfels.v[k]); });
  return s;
}

PointFoot foot_on_surfels(const PointSurface& s, const Vec3& p, const Vec3& normal) {
  thread_local std::vector<Near> near;
  find_near(s, p, normal, sharp, near);
  if (near.empty()) find_near(s, p, normal, 0, near);
  if (near.empty()) return {p, normal, Vec3::zero(), -1, true};
  const Sums sums = sum_over(s, p, near);
  const Real over = 1 / sums.weight;
  const Vec3 n = normalized(sums.normal);
  const Real height = (dot(n, p - sums.x * over) + sums.along * over) / 2;
  const Vec3 x = p - n * height;
  const Real aside = length_squared(x - sums.x * over);
  return {x, n, sums.colour * over, near.front().surfel,
          aside > off_mean * off_mean * near.back().squared};
}

bool is_beyond_edge(const PointSurface& s, const Vec3& x, const Vec3& n) {
  const Real reach = s.cells.cells.edge, above = Real(0.2) * s.spacing;
  bool beyond = false;
  visit_runs(s.cells, x, reach, 1, [&](Index first, Index last) {
    for (Index k = first; k < last && !beyond; ++k) {
      const Index i = s.cells.cells.order[k];
      const Vec3 d = x - s.surfels->x[i];
      beyond = std::abs(dot(s.normal[i], n)) < sharp && length_squared(d) < reach * reach &&
               dot(s.normal[i], d) > above;
    }
  });
  return beyond;
}

}  // namespace phyxel
