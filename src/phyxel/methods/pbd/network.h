#pragma once

#include "phyxel/methods/pbd/bodies.h"

// Solids as networks of springs between close points (Umenhoffer, section 4), which need no
// lattice.

namespace phyxel::pbd {

/// Pairs of points nearer than `reach`, m, each once, in ascending order.
std::vector<Vec<Index, 2>> close_pairs(const std::vector<Vec3>& points, Real reach);

/// Springs of k = 12 E V / (N l^2) in space, 6 E V / (N l^2) in a plane, with the volume V of a
/// point and its N neighbours; the mean of both points. A body with N_b springs and a volume V_b
/// has k_b = 6 E V_b / (N_b l_b^2): sum of k l^2 / 2 e^2 over directions is the energy of linear
/// elasticity where all points move with the strain. Poisson's ratio is 1/4, in a plane 1/3.
void add_springs(Model& model, const BodySeed& seed, const Material& material, Index first,
                 const std::vector<Vec<Index, 2>>& pairs);

/// A body of such springs between all points nearer than 1.6 spacings.
void add_network(Model& model, const BodySeed& seed, const Material& material, Index first);

}  // namespace phyxel::pbd
