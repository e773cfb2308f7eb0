#pragma once

#include <set>
#include <string>

#include "phyxel/matter/material.h"
#include "phyxel/methods/mpm/parameters.h"

namespace phyxel::mpm {

/// Fills what follows from other parameters; refuses numbers that the law does not use.
void resolve(Material& material);

/// One grid for all materials: throws where what belongs to it is not the same.
void check_agreement(const Material& a, const Material& b);

/// Lines for `phyxel check`.
std::vector<std::string> report(const Material& material);

/// Why a parameter does nothing with the values of the others, and what to do about it; empty where
/// it does. `given`: the names that the scene has.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

/// The law with the numbers of the material.
AnyLaw law_of(const Parameters& p);

/// The same for a sheet (plane stress) where the scene has one. Throws InputError where there is no
/// such law of sheets.
AnyLaw law_in(const Material& material, bool sheet);

/// "" or why a material cannot be a sheet, and what to do about it: begins with a key of its table.
std::string refuses_sheet(const Material& material);

/// Edge of a grid cell that suits particles of that volume: eight of them in one, four in a flat
/// scene.
Real natural_cell(double volume, int dimensions);

}  // namespace phyxel::mpm
