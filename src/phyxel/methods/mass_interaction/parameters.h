#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/heat.h"

namespace phyxel::mass_interaction {

enum class AutomatonKind { thresholds, cohesive, granular, brittle, plastic, custom };

/// In the order of the enumeration.
inline const std::vector<std::string> automaton_names = {"thresholds", "cohesive", "granular",
                                                         "brittle",    "plastic",  "custom"};

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

constexpr Range in_spacings{0.01, 4, true, true, "rows of neighbours grow with its cube"};

inline void describe(Fields& field, Parameters& p) {
  field.choice("automaton", p.automaton, automaton_names,
               "what pairs do: push and resist below two distances (pastes, gels), stick until "
               "pulled apart, rub, break for good, give way, or what `states` say");
  field("stiffness", p.stiffness, "N/m", positive, "K_e of a pair; this or youngs_modulus");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive,
        "of the packed masses: K_e = E spacing / 0.943; in the plane 0.866 E");
  field("pair_viscosity", p.pair_viscosity, "N s/m", not_negative,
        "Z_v of a pair; this or viscosity");
  field("viscosity", p.viscosity, "Pa s", not_negative,
        "of the packed masses: Z_v = 1.414 viscosity spacing; in the plane 2.31 viscosity");
  field("elastic_distance", p.elastic_distance, "spacing", in_spacings,
        "D_e: masses nearer than that push each other away");
  field("viscous_distance", p.viscous_distance, "spacing", in_spacings,
        "D_v: of thresholds; masses nearer than that resist coming and going")
      .used_by = {"thresholds"};
  field("pull_distance", p.pull_distance, "spacing", in_spacings,
        "bonds of cohesive and plastic pairs end there; brittle ones begin below it")
      .used_by = {"cohesive", "plastic", "brittle"};
  field("bond_distance", p.bond_distance, "spacing", in_spacings,
        "plastic bonds begin below it, without pulling; elastic_distance when absent")
      .used_by = {"plastic"};
  field("strength", p.strength, "Pa", positive,
        "a brittle bond breaks at this pull over the square of the spacing")
      .used_by = {"brittle"};
  field("yield_stress", p.yield_stress, "Pa", not_negative,
        "of plastic bonds: forces beyond it, over the square of the spacing, move the rest length")
      .used_by = {"plastic"};
  field("creep", p.creep, "1/s", positive, "of plastic bonds: how fast the rest length moves")
      .used_by = {"plastic"};
  field("friction", p.friction, "", {0, 10, true, true, ""},
        "Coulomb's coefficient between masses; not of thresholds");
  field("rolling_friction", p.rolling_friction, "", {0, 1, true, true, ""},
        "resistance to rolling: share of the radius times friction")
      .used_by = {"granular", "cohesive", "brittle", "plastic", "custom"};
  field("all_pairs", p.all_pairs,
        "compare every mass with every other, n (n - 1) / 2 pairs, as the paper does; the result "
        "is the same to the bit");
  field("states", p.states,
        "of a custom automaton: names; pairs begin in the first, which has no "
        "force")
      .used_by = {"custom"};
  field("state_stiffness", p.state_stiffness, "N/m", not_negative, "K of each state").used_by = {
      "custom"};
  field("state_viscosity", p.state_viscosity, "N s/m", not_negative, "Z of each state").used_by = {
      "custom"};
  field("state_rest", p.state_rest, "spacing", {0, 4, true, true, ""},
        "rest length of each state; 0: the distance at which it was entered; elastic_distance when "
        "absent")
      .used_by = {"custom"};
  field("state_yield", p.state_yield, "N", not_negative,
        "force beyond which the rest length creeps, of each state; 0 when absent")
      .used_by = {"custom"};
  field("state_creep", p.state_creep, "1/s", not_negative,
        "how fast the rest length creeps, of each state; 0 when absent")
      .used_by = {"custom"};
  field("state_friction", p.state_friction, "", not_negative,
        "Coulomb's coefficient, of each state; 0 when absent")
      .used_by = {"custom"};
  field("transitions", p.transitions,
        "of a custom automaton, e.g. [\"apart -> bound: distance < 1\", \"bound -> apart: distance "
        "> 1.3 and force > 2\"]: distance in spacings, speed in m/s (parting), force in N "
        "(pulling); the first that holds is taken")
      .used_by = {"custom"};
  field("reach", p.reach, "spacing", in_spacings,
        "of a custom automaton: pairs farther apart are forgotten; the largest distance of its "
        "transitions when absent")
      .used_by = {"custom"};
  describe(field, p.thermal);
}

/// Why a parameter does nothing with this automaton, and what to do about it; empty where it does.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

}  // namespace phyxel::mass_interaction
