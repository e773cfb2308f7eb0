#pragma once

#include "phyxel/matter/poisson.h"

// When particles melt and freeze: rates of Poisson processes, so that nothing depends on the step.
// Wicke et al. 2006, section 5. Any particle method can use them.

namespace phyxel {

enum class Phase : std::uint8_t { solid, liquid };

/// Purposes of random numbers (Random::stream).
constexpr std::uint32_t melting_stream = 0x6d656c74, freezing_stream = 0x66727a65;

struct Melting {
  Real rate = 0;         // lambda_m0, 1/(s K)
  Real temperature = 0;  // T_m, degrees C
};

/// max(0, lambda_m0 (T - T_m)), 1/s. Wicke et al. 2006, eq. 15.
PHYXEL_FN Real melting_rate(const Melting& m, Real temperature) {
  return max(Real(0), m.rate * (temperature - m.temperature));
}

struct Freezing {
  Real rate = 0;              // lambda_f0 per solid neighbour above the least, 1/(s K)
  Real temperature = 0;       // T_f, degrees C
  Real least_neighbours = 1;  // n_0; with -1 particles freeze with no solid around
  Real largest_speed = 1;     // v_max, m/s
  Real largest_force = 1;     // F_max, N
};

/// What a liquid particle finds around it.
struct FreezingSite {
  Real temperature;       // of the particle, degrees C
  Real solid_neighbours;  // how many
  Real relative_speed;    // to their mean velocity, m/s
  Real lattice_force;     // length of the sum of forces by which their lattices would pull it, N
};

/// min(1, limit / value), and 1 for a value of zero.
PHYXEL_FN Real not_above(Real limit, Real value) {
  return value > limit ? limit / value : Real(1);
}

/// Freezing rate, 1/s. Wicke et al. 2006, eq. 16, with each difference kept from being negative: as
/// printed a particle too warm with too few neighbours would freeze.
PHYXEL_FN Real freezing_rate(const Freezing& f, const FreezingSite& site) {
  const Real cold = max(Real(0), f.temperature - site.temperature);
  const Real held = max(Real(0), site.solid_neighbours - f.least_neighbours);
  return f.rate * cold * held * not_above(f.largest_speed, site.relative_speed) *
         not_above(f.largest_force, site.lattice_force);
}

/// Whether a solid particle melts within this step.
PHYXEL_FN bool melts(const Melting& m, Real temperature, std::uint32_t seed, ParticleId id,
                     std::uint64_t step, Real dt) {
  return happens({seed, melting_stream}, id, step, melting_rate(m, temperature), dt);
}
/// Whether a liquid particle freezes within this step.
PHYXEL_FN bool freezes(const Freezing& f, const FreezingSite& site, std::uint32_t seed,
                       ParticleId id, std::uint64_t step, Real dt) {
  return happens({seed, freezing_stream}, id, step, freezing_rate(f, site), dt);
}

}  // namespace phyxel
