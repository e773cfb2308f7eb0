#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/methods/pbd/constraints/shape_match.h"
#include "phyxel/methods/pbd/parameters.h"

namespace phyxel::pbd {

/// Why a parameter does nothing with the values of the others; empty where it does.
std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name);

/// Fills in the thickness of contact.
void resolve(Material& material);

/// Throws InputError where two materials cannot be in one scene.
void check_agreement(const Material& a, const Material& b);

/// What `phyxel check` says of a material.
std::vector<std::string> report(const Material& material);

/// How bodies of a material keep their shape; 0: they do not.
ShapeGive shape_of(const Parameters& p);

/// m, by which a sharp collider edge of 90 degrees looks out of a sheet at most: particles keep off
/// both of its faces, and where an edge of the sheet cuts the corner its middle is half of its
/// length below it.
double depth_of_edges(const Material& material);

/// s, of a step.
inline double step_of(const Parameters& p) {
  return 1.0 / (60.0 * p.substeps);
}

}  // namespace phyxel::pbd
