#pragma once

#include <cmath>

#include "phyxel/core/random.h"
#include "phyxel/core/scalar_ops.h"

namespace phyxel {

/// One wave of a turbulent velocity: along * cos(wave . x + phase), with `along` across `wave`.
struct TurbulentWave {
  Vec3 wave, along;  // 1/m, m/s
  Real phase = 0;
};

/// A velocity without divergence that varies in space and time: waves of random directions, lengths
/// and frequencies, each across its own direction (Kraichnan 1970). A pure function of position,
/// time and seed.
struct Turbulence {
  static constexpr int most = 24;
  TurbulentWave wave[most];
  int count = 0;  // 0: there is none
};

/// The waves at `time` (s). `speed`: root mean square of the velocity, m/s; `size`: mean length of
/// a wave, m; `duration`: s, in which the pattern changes.
Turbulence make_turbulence(Real speed, Real size, Real duration, double time, std::uint32_t seed,
                           bool flat);

PHYXEL_FN Vec3 velocity_of(const Turbulence& t, const Vec3& x) {
  Vec3 v = Vec3::zero();
  for (int k = 0; k < t.count; ++k)
    v += t.wave[k].along * std::cos(dot(t.wave[k].wave, x) + t.wave[k].phase);
  return v;
}

}  // namespace phyxel
