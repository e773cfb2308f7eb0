#pragma once

#include "phyxel/matter/parameters.h"

namespace phyxel::pbd {

/// compliant: constraints give way by their moduli (XPBD); stiffness: by a share of each correction
/// that has no unit.
enum class Projection { compliant, stiffness };

/// The parameters of a material with method = "pbd".
struct Parameters {
  int substeps = 12;
  int iterations = 1;
  Projection projection = Projection::compliant;
  Real stiffness = 1;
  Real youngs_modulus = Real(1e6);
  Real stretch_modulus = not_given;
  Real bend_stiffness = not_given;
  Real damping = 0;
  Real contact_thickness = not_given;
  bool self_contact = true;
  bool continuous = true;
  Real friction = Real(0.3);
};

inline void describe(Fields& field, Parameters& p) {
  field("substeps", p.substeps, "", {1, 10000, true, true, ""},
        "steps in a sixtieth of a second; more of them make cloth stretch less than more "
        "iterations do, at the same cost");
  field("iterations", p.iterations, "", {1, 10000, true, true, ""},
        "sweeps over all constraints in a step");
  field.choice(
      "projection", p.projection, {"compliant", "stiffness"},
      "compliant: constraints give way by moduli in SI units (XPBD); stiffness: by a share "
      "of each correction (plain PBD)");
  field("stiffness", p.stiffness, "", fraction,
        "share of their errors that the sweeps of a step correct, with projection = \"stiffness\"");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive, "stress over strain when pulled")
      .changeable = true;
  field("stretch_modulus", p.stretch_modulus, "N/m", positive,
        "of sheets: force per width over strain; youngs_modulus times the thickness when absent")
      .changeable = true;
  field("bend_stiffness", p.bend_stiffness, "N m", not_negative,
        "of sheets: moment per width over curvature; when absent that of a plate of youngs_modulus "
        "and the thickness, or none where stretch_modulus is given")
      .changeable = true;
  field("damping", p.damping, "s", not_negative,
        "forces by the rate of strain, over those by strain (Kelvin-Voigt)")
      .changeable = true;
  field("contact_thickness", p.contact_thickness, "m", positive,
        "distance that surfaces keep from each other, and twice that from colliders; half of the "
        "spacing when absent");
  field("self_contact", p.self_contact,
        "sheets and ropes touch themselves and each other; needs a search for contacts");
  field("continuous", p.continuous,
        "contact of sheets is tested along the paths of a step, and nothing passes through; false: "
        "at their ends only, which is faster");
  field("friction", p.friction, "", not_negative,
        "Coulomb friction between sheets; of two materials the mean")
      .changeable = true;
}

}  // namespace phyxel::pbd
