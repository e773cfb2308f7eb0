#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/matter/plane.h"
#include "phyxel/methods/lattice/parameters.h"

namespace phyxel::lattice {

/// Checks combinations of parameters.
void resolve(Material& material);

/// Why a parameter does nothing with the values of the others, and what to do about it; empty where
/// it does. `given`: the names that the scene has.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

/// Distance of neighbours in closest packing of particles of this mass, m.
Real lattice_spacing(const Material& material, Real mass);

/// The numbers of a material for kernels, with particles of this spacing.
Solid solid_of(const Material& material, Real spacing, Plane plane = Plane::strain);

/// Stable step of explicit integration, s.
double stable_dt(const Solid& solid, Real mass, int dimensions);

/// The same for its liquid, with particles of smoothing length h, s.
double stable_liquid_dt(const Solid& solid, Real h, double speed);

/// Speed of sound and what follows, in words: for `phyxel check`.
std::vector<std::string> report(const Material& material);

}  // namespace phyxel::lattice
