#pragma once

#include "phyxel/methods/pbd/bodies.h"

namespace phyxel::pbd {

/// The way from a vertex to the nearest one that is held.
struct Tie {
  Index vertex, anchor;
  double length;  // m, along the mesh at rest
};

/// Ways along triangles and edges of the bodies to vertices of `held`, of all others that have one.
/// Across triangles they are straight (fast marching with unfolding, Kimmel and Sethian 1998).
std::vector<Tie> find_ties(const Model& model, const std::vector<std::uint8_t>& held);

}  // namespace phyxel::pbd
