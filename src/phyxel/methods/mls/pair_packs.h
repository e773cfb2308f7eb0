#pragma once

#include <algorithm>

#include "phyxel/core/pack_rows.h"
#include "phyxel/matter/pack_stream.h"
#include "phyxel/methods/mls/pair_sum.h"

// The sums of pair_sum.h on the CPU, a pack of neighbours at a time.

namespace phyxel::mls {

/// Packs, by which neighbours are asked for before they are read. In the order of cells those of a
/// phyxel lie up to two layers of the body apart, which caches do not hold from 1e5 phyxels on.
constexpr Index asked_ahead = 4;

template <bool periodic>
PHYXEL_INLINE Pack apart_from(const PairView& in, const Pack& theirs, Real own, int k) {
  const Pack d = theirs - Pack(own);
  if constexpr (periodic) return nearest(d, in.period.size[k], in.period.half[k]);
  return d;
}

PHYXEL_INLINE Pack pack_weight(const Pack (&d)[3], const Pack& inverse_h2) {
  const Pack squared = xsimd::fma(d[2], d[2], xsimd::fma(d[1], d[1], d[0] * d[0]));
  return weight(squared, inverse_h2);
}

/// The molten fractions of a pack of phyxels.
PHYXEL_INLINE Pack molten_of(const PairView& in, const Index* row) {
  alignas(64) Real molten[lanes];
  for (Index l = 0; l < lanes; ++l) molten[l] = in.molten[row[l]];
  return Pack::load_aligned(molten);
}

/// Rows [first, last): to[0..8] product, to[9..11] moved; with_moments: moment in also[0..5], lean
/// in also[6..8], density in also[9], the sum of weights in also[10].
template <bool periodic, bool with_moments, bool with_molten>
PHYXEL_INLINE void sum_gradients(const PairView& in, const Row16* rest, Index first, Index last,
                                 Row16* to, Row16* also) {
  if (in.start[first] == in.start[last]) {
    for (Index i = first; i < last; ++i) {
      to[i - first] = {};
      if constexpr (with_moments) {
        also[i - first] = {};
        also[i - first].c[9] = sum_density_one_by_one(in, i);
      }
    }
    return;
  }
  const Pack zero(Real(0));
  PackStream<true, asked_ahead> stream(in.place, in.neighbour, in.start[first], in.start[last]);
  for (Index i = first; i < last; ++i) {
    const Moving own = in.place[i];
    const Pack inverse_h2(rest[i].c[rest_row::inverse_h2]);
    Pack product[9], moved[3], moment[6], lean[3], density = zero, weights = zero;
    for (Pack& p : product) p = zero;
    for (Pack& p : moved) p = zero;
    if constexpr (with_moments) {
      for (Pack& p : moment) p = zero;
      for (Pack& p : lean) p = zero;
    }
    for (const Index end = in.start[i + 1]; stream.e < end;) {
      Pack d[3], y[3], wd[3];
      for (int k = 0; k < 3; ++k) {
        d[k] = apart_from<periodic>(in, stream.x.c[k], own.x.c[k], k);
        y[k] = apart_from<periodic>(in, stream.v.c[k], own.v.c[k], k);
      }
      [[maybe_unused]] const Pack mass = stream.x.c[3], support = stream.v.c[3];
      const Index* const row = in.neighbour + stream.e;
      stream.next();
      const Pack all = pack_weight(d, inverse_h2);
      Pack w = all;
      if constexpr (with_molten) w *= counted(Pack(in.molten[i]), molten_of(in, row));
      for (int k = 0; k < 3; ++k) {
        wd[k] = w * d[k];
        moved[k] = xsimd::fma(w, y[k], moved[k]);
      }
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          product[3 * r + c] = xsimd::fma(y[r], wd[c], product[3 * r + c]);
      if constexpr (with_moments) {
        weights += all;
        for (int k = 0; k < 3; ++k) {
          lean[k] += wd[k];
          moment[k] = xsimd::fma(wd[k], d[k], moment[k]);
        }
        moment[3] = xsimd::fma(wd[1], d[2], moment[3]);
        moment[4] = xsimd::fma(wd[0], d[2], moment[4]);
        moment[5] = xsimd::fma(wd[0], d[1], moment[5]);
        const Pack r = sqrt(xsimd::fma(y[2], y[2], xsimd::fma(y[1], y[1], y[0] * y[0])));
        const Pack h = (support + Pack(own.v.c[3])) * Pack(Real(0.5));
        density = xsimd::fma(mass, pressure_weight(r, h, in.flat), density);
      }
    }
    Row16& sums = to[i - first];
    const Quad a = sums_of_lanes(product[0], product[1], product[2], product[3]),
               b = sums_of_lanes(product[4], product[5], product[6], product[7]),
               c = sums_of_lanes(product[8], moved[0], moved[1], moved[2]);
    for (int k = 0; k < 4; ++k) {
      sums.c[k] = a.c[k];
      sums.c[4 + k] = b.c[k];
      sums.c[8 + k] = c.c[k];
    }
    if constexpr (with_moments) {
      Row16& more = also[i - first];
      const Quad m = sums_of_lanes(moment[0], moment[1], moment[2], moment[3]),
                 n = sums_of_lanes(moment[4], moment[5], lean[0], lean[1]),
                 o = sums_of_lanes(lean[2], density, weights, zero);
      for (int k = 0; k < 4; ++k) {
        more.c[k] = m.c[k];
        more.c[4 + k] = n.c[k];
        more.c[8 + k] = o.c[k];
      }
      more.c[9] += own.x.c[3] * pressure_weight(Real(0), own.v.c[3], in.flat);
    }
  }
}

/// Forces by the neighbourhoods of others, N.
template <bool periodic, bool with_other, bool with_molten>
PHYXEL_INLINE void sum_forces(const PairView& in, Index first, Index last, Vec3* sums) {
  const Index last_pack = in.start[last] - lanes;
  for (Index i = first; i < last; ++i) {
    const Row16& own = in.pull[i];
    Pack f[3] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
    for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes) {
      const Index* const row = in.neighbour + e;
      ask_for(in.pull, in.neighbour + std::min(e + asked_ahead * lanes, last_pack));
      const RowPack q =
          load_rows([&](Index l) __attribute__((always_inline)) { return in.pull + row[l]; });
      Pack d[3], y[3];
      for (int k = 0; k < 3; ++k) {
        d[k] = apart_from<periodic>(in, q.c[k], own.c[k], k);
        y[k] = apart_from<periodic>(in, q.c[3 + k], own.c[3 + k], k);
      }
      Pack w = pack_weight(d, q.c[pull_row::inverse_h2]);
      if constexpr (with_molten) w *= counted(molten_of(in, row), Pack(in.molten[i]));
      Pack hold(in.hold), push(Real(0));
      if constexpr (with_other) {
        const QuadPack other = gather(in.other, row);
        const Quad mine = in.other[i];
        hold = other.c[0];
        if (mine.c[3] > 0) {
          const Pack squared = xsimd::fma(y[2], y[2], xsimd::fma(y[1], y[1], y[0] * y[0]));
          const Pack r = sqrt(max(squared, Pack(smallest_normal<Pack>)));
          const Pack h = (other.c[3] + Pack(mine.c[3])) * Pack(Real(0.5));
          push = Pack(mine.c[2]) * other.c[2] * (other.c[1] + Pack(mine.c[1])) *
                 pressure_slope(r, h, in.flat) / r;
        }
      }
      for (int k = 0; k < 3; ++k) {
        Pack pull = hold * y[k];
        for (int c = 0; c < 3; ++c) pull = xsimd::fma(q.c[6 + 3 * k + c], d[c], pull);
        f[k] = xsimd::fma(w, pull, f[k]);
        if constexpr (with_other) f[k] = xsimd::fma(push, y[k], f[k]);
      }
    }
    const Quad sum = sums_of_lanes(f[0], f[1], f[2], Pack(Real(0)));
    sums[i - first] = {sum.c[0], sum.c[1], sum.c[2]};
  }
}

}  // namespace phyxel::mls
