#include "phyxel/surfaces/surfels/carry.h"

#include "phyxel/core/pack_rows.h"

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

}  // namespace

AffineRow row_of(const AffineMap& map) {
  AffineRow row = {};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) row.c[4 * c + r] = map.linear[r][c];
    row.c[12 + r] = map.shift[r];
  }
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
  const TwoRows8 sum = blended(maps.data() + first, links.phyxel, links.weight);
  AffineMap map;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) map.linear[r][c] = sum[4 * c + r];
    map.shift[r] = sum[12 + r];
  }
  return map;
}

void carry(const Exec& exec, const Column<AffineRow>& maps, CarriedSurfels& surfels) {
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
    const TwoRows8 map = blended(flows[s] ? of_frame : of_reference, phyxel[s], weight[s]);
    x[s] = vector_of(product(map, p[s]) + part<3>(map));
    u[s] = vector_of(product(map, pu[s]));
    v[s] = vector_of(product(map, pv[s]));
  });
}

void move_anchor(const AffineMap& map, Index s, CarriedSurfels& surfels) {
  if (!has_inverse(map.linear)) return;
  const Mat3 back = inverse(map.linear);
  surfels.anchor[s] = back * (surfels.x[s] - map.shift);
  surfels.anchor_u[s] = back * surfels.u[s];
  surfels.anchor_v[s] = back * surfels.v[s];
}

}  // namespace phyxel
