#include "phyxel/surfaces/surfels/point_surface.h"

#include <algorithm>
#include <cmath>

#include "phyxel/surfaces/surfels/candidates.h"
#include "phyxel/surfaces/surfels/disc.h"
#include "phyxel/surfaces/surfels/nearest_candidates.h"
#include "phyxel/surfaces/surfels/visit_discs.h"

namespace phyxel {

namespace {

constexpr Real cell_spacings = Real(2.5);
constexpr Index enough = 6, most = 12;
constexpr std::size_t colour_of = 8;  // nearest ones: the mean of many blurs edges of paint
constexpr Index widest = 4;           // cells to look into on each side
/// Of the distance to the farthest: the mean of half a disc is 0.29 from its middle, of a quarter
/// 0.41.
constexpr Real off_mean = Real(0.42);
constexpr Real sharp = Real(0.5);  // cosine of an edge that is not rounded

struct Near {
  Real squared;
  Index surfel;
};

/// `agreement`: the least cosine between normals.
void find_near(const PointSurface& s, const Vec3& p, const Vec3& normal, Real agreement,
               std::vector<Near>& nearest) {
  thread_local Candidates found;
  const Pack least(agreement * length_squared(normal));
  for (Index width = 1; width <= widest; width *= 2) {
    found.count = 0;
    const Real reach = s.search.cells.edge * static_cast<Real>(width);
    visit_discs(s.search, p, normal, reach, width,
                [&](Index first, const SeenDiscs& seen, const Pack::batch_bool_type& near) {
                  const std::uint32_t bits = bits_of(near & (seen.agreement >= least));
                  if (bits == 0) return true;
                  found.reserve(lanes);
                  compress(s.search.disc.data() + first, bits, found.index.data() + found.count);
                  found.count += compress(seen.squared, bits, found.squared.data() + found.count);
                  return true;
                });
    if (found.count >= enough) break;
  }
  nearest.resize(static_cast<std::size_t>(std::min(found.count, most)));
  take_nearest(found, most, [&](int rank, Index k) {
    nearest[rank] = {found.squared[k], found.index[k]};
  });
}

struct Sums {
  Real weight = 0, weight_of_colour = 0;
  Vec3 x = Vec3::zero(), normal = Vec3::zero(), colour = Vec3::zero();
  Real along = 0;  // sum w n_i . (p - x_i)
};

Sums sum_over(const PointSurface& s, const Vec3& p, const std::vector<Near>& near) {
  Sums sums;
  // Ends at the farthest, so that nothing jumps where another one comes.
  const Real end = near.back().squared * Real(1.0001) + Real(1e-12) * s.spacing * s.spacing;
  const std::size_t last = std::min<std::size_t>(colour_of, near.size() - 1);
  const Real end_of_colour = near[last].squared + Real(1e-12) * s.spacing * s.spacing;
  for (const Near& n : near) {
    const Real t = 1 - n.squared / end, w = t * t + Real(1e-6);
    const Vec3 &x = s.surfels->x[n.surfel], &normal = s.normal[n.surfel];
    sums.weight += w, sums.x += x * w, sums.normal += normal * w;
    sums.along += w * dot(normal, p - x);
    if (s.surfels->colour.empty() || n.squared > end_of_colour) continue;
    const Real part = 1 - n.squared / end_of_colour, w_of_colour = part * part + Real(1e-6);
    sums.weight_of_colour += w_of_colour;
    sums.colour += s.surfels->colour[n.surfel] * w_of_colour;
  }
  return sums;
}

}  // namespace

PointSurface make_point_surface(const Exec& exec, const Surfels& surfels, Real spacing) {
  PointSurface s;
  s.surfels = &surfels;
  s.spacing = spacing;
  s.normal.resize(surfels.x.size());
  for_each(exec, "surfels.normals", surfels.size(),
           [&](Index k) { s.normal[k] = disc_normal(surfels.u[k], surfels.v[k]); });
  s.search = make_disc_search(exec, surfels.x, s.normal, cell_spacings * spacing);
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
  return {x, n, sums.colour * (1 / max(sums.weight_of_colour, Real(1e-6))), near.front().surfel,
          aside > off_mean * off_mean * near.back().squared};
}

bool is_beyond_edge(const PointSurface& s, const Vec3& x, const Vec3& n) {
  const Pack above(Real(0.2) * s.spacing);
  bool beyond = false;
  visit_discs(
      s.search, x, n, s.search.cells.edge, 1,
      [&](Index, const SeenDiscs& seen, const Pack::batch_bool_type& near) {
        const Pack height =
            seen.normal[0] * seen.d[0] + seen.normal[1] * seen.d[1] + seen.normal[2] * seen.d[2];
        beyond = xsimd::any(near & (xsimd::abs(seen.agreement) < Pack(sharp)) & (height > above));
        return !beyond;
      });
  return beyond;
}

}  // namespace phyxel
