#pragma once

#include <cmath>

#include "phyxel/core/backend.h"
#include "phyxel/core/scalar_ops.h"

// Rest values that follow the present ones: lengths of edges and angles between triangles.

namespace phyxel::pbd {

/// When and how far a rest value follows.
struct Plasticity {
  Real yield;  // strain, or angle in radians, up to which all is elastic
  Real creep;  // share of what is beyond it that becomes permanent in a second
  Real limit;  // the largest permanent strain or angle
};

/// The rest value after a time dt. `unit`: the first rest length, which makes strains of lengths;
/// 1 for angles. Creep follows exp(-creep dt), so that it does not depend on the step.
template <class T>
PHYXEL_FN T plastic_rest(const T& rest, const T& now, const T& first, const T& unit, const T& yield,
                         const T& share, const T& limit) {
  const T elastic = now - rest, allowed = yield * unit;
  const T beyond = max(elastic - allowed, T(0)) + min(elastic + allowed, T(0));
  const T furthest = limit * unit;
  return min(max(rest + share * beyond, first - furthest), first + furthest);
}

/// The share of a step.
PHYXEL_FN Real creep_share(Real creep, Real dt) {
  return -std::expm1(-creep * dt);
}

}  // namespace phyxel::pbd
