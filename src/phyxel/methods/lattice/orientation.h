#pragma once

#include <vector>

#include "phyxel/core/mat.h"
#include "phyxel/methods/lattice/points.h"

namespace phyxel::lattice {

/// Rotation of the lattice that puts lattice points at these offsets of the nearest neighbours; the
/// identity where that fits. Bodies are filled along their own axes, which methods get no other
/// way.
template <int Dim>
Mat<Real, Dim> orientation_of(const std::vector<Vec<Real, Dim>>& offsets, Real spacing);

}  // namespace phyxel::lattice
