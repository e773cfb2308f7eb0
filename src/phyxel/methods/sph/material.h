#pragma once

#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/matter/sph_law.h"
#include "phyxel/methods/sph/parameters.h"

namespace phyxel::sph {

/// The liquid of a material, with particles of smoothing length h.
Law law_of(const Material& material, Real h);

/// Checks what spans several parameters, and fills in the speed of sound.
void resolve(Material& material);

/// Throws InputError where two materials cannot be in one scene.
void check_agreement(const Material& a, const Material& b);

/// Speed of sound and what follows, in words: for `phyxel check`.
std::vector<std::string> report(const Material& material);

}  // namespace phyxel::sph
