#pragma once

#include "phyxel/matter/phase_change.h"
#include "phyxel/matter/sph_law.h"
#include "phyxel/methods/lattice/docking.h"
#include "phyxel/methods/lattice/plasticity.h"

namespace phyxel::lattice {

enum class LawKind { stiffness, hookean };

/// The numbers of a material for kernels.
struct Solid {
  LawKind kind = LawKind::hookean;
  StiffnessLaw<Real> springs;
  HookeanLaw<Real> hookean;
  ShellWeights<Real> weights;
  Real full_weight = 1;
  Real spacing = 0;          // m
  Real unit = 1;             // 1/m^2, of determinants: near 1 / spacing^2 for extreme ones
  Real damping = 0;          // 1/s
  Real contact_damping = 0;  // share of the critical one
  Real friction = 0;         // against other objects
  bool fractures = false;
  Docking docking;
  Real strength = 0;  // Pa; infinite where there is no such limit
  bool yields = false;
  Real yield_stress = 0;      // Pa
  Real youngs_modulus = 0;    // Pa
  bool may_flow = false;      // it is liquid, or may melt
  bool may_be_solid = false;  // it is solid, or may freeze
  sph::Law liquid;
  Melting melting;
  Freezing freezing;
};

/// Cut-off of the neighbourhood, m: with one shell, matter may stretch by half before a neighbour
/// is lost.
PHYXEL_FN Real reach_of(const Solid& solid) {
  return (solid.weights.shells == 1 ? Real(1.5) : Real(2.1)) * solid.spacing;
}

PHYXEL_FN bool freezes(const Solid& solid) {
  return solid.freezing.rate > 0;
}

/// Whether empty slots of a steady particle stay empty: their docking rates have fallen to zero.
PHYXEL_FN bool cracks_stay(const Solid& solid) {
  return solid.fractures && solid.docking.change > 0;
}

/// Whether the bond to a lattice point breaks.
template <int Dim>
PHYXEL_FN bool breaks(const Solid& solid, const Fit<Real, Dim>& fit, const Vec<Real, Dim>& l) {
  const Real tension = solid.kind == LawKind::hookean ? bond_tension(solid.hookean, fit, l)
                                                      : bond_strain(fit, l) * solid.youngs_modulus;
  return tension > solid.strength;
}

template <int Dim>
PHYXEL_FN NeighbourhoodForce<Real, Dim> force_of(const Solid& solid, const Moments<Real, Dim>& m,
                                                 const Fit<Real, Dim>& fit) {
  return solid.kind == LawKind::hookean ? neighbourhood_force(solid.hookean, m, fit)
                                        : neighbourhood_force(solid.springs, m, fit);
}

/// Energy of a neighbourhood without its residuals, J.
template <int Dim>
PHYXEL_FN Real strain_energy_of(const Solid& solid, const Fit<Real, Dim>& fit) {
  return solid.kind == LawKind::hookean ? strain_energy(solid.hookean, fit) : Real(0);
}
template <int Dim>
PHYXEL_FN Real residual_energy_of(const Solid& solid, const NeighbourhoodForce<Real, Dim>& f,
                                  const Fit<Real, Dim>& fit, Real w, const Vec<Real, Dim>& r,
                                  const Vec<Real, Dim>& l) {
  return solid.kind == LawKind::hookean ? residual_energy(solid.hookean, f, fit, w, r, l)
                                        : residual_energy(solid.springs, f, fit, w, r, l);
}

}  // namespace phyxel::lattice
