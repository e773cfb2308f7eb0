#pragma once

#include <string>
#include <vector>

#include "phyxel/matter/heat.h"
#include "phyxel/matter/material.h"
#include "phyxel/matter/sph_law.h"

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

void describe(Fields& field, Parameters& p);

/// The liquid of a material, with particles of smoothing length h.
Law law_of(const Material& material, Real h);

/// Checks what spans several parameters, and fills in the speed of sound.
void resolve(Material& material);

/// Throws InputError where two materials cannot be in one scene.
void check_agreement(const Material& a, const Material& b);

/// Speed of sound and what follows, in words: for `phyxel check`.
std::vector<std::string> report(const Material& material);

}  // namespace phyxel::sph
