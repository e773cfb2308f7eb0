#pragma once

#include <set>
#include <string>

#include "phyxel/matter/heat.h"
#include "phyxel/matter/material.h"
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

void describe(Fields& field, Parameters& p);

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

/// Edge of a grid cell that suits particles of that volume: eight of them in one, four in a flat
/// scene.
Real natural_cell(double volume, int dimensions);

}  // namespace phyxel::mpm
