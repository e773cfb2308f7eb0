#pragma once

#include <vector>

#include "phyxel/core/mat.h"
#include "phyxel/methods/lattice/points.h"

namespace phyxel::lattice {

/// How the lattice lies that puts neighbours at these offsets, the nearest ones only; as the
/// lattice itself where that fits. Bodies are filled along their own axes, which methods are not
/// told.
template <int Dim>
Mat<Real, Dim> orientation_of(const std::vector<Vec<Real, Dim>>& offsets, Real spacing);

}  // namespace phyxel::lattice
