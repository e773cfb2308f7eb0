#pragma once

#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/methods/lennard_jones/law.h"
#include "phyxel/methods/lennard_jones/parameters.h"

namespace phyxel::lennard_jones {

/// The pair law of one material; `mass` turns damping rates into coefficients.
PairLaw pair_law(const Parameters& p, Real mass);
/// Between two materials: arithmetic mean of lengths and exponents, geometric mean of energies
/// (Lorentz-Berthelot).
PairLaw mixed(const PairLaw& a, const PairLaw& b);
ObstacleLaw obstacle_law(const Parameters& p);

/// How e0 falls with the temperature.
struct Softening {
  Real start = 0, end = 1;  // degrees C
  Real strength = 1;        // factor on e0 from `end` on
};
Softening softening_of(const Parameters& p);

/// sqrt of the factor on e0 at a temperature. Two particles multiply theirs, so that a hot and a
/// cold one meet at the geometric mean.
PHYXEL_FN Real root_strength(const Softening& softening, Real temperature) {
  const Real s = (temperature - softening.start) / (softening.end - softening.start);
  return sqrt(1 - min(max(s, Real(0)), Real(1)) * (1 - softening.strength));
}

/// Checks what spans several parameters and fills r0 and e0 when they follow from spacing and
/// Young's modulus.
void resolve(Material& material);

/// Stiffness, strength, volume and modulus of a material in words: for `phyxel check`.
std::vector<std::string> report(const Material& material);

}  // namespace phyxel::lennard_jones
