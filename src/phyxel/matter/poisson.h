#pragma once

#include <cmath>

#include "phyxel/core/random.h"

namespace phyxel {

/// Probability that something of this rate (1/s) happens within dt: 1 - exp(-rate dt).
template <class T>
PHYXEL_FN T poisson_probability(T rate, T dt) {
  return -std::expm1(-rate * dt);
}

/// True with this probability, always the same for the same counter (a, b). Numbers below the step
/// of a uniform number are drawn again finer, so that probabilities of 1e-12 are met as well.
PHYXEL_FN bool chance(const Random& random, std::uint64_t a, std::uint64_t b, Real probability) {
  const Random::Four w = random.words(a, b);
  const Real coarse = Random::unit(w.word[0]);
  if (coarse > 0) return coarse < probability;
  return Random::unit(w.word[1]) * Real(1.0 / 16777216.0) < probability;
}

/// Whether something of this rate happens within dt, by the random number of (a, b), e.g.
/// (particle id, step).
PHYXEL_FN bool happens(const Random& random, std::uint64_t a, std::uint64_t b, Real rate, Real dt) {
  return rate > 0 && chance(random, a, b, poisson_probability(rate, dt));
}

}  // namespace phyxel
