#pragma once

#include "phyxel/matter/heat.h"

namespace phyxel::mls {

enum class Integration { explicit_steps, implicit_steps };

/// The parameters of a material with method = "mls".
struct Parameters {
  Integration integration = Integration::explicit_steps;
  Real tolerance = Real(1e-3);
  int iterations = 200;
  Real youngs_modulus = Real(1e6);
  Real poissons_ratio = Real(0.3);
  Real volume_stiffness = not_given;
  Real fibre_modulus = not_given;
  Vec3 fibre = Vec3::filled(not_given);
  Real support = 2;
  Real stabilisation = Real(0.1);
  Real damping = 0;
  Real yield_strain = not_given;
  Real creep = not_given;
  Real largest_plastic_strain = not_given;
  bool flows = false;
  Real sound_speed = 10;
  Real melted_modulus = not_given;
  Real melted_creep = not_given;
  Real friction = Real(0.3);
  Real contact_damping = Real(0.3);
  bool self_contact = true;
  Thermal thermal;
};

inline void describe(Fields& field, Parameters& p) {
  field.choice("integration", p.integration, {"explicit", "implicit"},
               "explicit: leapfrog, steps as short as the stiffest vibration; implicit: steps as "
               "long as the motion allows, each a solve (docs: mls, implicit steps)");
  field(
      "tolerance", p.tolerance, "", {0, 0.5, false, true, ""},
      "implicit steps: how far the last iterations of a solve may move phyxels, in spacings, or in "
      "the way of a step where that is less");
  field("iterations", p.iterations, "", {1, 100000, true, true, ""},
        "implicit steps: iterations of a solve at most");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive, "stress over strain when pulled");
  field("poissons_ratio", p.poissons_ratio, "", {0, 0.49, true, true, "0.49 is nearly rubber"},
        "sideways shrinking under stretch");
  field("volume_stiffness", p.volume_stiffness, "Pa", not_negative,
        "k_v: the part of the bulk modulus that acts by the determinant of the deformation, and so "
        "at any strain; chosen by Poisson's ratio when absent");
  field("fibre_modulus", p.fibre_modulus, "Pa", positive,
        "Young's modulus along `fibre`, at least youngs_modulus");
  field("fibre", p.fibre, "", any_number, "direction of fibres at rest");
  field("support", p.support, "", {1.4, 4, true, true, "Mueller et al. use 3, with 140 neighbours"},
        "reach of a neighbourhood over the mean distance of the ten nearest phyxels: 2 has about "
        "42 neighbours in closest packing, 1.7 about 18, 3 about 140");
  field("stabilisation", p.stabilisation, "", {0, 10, true, true, ""},
        "stiffness against displacements that strain does not see, such as checkerboards, over "
        "Young's modulus");
  field("damping", p.damping, "s", not_negative,
        "stress by the rate of strain, over that by strain (Kelvin-Voigt)");
  field("yield_strain", p.yield_strain, "", not_negative,
        "shear strain at which the matter begins to keep its new shape; no limit when absent");
  field("creep", p.creep, "1/s", not_negative,
        "rate at which strain beyond the yield strain becomes plastic; at once when absent");
  field("largest_plastic_strain", p.largest_plastic_strain, "", not_negative,
        "plastic strain at most; no limit when absent, or while the matter flows");
  field("flows", p.flows,
        "true: the reference shape follows the matter in every step, so that it can flow without "
        "limit, split and merge");
  field("sound_speed", p.sound_speed, "m/s", positive,
        "of the pressure that keeps the volume of flowing matter: ten times the fastest flow keeps "
        "its density within a percent");
  field("melted_modulus", p.melted_modulus, "Pa", positive,
        "Young's modulus once molten; as in the solid when absent");
  field("melted_creep", p.melted_creep, "1/s", positive,
        "creep of molten matter, which has no yield strain: it flows above melting_temperature "
        "and becomes elastic below; never melts when absent");
  field("friction", p.friction, "", not_negative,
        "Coulomb friction between phyxels that touch; of two materials the mean");
  field("contact_damping", p.contact_damping, "", fraction,
        "how much of their approach phyxels lose where they touch; 1 is critical");
  field("self_contact", p.self_contact, "parts of one body touch each other");
  describe(field, p.thermal);
}

}  // namespace phyxel::mls
