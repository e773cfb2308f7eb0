#pragma once

#include "phyxel/core/mat.h"

// Columns are 3D; a flat scene lies in z = 0.

namespace phyxel::lattice {

template <int Dim>
PHYXEL_FN Vec<Real, Dim> narrow(const Vec3& v) {
  Vec<Real, Dim> result;
  for (int k = 0; k < Dim; ++k) result[k] = v[k];
  return result;
}
template <int Dim>
PHYXEL_FN Mat<Real, Dim> narrow(const Mat3& m) {
  Mat<Real, Dim> result;
  for (int k = 0; k < Dim; ++k) result[k] = narrow<Dim>(m[k]);
  return result;
}

template <int Dim>
PHYXEL_FN Vec3 widen(const Vec<Real, Dim>& v) {
  Vec3 result = Vec3::zero();
  for (int k = 0; k < Dim; ++k) result[k] = v[k];
  return result;
}
template <int Dim>
PHYXEL_FN Mat3 widen(const Mat<Real, Dim>& m) {
  Mat3 result = Mat3::identity();
  for (int k = 0; k < Dim; ++k) result[k] = widen(m[k]);
  return result;
}

}  // namespace phyxel::lattice
