#pragma once

#include "phyxel/methods/lattice/force.h"

// Plastic flow of the hookean law. A lattice that has flowed is at rest where A = Q^-1: the elastic
// part of its deformation is A Q = R S, and Psi depends on S. Its slope with respect to A is P Q^T,
// so that plastic flow changes nothing but the matrix that gathers forces (Fit::gather).

namespace phyxel::lattice {

/// Norm of the deviatoric stress at which tension along one axis begins to yield.
template <int Dim, class T>
PHYXEL_FN T shear_at_yield(T yield_stress) {
  return yield_stress * sqrt(T(Dim - 1) / T(Dim));
}

/// Plastic flow ends where Q has grown by half: steps that are stable for the lattice at rest would
/// not be for a denser one.
template <class T, int Dim>
PHYXEL_FN bool may_flow_to(const Mat<T, Dim>& q) {
  return norm_squared(q) < T(2.25) * T(Dim);
}

/// The elastic part of a fit of matter that has flowed by q, after as much more flow as returns the
/// stress to the yield surface (von Mises, perfectly plastic). The flow keeps the trace of S.
template <class T, int Dim>
PHYXEL_FN Fit<T, Dim> elastic_part(const HookeanLaw<T>& law, T yield_stress, const Fit<T, Dim>& fit,
                                   Mat<T, Dim>& q) {
  const Mat<T, Dim> unit = Mat<T, Dim>::identity();
  const Polar<T, Dim> parts = polar(fit.a * q);
  const Mat<T, Dim> e = parts.stretch - unit, mean = unit * (trace(e) / T(Dim)), shear = e - mean;
  const T stress = 2 * law.mu * sqrt(norm_squared(shear)), most = shear_at_yield<Dim>(yield_stress);
  Fit<T, Dim> elastic = fit;
  elastic.rotation = parts.rotation;
  elastic.stretch = parts.stretch;
  if (stress > most) {
    const Mat<T, Dim> stretch = unit + mean + shear * (most / stress);
    const Mat<T, Dim> flowed = to_lattice(fit.a) * (parts.rotation * stretch);
    if (may_flow_to(flowed)) {
      elastic.stretch = stretch;
      q = flowed;
    }
  }
  elastic.gather = transpose(q) * fit.gather;
  return elastic;
}

}  // namespace phyxel::lattice
