#pragma once

#include "phyxel/matter/parameters.h"

namespace phyxel::pbd {

/// compliant: constraints give way by their moduli (XPBD); stiffness: by a share of each correction
/// that has no unit.
enum class Projection { compliant, stiffness };

/// What fills a solid or a sheet. automatic: cells where the points of a solid are a lattice of
/// cubes, else a network; of sheets the springs along their edges.
enum class Elements { automatic, network, tetrahedra, cells, triangles };

/// How hinges of sheets measure bending.
enum class BendLaw { angle, isometric };

/// How elements answer large strains; small ones they answer alike.
enum class SolidLaw { corotated, neo_hookean };

/// fixed_amount: p V of the gas in a balloon is constant; fixed_pressure: it is fed or let out.
enum class GasSupply { fixed_amount, fixed_pressure };

/// The parameters of a material with method = "pbd".
struct Parameters {
  int substeps = 12;
  int iterations = 1;
  Projection projection = Projection::compliant;
  Real stiffness = 1;
  Real youngs_modulus = Real(1e6);
  Real stretch_modulus = not_given;
  Real shear_modulus = not_given;
  Real bend_stiffness = not_given;
  BendLaw bending = BendLaw::angle;
  Real flexural_rigidity = not_given;
  Real long_range_strain = not_given;
  Real poissons_ratio = Real(0.3);
  Elements elements = Elements::automatic;
  SolidLaw law = SolidLaw::corotated;
  Real shape_frequency = not_given;
  Real pressure = not_given;
  Real ambient_pressure = 101325;
  GasSupply gas = GasSupply::fixed_amount;
  Real yield_strain = not_given;
  Real yield_angle = not_given;
  Real creep = not_given;
  Real largest_plastic_strain = not_given;
  Real tear_strain = not_given;
  Real damping = 0;
  Real drag_coefficient = 0;
  Real lift_coefficient = 0;
  Real air_density = Real(1.2);
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
  field("shear_modulus", p.shear_modulus, "N/m", positive,
        "of sheets with elements = \"triangles\": shear force per width over shear angle between "
        "the x and y axes of the body, as warp and weft of cloth; that of an isotropic sheet when "
        "absent")
      .changeable = true;
  field.choice("bending", p.bending, {"angle", "isometric"},
               "of hinges of sheets: angle: that between two triangles, also when they are "
               "stretched; isometric: linear in positions, cheaper, the same while edges keep "
               "their lengths");
  field("flexural_rigidity", p.flexural_rigidity, "N m^2", not_negative,
        "of ropes and rods: moment over curvature, E I; they do not resist bending when absent")
      .changeable = true;
  field("long_range_strain", p.long_range_strain, "", not_negative,
        "no particle is further from the nearest pinned one than the way along the mesh and this "
        "share of it, whatever the number of sweeps; no limit when absent");
  field("poissons_ratio", p.poissons_ratio, "",
        {0, 0.5, true, false, "0.49 is nearly incompressible"},
        "of solids of cells or tetrahedra, and of sheets of triangles: sideways shrinking under "
        "stretch");
  field.choice(
      "elements", p.elements, {"automatic", "network", "tetrahedra", "cells", "triangles"},
      "what fills a solid: springs between close points, tetrahedra, or cells, which bend as "
      "they should with few of them; the last two need packing = \"cubic\"; automatic: cells "
      "where that is given and nothing yields, else a network. What a sheet is of: springs along "
      "its edges, or triangles with their strain, which have a Poisson's ratio and shear");
  field.choice("law", p.law, {"corotated", "neo_hookean"},
               "how cells and tetrahedra answer large strains: corotated ones come back from being "
               "inside out or crushed to a point");
  field("shape_frequency", p.shape_frequency, "Hz", positive,
        "of shape matching: particles swing about their places in the shape of their body, turned "
        "and moved as fits best, as masses on springs with this frequency; none when absent")
      .changeable = true;
  field("pressure", p.pressure, "Pa", not_negative,
        "that the gas in a closed shell has at its volume at rest, all of it and not what it is "
        "above "
        "ambient_pressure; there is no gas when absent")
      .changeable = true;
  field("ambient_pressure", p.ambient_pressure, "Pa", not_negative, "outside of closed shells")
      .changeable = true;
  field.choice("gas", p.gas, {"fixed_amount", "fixed_pressure"},
               "fixed_amount: pressure times volume is constant, as of gas at a fixed temperature; "
               "fixed_pressure: gas is fed or let out");
  field("yield_strain", p.yield_strain, "", not_negative,
        "of edges and springs: strain at which they begin to keep their new length; no limit when "
        "absent")
      .changeable = true;
  field("yield_angle", p.yield_angle, "degrees", not_negative,
        "of hinges of sheets: bend between two triangles at which they begin to keep it, as a "
        "crease; no limit when absent")
      .changeable = true;
  field("creep", p.creep, "1/s", not_negative,
        "rate at which strain and bend beyond their yield become plastic; at once when absent")
      .changeable = true;
  field("largest_plastic_strain", p.largest_plastic_strain, "", not_negative,
        "of edges and springs: plastic strain at most; no limit when absent")
      .changeable = true;
  field("tear_strain", p.tear_strain, "", positive,
        "of edges of sheets: strain at which they tear, counted from their length at the start; no "
        "limit when absent");
  field("damping", p.damping, "s", not_negative,
        "forces by the rate of strain, over those by strain (Kelvin-Voigt)")
      .changeable = true;
  field(
      "drag_coefficient", p.drag_coefficient, "", not_negative,
      "of triangles of sheets in the air of wind fields, about 1.2 for cloth; give these rate = 0")
      .changeable = true;
  field("lift_coefficient", p.lift_coefficient, "", not_negative,
        "of the same, at right angles to the wind; about 0.8")
      .changeable = true;
  field("air_density", p.air_density, "kg/m^3", positive, "of the air of wind fields").changeable =
      true;
  field("contact_thickness", p.contact_thickness, "m", positive,
        "distance that surfaces keep from each other; from colliders they keep half of it; half of "
        "the spacing when absent");
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
