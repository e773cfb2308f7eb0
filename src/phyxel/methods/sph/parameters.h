#pragma once

#include "phyxel/matter/heat.h"

namespace phyxel::sph {

/// The parameters of a material with method = "sph".
struct Parameters {
  Real sound_speed = not_given;
  Real bulk_modulus = not_given;
  Real gamma = 7;
  Real viscosity = Real(1e-3);
  Real artificial_viscosity = Real(0.05);
  Real xsph = Real(0.3);
  Real surface_tension = 0;
  Real smoothing_ratio = not_given;
  Thermal thermal;
};

inline void describe(Fields& field, Parameters& p) {
  field("sound_speed", p.sound_speed, "m/s", positive,
        "of pressure waves: ten times the fastest flow keeps the density within a percent; 30 when "
        "neither it nor bulk_modulus is given");
  field("bulk_modulus", p.bulk_modulus, "Pa", positive,
        "resistance to compression, instead of sound_speed: density times its square");
  field("gamma", p.gamma, "", {1, 20, true, true, "7 is water, 1 is linear"},
        "exponent of Tait's equation: how much stiffer it becomes when compressed");
  field("viscosity", p.viscosity, "Pa s", not_negative, "resistance to shear");
  field("artificial_viscosity", p.artificial_viscosity, "", {0, 2, true, true, ""},
        "alpha of Monaghan: takes the energy of shocks where particles approach each other");
  field("xsph", p.xsph, "", {0, 1, true, true, "Monaghan uses 0.5"},
        "epsilon of Monaghan: share of the neighbours' mean velocity in the motion of a particle");
  field("surface_tension", p.surface_tension, "N/m", {0, 1e6, true, true, "water has 0.073"},
        "of a free surface: rounds drops and holds jets together; water has 0.073");
  field("smoothing_ratio", p.smoothing_ratio, "", {0.9, 1.5, true, true, ""},
        "smoothing length over the edge of a particle's volume; particles see each other up to "
        "twice that length; 1 in space (33 neighbours) and 1.2 in the plane (18) when absent; one "
        "for all materials of this method");
  describe(field, p.thermal);
}

/// Why a parameter has no effect; empty where it has one.
inline std::string idle(const Parameters& p, const std::set<std::string>& given,
                        const std::string& name) {
  return phyxel::idle(p.thermal, given, name);
}

}  // namespace phyxel::sph
