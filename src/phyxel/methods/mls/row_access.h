#pragma once

#include "phyxel/methods/mls/response.h"
#include "phyxel/methods/mls/step_view.h"

// Rows of sixteen numbers (rows.h) to what they mean and back; T is a number or a pack.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

template <class T>
PHYXEL_FN Moments<T> moments_of(const T* c) {
  return {{c[0], c[1], c[2], c[3], c[4], c[5]}, {c[6], c[7], c[8]}, c[10]};
}
template <class T>
PHYXEL_FN Gradient<T> gradient_of(const T* c) {
  return {{{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}, {c[6], c[7], c[8]}}}, {c[9], c[10], c[11]}};
}
template <class T>
PHYXEL_FN RestShape<T> rest_of(const T* c, const Symmetric<T>& directions) {
  RestShape<T> r;
  for (int k = 0; k < 6; ++k) r.inverse[k] = c[rest_row::inverse + k];
  for (int k = 0; k < 3; ++k) r.lean[k] = c[rest_row::lean + k];
  r.directions = directions;
  r.volume = c[rest_row::volume];
  r.inverse_h2 = c[rest_row::inverse_h2];
  r.rank = c[rest_row::rank];
  r.size = c[rest_row::size];
  r.stiffness = c[rest_row::stiffness];
  r.hold_stiffness = c[rest_row::hold_stiffness];
  return r;
}
template <class T>
PHYXEL_FN void fill_row(const RestShape<T>& r, T* c) {
  for (int k = 0; k < 6; ++k) c[rest_row::inverse + k] = r.inverse[k];
  for (int k = 0; k < 3; ++k) c[rest_row::lean + k] = r.lean[k];
  c[rest_row::volume] = r.volume;
  c[rest_row::inverse_h2] = r.inverse_h2;
  c[rest_row::rank] = r.rank;
  c[rest_row::size] = r.size;
  c[rest_row::stiffness] = r.stiffness;
  c[rest_row::hold_stiffness] = r.hold_stiffness;
}
template <class T>
PHYXEL_FN void fill_pull(const Vec<T, 3>& reference, const Vec<T, 3>& x, const Mat<T, 3>& q,
                         const T& inverse_h2, T* c) {
  for (int k = 0; k < 3; ++k) {
    c[pull_row::reference + k] = reference[k];
    c[pull_row::position + k] = x[k];
    for (int l = 0; l < 3; ++l) c[pull_row::stress + 3 * k + l] = q[k][l];
  }
  c[pull_row::inverse_h2] = inverse_h2;
}
template <class T>
PHYXEL_FN Symmetric<T> all_directions() {
  const T one(Real(1)), zero(Real(0));
  return {one, one, one, zero, zero, zero};
}

PHYXEL_FN RestShape<Real> rest_of_phyxel(const StepView& s, Index i) {
  return rest_of(s.rest[i].c, s.all_bodies ? all_directions<Real>() : s.directions[i]);
}
}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
