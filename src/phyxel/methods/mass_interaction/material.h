#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/heat.h"
#include "phyxel/matter/material.h"
#include "phyxel/methods/mass_interaction/automaton.h"

namespace phyxel::mass_interaction {

enum class AutomatonKind { thresholds, cohesive, granular, brittle, plastic, custom };

/// The parameters of a material with method = "mass_interaction". Distances are in units of the
/// spacing.
struct Parameters {
  AutomatonKind automaton = AutomatonKind::thresholds;
  Real stiffness = not_given;
  Real youngs_modulus = not_given;
  Real pair_viscosity = not_given;
  Real viscosity = not_given;
  Real elastic_distance = 1;
  Real viscous_distance = Real(1.4);
  Real pull_distance = Real(1.3);
  Real bond_distance = not_given;
  Real strength = not_given;
  Real yield_stress = 0;
  Real creep = 100;
  Real friction = 0;
  Real rolling_friction = Real(0.1);
  bool all_pairs = false;
  Thermal thermal;

  // Of a custom automaton, a number for each state.
  std::vector<std::string> states;
  std::vector<double> state_stiffness, state_viscosity, state_rest, state_yield, state_creep,
      state_friction;
  std::vector<std::string> transitions;
  Real reach = not_given;
};

void describe(Fields& field, Parameters& p);

/// Why a parameter does nothing with this automaton, and what to do about it; empty where it does.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

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
