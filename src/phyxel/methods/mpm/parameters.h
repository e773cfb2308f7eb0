#pragma once

#include <string>

#include "phyxel/matter/heat.h"
#include "phyxel/methods/mpm/laws.h"

namespace phyxel::mpm {

enum class Transfer { apic, flip };
enum class Integration { explicit_, implicit };
enum class Volumes { automatic, packing, rasterised };

/// The parameters of a material with method = "mpm".
struct Parameters {
  int law = 0;                        // into law_names()
  Real youngs_modulus = Real(1.4e5);  // Pa
  Real poissons_ratio = Real(0.2);
  Real cell = not_given;  // m, edge of a cell of the grid
  Transfer transfer = Transfer::apic;
  Real flip = Real(0.9);  // share of FLIP, the rest is PIC
  Volumes volumes = Volumes::automatic;
  Integration integration = Integration::explicit_;
  Real implicit_share = 1;      // beta
  Real tolerance = Real(0.01);  // of the solve of an implicit step
  int iterations = 500;         // of it, at most
  LawTuple laws;                // numbers of each law
  Thermal thermal;
  std::string melts_into, freezes_into;  // names of materials; empty: it does not
};

inline void describe(Fields& field, Parameters& p) {
  field.choice("law", p.law, law_names(), "how it answers to deformation");
  field("youngs_modulus", p.youngs_modulus, "Pa", positive, "stiffness; not of liquids");
  field("poissons_ratio", p.poissons_ratio, "",
        {0, 0.495, true, true, "0.5 would be incompressible"},
        "how much it narrows when drawn; not of liquids");
  std::apply([&](auto&... law) { (describe(field, law), ...); }, p.laws);
  field(
      "cell", p.cell, "m", positive,
      "edge of a cell of the grid, one for all materials of this method; eight particles fill one "
      "when absent");
  field.choice(
      "transfer", p.transfer, {"apic", "flip"},
      "between particles and grid: quadratic splines with affine velocities, or cubic ones "
      "with a blend of PIC and FLIP as Stomakhin et al. print it; one for all materials");
  field("flip", p.flip, "", fraction, "share of FLIP in that blend");
  field.choice("volumes", p.volumes, {"automatic", "packing", "rasterised"},
               "of particles: mass over density, or as the grid sees them at the start; automatic "
               "is packing with apic, rasterised with flip");
  field.choice("integration", p.integration, {"explicit", "implicit"},
               "steps that pressure waves limit, or steps that solve for the velocities and may be "
               "as long as matter crosses three tenths of a cell; one for all materials");
  field("implicit_share", p.implicit_share, "", {0.5, 1, true, true, ""},
        "of an implicit step: 1 is backward Euler, which damps what it does not resolve, 0.5 damps "
        "half as much");
  field("tolerance", p.tolerance, "", {0, 0.5, false, true, ""},
        "of an implicit step: share of the speeds of matter, and of what it would gain by falling, "
        "by "
        "which the solve may be off");
  field("iterations", p.iterations, "", {1, 100000, true, true, ""},
        "of an implicit step, at most; it goes on with what they have reached");
  describe(field, p.thermal);
  field("melts_into", p.melts_into,
        "material of this method that a particle becomes when it has taken up its latent heat");
  field("freezes_into", p.freezes_into,
        "material of this method that a particle becomes when it has given off its latent heat");
}

}  // namespace phyxel::mpm
