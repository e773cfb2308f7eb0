#pragma once

#include <string>
#include <vector>

#include "lattice/common.h"
#include "phyxel/methods/pbd/bodies.h"

// Equilibrium of the constraints of a body by Newton's method in double, without the solver of pbd:
// what its elements answer, whatever its steps do.

namespace phyxel::validation::pbd {

/// The constraints of one body as springs, and what holds it.
struct Springs {
  phyxel::pbd::Model model;
  std::vector<double> modulus;  // by lot
  std::vector<char> held;       // by vertex, which is the id of its particle
};

/// Those of the first body of a scene, whose world this is.
Springs springs_of(const Scene& scene, World& world);

/// Energy of all constraints, J, and its derivatives by all positions, N.
double energy_at(const Springs& springs, const std::vector<Vec3d>& x, std::vector<Vec3d>& slope);

/// Places at which forces of all constraints balance `force` (N, by vertex): to `tolerance` of its
/// length.
std::vector<Vec3d> equilibrium(const Springs& springs, const std::vector<Vec3d>& force,
                               double tolerance = 1e-3);

}  // namespace phyxel::validation::pbd
