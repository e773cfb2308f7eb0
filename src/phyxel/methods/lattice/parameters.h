#pragma once

#include "phyxel/matter/heat.h"
#include "phyxel/methods/lattice/solid.h"

namespace phyxel::lattice {

/// The parameters of a material with method = "lattice".
struct Parameters {
  LawKind law = LawKind::hookean;
  Real youngs_modulus = Real(1e6);
  Real poissons_ratio = Real(0.3);
  Real damping = 0;
  Real contact_damping = Real(0.3);
  Real friction = Real(0.3);
  int shells = 1;
  Real docking_rate = not_given;
  Real docking_change = not_given;
  Real strength = not_given;
  Real yield_stress = not_given;
  Thermal thermal;
  Phase phase = Phase::solid;
  Real melting_rate = 0;
  Real freezing_rate = 0;
  Real freezing_speed = 1;
  Real freezing_force = not_given;
  Real sound_speed = 20;
  Real viscosity = 1;
};

inline void describe(Fields& field, Parameters& p) {
  field.choice("law", p.law, {"stiffness", "hookean"},
               "hookean: stress by Young's modulus and Poisson's ratio; stiffness: springs to the "
               "points of the lattice (Wicke et al.), as stiff when pulled, Poisson's ratio zero");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive, "stress over strain when pulled");
  field("poissons_ratio", p.poissons_ratio, "", {0, 0.49, true, true, "0.49 is nearly rubber"},
        "sideways shrinking under stretch; only with law = \"hookean\"");
  field("damping", p.damping, "1/s", not_negative,
        "rate at which motion dies that is not rigid in the neighbourhood of a particle");
  field("contact_damping", p.contact_damping, "", fraction,
        "how much of their approach objects lose where they touch; 1 is critical");
  field("friction", p.friction, "", not_negative,
        "Coulomb friction between objects; of two materials the mean");
  field("shells", p.shells, "", {1, 2, true, true, ""},
        "shells of neighbours on the lattice: 12 or 18 of them in space, 6 or 12 in the plane");
  field("docking_rate", p.docking_rate, "1/s", positive,
        "the largest rate at which an empty place of the lattice takes a particle: makes matter "
        "break; neighbours join at once when absent");
  field("docking_change", p.docking_change, "1/s^2", not_negative,
        "how fast the rate of a place falls while it is empty and rises while it is taken; the "
        "rate falls to nothing in a hundredth of a second when absent");
  field("strength", p.strength, "Pa", positive,
        "tension at which neighbours part for good; no limit when absent");
  field("yield_stress", p.yield_stress, "Pa", positive,
        "tension at which the matter begins to flow and keeps its new shape (von Mises); only with "
        "law = \"hookean\"; no limit when absent");
  describe(field, p.thermal);
  field.choice("phase", p.phase, {"solid", "liquid"}, "what it is at the start");
  field("melting_rate", p.melting_rate, "1/(s K)", not_negative,
        "how often a particle melts in a second, per degree above melting_temperature; 0: never");
  field("freezing_rate", p.freezing_rate, "1/(s K)", not_negative,
        "how often a particle freezes in a second, per degree below melting_temperature and per "
        "solid neighbour but one; 0: never");
  field("freezing_speed", p.freezing_speed, "m/s", positive,
        "particles that move faster relative to their solid neighbours freeze less often");
  field("freezing_force", p.freezing_force, "N", positive,
        "particles that the lattices around would pull harder freeze less often: they are far from "
        "lattice points; no limit when absent");
  field("sound_speed", p.sound_speed, "m/s", positive,
        "in the liquid: ten times the fastest flow keeps its density within a percent");
  field("viscosity", p.viscosity, "Pa s", not_negative, "of the liquid");
}

}  // namespace phyxel::lattice
