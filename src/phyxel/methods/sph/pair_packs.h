#pragma once

#include <algorithm>

#include "phyxel/matter/pack_stream.h"
#include "phyxel/methods/sph/pair_sum.h"

// Sums over a row of neighbours on the CPU, a pack of neighbours at a time.

namespace phyxel::sph {

/// A particle and a pack of its neighbours.
template <bool periodic>
struct PackPlace {
  Pack d[3];
  Pack squared;
  Pack volume;

  PHYXEL_INLINE PackPlace(const PairView& in, const Quad& at, const QuadPack& x) {
    for (int k = 0; k < 3; ++k) {
      d[k] = x.c[k] - Pack(at.c[k]);
      if constexpr (periodic) d[k] = nearest(d[k], in.period.size[k], in.period.half[k]);
    }
    squared = xsimd::fma(d[2], d[2], xsimd::fma(d[1], d[1], d[0] * d[0]));
    volume = x.c[3];
  }
};

/// Of a pack of neighbours. What is needed of them is worked out before the next pack is gathered:
/// copies of a whole QuadPack go through memory.
PHYXEL_INLINE Vec3Pack velocity_apart(const QuadPack& others, const Quad& own) {
  Vec3Pack apart;
  for (int k = 0; k < 3; ++k) apart[k] = others.c[k] - Pack(own.c[k]);
  return apart;
}

template <bool periodic, bool mixed, bool with_carry, bool tense>
PHYXEL_INLINE void sum_densities(const PairView& in, Index first, Index last, DensitySum* sums) {
  const Real xsph = mixed ? Real(1) : in.common.xsph;
  if (in.start[first] == in.start[last]) {
    std::fill_n(sums, last - first, DensitySum{});
    return;
  }
  PackStream<with_carry> stream(in.at, in.neighbour, in.start[first], in.start[last]);
  for (Index i = first; i < last; ++i) {
    const Quad at = in.at[i].x, own_v = in.at[i].v;
    Pack ratio(Real(0)), cover = ratio, lean[3] = {ratio, ratio, ratio},
                         moved[3] = {ratio, ratio, ratio};
    for (const Index end = in.start[i + 1]; stream.e < end;) {
      const PackPlace<periodic> place(in, at, stream.x);
      [[maybe_unused]] const Vec3Pack apart = velocity_apart(stream.v, own_v);
      [[maybe_unused]] const Index* const row = in.neighbour + stream.e;
      stream.next();
      const Pack r = Quick<Pack>::root(max(place.squared, Pack(std::numeric_limits<Real>::min())));
      const Pack w = place.volume * weight(in.kernel, r);
      ratio += w;
      if constexpr (tense) {
        cover = xsimd::fma(place.volume, cover_weight(in.kernel, in.cohesion, r), cover);
        const Pack slope = place.volume * cover_slope(in.kernel, in.cohesion, r);
        for (int k = 0; k < 3; ++k) lean[k] = xsimd::fma(slope, place.d[k], lean[k]);
      }
      if constexpr (with_carry) {
        Pack share = w;
        if constexpr (mixed) {
          const Quad own = in.liquid[i];
          const QuadPack other = gather(in.liquid, row);
          share = carry(w, (Pack(own.c[3]) + other.c[3]) * Pack(Real(0.5)),
                        Pack(Real(2)) * other.c[2] / (Pack(own.c[2]) + other.c[2]));
        }
        for (int k = 0; k < 3; ++k) moved[k] = xsimd::fma(share, apart[k], moved[k]);
      }
    }
    const Quad sum = sums_of_lanes(moved[0], moved[1], moved[2], ratio);
    DensitySum& to = sums[i - first];
    to.ratio = sum.c[3];
    to.carry = Vec3{sum.c[0], sum.c[1], sum.c[2]} * xsph;
    if constexpr (tense) {
      const Quad surface = sums_of_lanes(lean[0], lean[1], lean[2], cover);
      to.lean = {surface.c[0], surface.c[1], surface.c[2]};
      to.cover = surface.c[3];
    }
  }
}

/// Surface tension of a pack of pairs, before volumes.
template <bool periodic>
PHYXEL_INLINE Pack surface_pull(const PairView& in, const PackPlace<periodic>& place,
                                const Pack& parting, const Quad& own, const QuadPack& other) {
  Pack a = Pack(own.c[0]) * place.d[0], b = other.c[0] * place.d[0];
  for (int k = 1; k < 3; ++k) {
    a = xsimd::fma(Pack(own.c[k]), place.d[k], a);
    b = xsimd::fma(other.c[k], place.d[k], b);
  }
  return surface_pull(in.kernel, in.cohesion, place.squared, parting, Pack(own.c[3]) + other.c[3],
                      xsimd::fma(a, a, b * b));
}

template <bool periodic, bool mixed, bool tense>
PHYXEL_INLINE void sum_forces(const PairView& in, Index first, Index last, Vec3* sums) {
  if (in.start[first] == in.start[last]) {
    std::fill_n(sums, last - first, Vec3::zero());
    return;
  }
  Pair<Pack> pair;
  pair.viscosity = Pack(in.common.viscosity);
  pair.bulk_viscosity = Pack(in.common.bulk_viscosity);
  PackStream<true> stream(in.at, in.neighbour, in.start[first], in.start[last]);
  for (Index i = first; i < last; ++i) {
    const Quad at = in.at[i].x, flow = in.at[i].v;
    Pack f[3] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
    for (const Index end = in.start[i + 1]; stream.e < end;) {
      const PackPlace<periodic> place(in, at, stream.x);
      const Vec3Pack apart = velocity_apart(stream.v, flow);
      pair.tension = stream.v.c[3] + Pack(flow.c[3]);
      [[maybe_unused]] const Index* const row = in.neighbour + stream.e;
      stream.next();
      pair.squared = place.squared;
      pair.parting = apart[0] * place.d[0];
      for (int k = 1; k < 3; ++k) pair.parting = xsimd::fma(apart[k], place.d[k], pair.parting);
      if constexpr (mixed) {
        const Quad own = in.liquid[i];
        const QuadPack other = gather(in.liquid, row);
        pair.viscosity = shared_viscosity(Pack(own.c[0]), other.c[0]);
        pair.bulk_viscosity = (Pack(own.c[1]) + other.c[1]) * Pack(Real(0.5));
      }
      Pack g = pull(in.kernel, in.dimensions, pair);
      if constexpr (tense)
        g += surface_pull(in, place, pair.parting, in.bond[i], gather(in.bond, row));
      g *= place.volume;
      for (int k = 0; k < 3; ++k) f[k] = xsimd::fma(g, place.d[k], f[k]);
    }
    const Quad sum = sums_of_lanes(f[0], f[1], f[2], Pack(Real(0)));
    sums[i - first] = {sum.c[0], sum.c[1], sum.c[2]};
  }
}

}  // namespace phyxel::sph
