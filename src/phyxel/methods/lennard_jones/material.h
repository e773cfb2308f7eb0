#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/heat.h"
#include "phyxel/matter/material.h"
#include "phyxel/methods/lennard_jones/law.h"

namespace phyxel::lennard_jones {

enum class Truncation { fade, plain };
enum class Integration { symplectic, euler };

/// The parameters of a material with method = "lennard_jones".
struct Parameters {
  Real dissociation_energy = not_given;
  Real youngs_modulus = not_given;
  Real equilibrium_distance = not_given;
  Real repulsive_exponent = 8;
  Real attractive_exponent = 4;
  Truncation truncation = Truncation::fade;
  Real fade_from = 1;
  Real cutoff = 2;
  Real damping = 0;
  Real viscous_damping = 0;
  Real obstacle_range = not_given;
  Real obstacle_exponent = 4;
  Real obstacle_alpha = not_given;
  Real obstacle_beta = not_given;
  Real softening_start = not_given;
  Real softening_end = not_given;
  Real softened_strength = Real(0.02);
  Integration integration = Integration::symplectic;
  Thermal thermal;
};

void describe(Fields& field, Parameters& p);

/// Why a parameter does nothing with the values of the others, and what to do about it; empty where
/// it does. `given`: the names that the scene has.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

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
