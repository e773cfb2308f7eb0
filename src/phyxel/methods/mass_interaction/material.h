#pragma once

#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/methods/mass_interaction/automaton.h"
#include "phyxel/methods/mass_interaction/parameters.h"

namespace phyxel::mass_interaction {

/// K and Z from moduli: closest packing with springs between neighbours has Young's modulus
/// 0.943 K / spacing along its edges and shear viscosity Z / (sqrt2 spacing); in the plane, where
/// moduli are those of a sheet one metre thick, 2 K / sqrt3 and sqrt3 Z / 4.
void resolve(Material& material);

/// Lines for `phyxel check`.
std::vector<std::string> report(const Material& material);

/// The law of a material as an automaton with names.
struct NamedAutomaton {
  Automaton automaton;
  std::vector<std::string> states;
};
NamedAutomaton automaton_of(const Material& material);

/// Whether both have the same law.
bool same_law(const Material& a, const Material& b);

/// Whether the law needs no memory.
bool is_memoryless(const Material& material);
Thresholds thresholds_of(const Material& material);

/// Between masses of two materials: repulsion, damping and friction.
Thresholds mixed(const Material& a, const Material& b);
Automaton mixed_automaton(const Material& a, const Material& b);

}  // namespace phyxel::mass_interaction
