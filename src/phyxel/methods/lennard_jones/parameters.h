#pragma once

#include <set>
#include <string>

#include "phyxel/matter/heat.h"

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

inline void describe(Fields& field, Parameters& p) {
  field("dissociation_energy", p.dissociation_energy, "J", positive,
        "e0: energy that parts one pair; this or youngs_modulus");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive,
        "chooses e0 by a virtual tensile test of the packing");
  field("equilibrium_distance", p.equilibrium_distance, "m", positive,
        "r0 of a lone pair; follows from the spacing when absent");
  field("repulsive_exponent", p.repulsive_exponent, "", {1, 40, false, true, "12 is already hard"},
        "n: how hard a pair is when pressed");
  field("attractive_exponent", p.attractive_exponent, "", {0, 40, false, true, ""},
        "m: how quickly attraction ends; below n");
  field.choice("truncation", p.truncation, {"fade", "plain"},
               "smooth fade to zero, or a plain cut for reference data");
  field("fade_from", p.fade_from, "r0", {0.5, 10, true, true, ""},
        "where the fade begins, in multiples of r0");
  field("cutoff", p.cutoff, "r0", {1, 10, false, true, ""},
        "where the interaction ends, in multiples of r0");
  field("damping", p.damping, "1/s", not_negative, "gamma/mass: slows every motion in space");
  field("viscous_damping", p.viscous_damping, "1/s", not_negative,
        "beta_1/mass: slows motion between neighbours");
  field("obstacle_range", p.obstacle_range, "m", positive,
        "d0: how far colliders reach; 0.8 r0 when absent");
  field("obstacle_exponent", p.obstacle_exponent, "", {1, 20, true, true, ""},
        "eta: how hard colliders are");
  field("obstacle_alpha", p.obstacle_alpha, "J m^eta", positive,
        "strength of colliders; this or obstacle_beta");
  field("obstacle_beta", p.obstacle_beta, "N", positive,
        "strength of colliders; a fiftieth of bond stiffness times d0 when absent");
  field("softening_start", p.softening_start, "degC", above_absolute_zero,
        "temperature above which e0 falls; no softening when absent");
  field("softening_end", p.softening_end, "degC", above_absolute_zero,
        "temperature at which e0 has fallen to softened_strength");
  field("softened_strength", p.softened_strength, "", {0, 1, false, true, ""},
        "what remains of e0 when fully soft, as a fraction");
  field.choice("integration", p.integration, {"symplectic", "euler"},
               "velocity Verlet, or the paper's explicit Euler");
  describe(field, p.thermal);
}

/// Why a parameter does nothing with the values of the others, and what to do about it; empty where
/// it does. `given`: the names that the scene has.
inline std::string idle(const Parameters& p, const std::set<std::string>& given,
                        const std::string& name) {
  if (name == "softened_strength" && !is_given(p.softening_start) &&
      !given.contains("softening_start"))
    return "nothing softens; give softening_start and softening_end too, or remove it";
  return "";
}

}  // namespace phyxel::lennard_jones
