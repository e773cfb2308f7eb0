#pragma once

#include "phyxel/matter/poisson.h"
#include "phyxel/methods/lattice/force.h"

// Fracture. Every slot has a docking rate, at which particles are assigned to it while it is empty.
// The rate falls meanwhile, so that an open crack stays open: the slots at its faces have rate
// zero. Wicke et al. 2006, section 4.2.

namespace phyxel::lattice {

constexpr std::uint32_t docking_stream = 0x646f636b;

struct Docking {
  Real largest = 0;  // lambda_max, 1/s
  Real change = 0;   // how fast rates fall and rise, 1/s per s
};

/// Rate of a slot after dt, occupied or empty, within [0, largest], 1/s.
PHYXEL_FN Real docking_rate(const Docking& d, Real rate, bool held, Real dt) {
  const Real change = d.change * dt;
  return clamp(held ? rate + change : rate - change, Real(0), d.largest);
}

/// Whether a particle docks at a slot of this rate in this step: probability 1 - exp(-rate dt).
PHYXEL_FN bool docks(Real rate, std::uint32_t seed, ParticleId id, int slot, std::uint64_t step,
                     Real dt) {
  const std::uint64_t name = std::uint64_t(slot) << 32 ^ id;
  return happens({seed, docking_stream}, name, step, rate, dt);
}

/// Tension across the bond to a lattice point, Pa: above the strength of the material it breaks,
/// and the docking rate of the slot becomes zero.
template <class T, int Dim>
PHYXEL_FN T bond_tension(const HookeanLaw<T>& law, const Fit<T, Dim>& fit, const Vec<T, Dim>& l) {
  return dot(l, stress(law, strain(fit)) * l) / length_squared(l);
}

/// Strain of the bond to a lattice point, for laws without a stress.
template <class T, int Dim>
PHYXEL_FN T bond_strain(const Fit<T, Dim>& fit, const Vec<T, Dim>& l) {
  return dot(l, strain(fit) * l) / length_squared(l);
}

}  // namespace phyxel::lattice
