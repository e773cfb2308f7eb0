#pragma once

#include "phyxel/core/scalar_ops.h"

namespace phyxel::springs {

/// A spring between two particles and the damper beside it.
struct Spring {
  Real stiffness = 0;  // k, N/m
  Real damping = 0;    // c, N s/m
  Real rest = 0;       // L, m
  Real reach = 0;      // R, m: longer springs are broken
};

/// What a spring of length r does to its ends.
struct SpringTerm {
  Real push = 0;    // N, apart
  Real energy = 0;  // J
};

/// E = k/2 ((r - L)^2 - (R - L)^2), which is 0 where the spring breaks, and F = -dE/dr - c dr/dt.
PHYXEL_FN SpringTerm spring_term(const Spring& s, Real r, Real lengthening) {
  if (r >= s.reach) return {};
  const Real stretch = r - s.rest, longest = s.reach - s.rest;
  return {-s.stiffness * stretch - s.damping * lengthening,
          s.stiffness / 2 * (stretch * stretch - longest * longest)};
}

/// Between two materials lies half a spring of each: they act in series.
PHYXEL_FN Spring in_series(const Spring& a, const Spring& b) {
  return {2 * a.stiffness * b.stiffness / (a.stiffness + b.stiffness), (a.damping + b.damping) / 2,
          (a.rest + b.rest) / 2, (a.reach + b.reach) / 2};
}

}  // namespace phyxel::springs
