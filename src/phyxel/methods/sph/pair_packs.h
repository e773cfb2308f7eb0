#pragma once

#include "phyxel/core/pack_shuffle.h"
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

/// `common` and the row of one particle for `mixed` liquids.
template <bool periodic, bool mixed, bool with_carry>
PHYXEL_INLINE DensitySum sum_density(const PairView& in, Index i) {
  const Quad at = in.x[i];
  Pack ratio(Real(0)), moved[3] = {ratio, ratio, ratio};
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes) {
    const Index* const row = in.neighbour + e;
    const PackPlace<periodic> place(in, at, gather(in.x, row));
    const Pack r = Quick<Pack>::root(max(place.squared, Pack(std::numeric_limits<Real>::min())));
    const Pack w = place.volume * weight(in.kernel, r);
    ratio += w;
    if constexpr (with_carry) {
      Pack share = w;
      if constexpr (mixed) {
        const Quad own = in.liquid[i];
        const QuadPack other = gather(in.liquid, row);
        share = carry(w, (Pack(own.c[3]) + other.c[3]) * Pack(Real(0.5)),
                      Pack(Real(2)) * other.c[2] / (Pack(own.c[2]) + other.c[2]));
      }
      const QuadPack v = gather(in.v, row);
      for (int k = 0; k < 3; ++k)
        moved[k] = xsimd::fma(share, v.c[k] - Pack(in.v[i].c[k]), moved[k]);
    }
  }
  const Quad sums = sums_of_lanes(moved[0], moved[1], moved[2], ratio);
  const Real xsph = mixed ? Real(1) : in.common.xsph;
  return {sums.c[3], Vec3{sums.c[0], sums.c[1], sums.c[2]} * xsph};
}

template <bool periodic, bool mixed>
PHYXEL_INLINE Vec3 sum_force(const PairView& in, Index i) {
  const Quad at = in.x[i], flow = in.v[i];
  Pack f[3] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
  Pair<Pack> pair;
  pair.viscosity = Pack(in.common.viscosity);
  pair.bulk_viscosity = Pack(in.common.bulk_viscosity);
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes) {
    const Index* const row = in.neighbour + e;
    const PackPlace<periodic> place(in, at, gather(in.x, row));
    const QuadPack v = gather(in.v, row);
    pair.squared = place.squared;
    pair.parting = (v.c[0] - Pack(flow.c[0])) * place.d[0];
    for (int k = 1; k < 3; ++k)
      pair.parting = xsimd::fma(v.c[k] - Pack(flow.c[k]), place.d[k], pair.parting);
    pair.tension = v.c[3] + Pack(flow.c[3]);
    if constexpr (mixed) {
      const Quad own = in.liquid[i];
      const QuadPack other = gather(in.liquid, row);
      pair.viscosity = shared_viscosity(Pack(own.c[0]), other.c[0]);
      pair.bulk_viscosity = (Pack(own.c[1]) + other.c[1]) * Pack(Real(0.5));
    }
    const Pack g = place.volume * pull(in.kernel, in.dimensions, pair);
    for (int k = 0; k < 3; ++k) f[k] = xsimd::fma(g, place.d[k], f[k]);
  }
  const Quad sums = sums_of_lanes(f[0], f[1], f[2], Pack(Real(0)));
  return {sums.c[0], sums.c[1], sums.c[2]};
}

}  // namespace phyxel::sph
