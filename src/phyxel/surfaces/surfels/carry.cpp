#include "phyxel/surfaces/surfels/carry.h"

#include "phyxel/core/pack_rows.h"
#include "phyxel/core/svd.h"

namespace phyxel {

namespace {

/// Below this determinant, over the cube of its size, a map has no use as an inverse.
constexpr Real singular = Real(1e-6);

bool has_inverse(const Mat3& a) {
  const Real size = std::sqrt(norm_squared(a));
  return std::abs(determinant(a)) > singular * size * size * size;
}

Mat3 deformation_of(const SurfelPhyxels& p, Index i) {
  return p.absorbed.empty() ? p.deformation[i] : p.deformation[i] * p.absorbed[i];
}

/// F' A' (F A)^-1: what happened between two frames.
Mat3 increment(const SurfelPhyxels& before, const SurfelPhyxels& now, Index i) {
  const Mat3 was = deformation_of(before, i);
  return has_inverse(was) ? deformation_of(now, i) * inverse(was) : Mat3::identity();
}

PHYXEL_INLINE void add(const AffineRow* maps, const LinkPhyxels& phyxel, const LinkWeights& weight,
                       int first, TwoRows8& sum) {
  for (int k = first; k < first + 4; ++k)
    sum += load_loose<TwoRows8>(maps[phyxel[k]].c) * weight[k];
}

PHYXEL_INLINE TwoRows8 blended(const AffineRow* maps, const LinkPhyxels& phyxel,
                               const LinkWeights& weight) {
  TwoRows8 sum = load_loose<TwoRows8>(maps[phyxel[0]].c) * weight[0];
  for (int k = 1; k < 4; ++k) sum += load_loose<TwoRows8>(maps[phyxel[k]].c) * weight[k];
  for (int k = 4; k < most_links && weight[k] > 0; k += 4) add(maps, phyxel, weight, k, sum);
  return sum;
}

using Row4 = Real __attribute__((vector_size(4 * sizeof(Real))));

// Two phyxels that have turned by an angle a from each other have cos^2(a/2) of their determinants
// as that of their mean: up to 90 degrees it is the mean that counts, beyond 120 the nearest alone.
constexpr Real apart = Real(0.25), together = Real(0.5);

/// 1 where the mean of maps tells how a surfel moves, 0 where they have turned apart.
PHYXEL_INLINE Real agreement(Real determinant, Real mean_of_determinants) {
  if (determinant >= together * mean_of_determinants) return 1;
  return max((determinant / mean_of_determinants - apart) / (together - apart), Real(0));
}

template <int quarter>
PHYXEL_INLINE Row4 part(const TwoRows8& row) {
  return __builtin_shufflevector(row, row, 4 * quarter, 4 * quarter + 1, 4 * quarter + 2,
                                 4 * quarter + 3);
}

/// M a; reads one number beyond a.
PHYXEL_INLINE Row4 product(const TwoRows8& map, const Vec3& a) {
  const TwoRows8 terms = map * each_four_times(a.c);
  return part<0>(terms) + part<1>(terms) + part<2>(terms);
}

PHYXEL_INLINE Vec3 vector_of(const Row4& row) {
  return {row[0], row[1], row[2]};
}

PHYXEL_INLINE Row4 cross_of(const Row4& a, const Row4& b) {
  const Row4 a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3),
             b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  const Row4 d = a * b1 - a1 * b;
  return __builtin_shufflevector(d, d, 1, 2, 0, 3);
}
PHYXEL_INLINE Real determinant_of(const TwoRows8& map) {
  const Row4 terms = part<0>(map) * cross_of(part<1>(map), part<2>(map));
  return terms[0] + terms[1] + terms[2];
}

/// What carries a surfel: see mean_map.
PHYXEL_INLINE TwoRows8 held(const AffineRow* maps, const LinkPhyxels& phyxel,
                            const LinkWeights& weight) {
  const TwoRows8 mean = blended(maps, phyxel, weight);
  const Real share = agreement(determinant_of(mean), mean[15]);
  if (share >= 1) return mean;
  const TwoRows8 nearest = load_loose<TwoRows8>(maps[phyxel[0]].c);
  return nearest + (mean - nearest) * share;
}

AffineMap map_of(const TwoRows8& row) {
  AffineMap map;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) map.linear[r][c] = row[4 * c + r];
    map.shift[r] = row[12 + r];
  }
  return map;
}

/// Half axes; those of matter that is torn are cut.
PHYXEL_INLINE Vec3 cut(const Vec3& axis, Real longest) {
  const Real squared = length_squared(axis);
  return squared > longest * longest ? axis * (longest / std::sqrt(squared)) : axis;
}

/// Directions that are squeezed below it count as squeezed to it where a place is looked for.
constexpr Real least_stretch = Real(0.2), clearly_whole = Real(0.02);

Mat3 spread_inverse(const Mat3& a) {
  const Real size = std::sqrt(norm_squared(a));
  if (determinant(a) > clearly_whole * size * size * size) return inverse(a);
  const Svd<Real> s = svd(a);
  Mat3 back = Mat3::zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 u = {s.u[0][k], s.u[1][k], s.u[2][k]}, v = {s.v[0][k], s.v[1][k], s.v[2][k]};
    const Real least = s.sigma[k] < 0 ? -least_stretch : least_stretch;
    back += outer(v, u) * (1 / (std::abs(s.sigma[k]) < least_stretch ? least : s.sigma[k]));
  }
  return back;
}

}  // namespace

AffineRow row_of(const AffineMap& map) {
  AffineRow row = {};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) row.c[4 * c + r] = map.linear[r][c];
    row.c[12 + r] = map.shift[r];
  }
  row.c[15] = std::abs(determinant(map.linear));
  return row;
}

void find_maps(const Exec& exec, const SurfelPhyxels& before, const SurfelPhyxels& now,
               Column<AffineRow>& maps) {
  const Index n = now.size();
  maps.resize(2 * static_cast<std::size_t>(n));
  for_each(exec, "surfels.maps", n, [&](Index i) {
    const Mat3& f = now.deformation[i];
    maps[i] = row_of({f, now.x[i] - f * now.reference[i]});
    const Mat3 g = increment(before, now, i);
    maps[n + i] = row_of({g, now.x[i] - g * before.x[i]});
  });
}

AffineMap mean_map(const Column<AffineRow>& maps, const Links& links, Index first) {
  return map_of(held(maps.data() + first, links.phyxel, links.weight));
}

AffineMap mean_map(const SurfelPhyxels& p, const Links& links) {
  AffineRow maps[most_links] = {};
  Links own = links;
  for (int k = 0; k < most_links; ++k) {
    const Index i = links.phyxel[k];
    own.phyxel[k] = k;
    if (links.weight[k] > 0)
      maps[k] = row_of({p.deformation[i], p.x[i] - p.deformation[i] * p.reference[i]});
  }
  return map_of(held(maps, own.phyxel, own.weight));
}

void carry(const Exec& exec, const Column<AffineRow>& maps, Real longest, CarriedSurfels& surfels) {
  for (Column<Vec3>* anchor : {&surfels.anchor, &surfels.anchor_u, &surfels.anchor_v})
    anchor->reserve(surfels.x.size() + 1);
  const AffineRow* const of_reference = maps.data();
  const AffineRow* const of_frame = maps.data() + maps.size() / 2;
  const LinkPhyxels* const phyxel = surfels.phyxel.data();
  const LinkWeights* const weight = surfels.weight.data();
  const std::uint8_t* const flows = surfels.flows.data();
  const Vec3 *const p = surfels.anchor.data(), *const pu = surfels.anchor_u.data(),
                    *const pv = surfels.anchor_v.data();
  Vec3 *const x = surfels.x.data(), *const u = surfels.u.data(), *const v = surfels.v.data();
  for_each(exec, "surfels.carry", surfels.size(), [=](Index s) {
    const TwoRows8 map = held(flows[s] ? of_frame : of_reference, phyxel[s], weight[s]);
    x[s] = vector_of(product(map, p[s]) + part<3>(map));
    u[s] = cut(vector_of(product(map, pu[s])), longest);
    v[s] = cut(vector_of(product(map, pv[s])), longest);
  });
}

void move_anchor(const AffineMap& map, const Vec3& near, Index s, CarriedSurfels& surfels) {
  const Mat3 back = spread_inverse(map.linear);
  surfels.anchor[s] = near + back * (surfels.x[s] - map(near));
  surfels.anchor_u[s] = back * surfels.u[s];
  surfels.anchor_v[s] = back * surfels.v[s];
}

}  // namespace phyxel
