#pragma once

#include "phyxel/methods/mls/material.h"
#include "phyxel/methods/mls/pair_sum.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"

namespace phyxel::mls {

/// Names of objects: phyxels of one object are neighbours. A body has its number; all that absorbs
/// is one; what solidifies in a step has a name of its own.
constexpr Index flowing_object = -1;

inline namespace PHYXEL_BACKEND {

/// What the kernels of a step read and write beside what all methods have.
struct StepView : ContactView {
  Vec3* reference = nullptr;           // X, m
  Real* volume = nullptr;              // m^3, of the phyxel at rest
  Real* support = nullptr;             // h, m
  Index* object = nullptr;             // see flowing_object
  Symmetric<Real>* plastic = nullptr;  // null where nothing yields
  Symmetric<Real>* strain = nullptr;   // elastic, of the step before; null without damping
  Vec3* fibre = nullptr;               // null without fibres
  Mat3* absorbed = nullptr;            // deformation that is in the reference shape
  Vec3* acceleration = nullptr;        // at the end of the step before, m/s^2; no gravity
  Real* rest_density = nullptr;        // kg/m^3, of flowing matter; null: none flows
  Real* swollen = nullptr;             // see Moduli; null: none flows
  Real* melted = nullptr;              // molten fraction; null: nothing melts
  Real* molten_shape = nullptr;        // the same when the reference shape was made

  Moving* place = nullptr;                // n + 1: X and mass, x and h
  Row16* rest = nullptr;                  // n: see rest_row
  Symmetric<Real>* directions = nullptr;  // P; null where all neighbourhoods are bodies
  Row16* pull = nullptr;                  // n + 1: see pull_row
  Quad* other = nullptr;      // n + 1: k, pressure / density^2, mass, h; null: k is that of all
  Quad* own_force = nullptr;  // n: of the own neighbourhood, N
  Real* density = nullptr;    // kg/m^3; null: none flows
  Vec3* contact = nullptr;    // n: force of contact, N; null: none
  Vec3* couple = nullptr;     // n: torque of its friction, N m
  Real* energy = nullptr;     // n: J, of a diagnosis
  // n: F, of a diagnosis, where matter flows, and in implicit steps
  Mat3* deformation = nullptr;
  Symmetric<Real>* tension = nullptr;  // n: stress without compression, Pa; null: explicit
  Real* rate = nullptr;                // n: bound of squared frequencies, 1/s^2
  Real* molten = nullptr;              // n + 1: molten_shape for pairs; null: nothing melts

  const Solid* solids = nullptr;  // by material
  const Touch* touches = nullptr;
  Index first_material = 0;  // that of all phyxels where there is one
  bool mixed = false;        // there are several materials
  bool uniform = false;      // all phyxels have the same k, hold
  bool flowing = false;      // some phyxels absorb
  bool all_bodies = true;    // no neighbourhood is flat
  bool begins = false;       // no step has left accelerations
  Real hold = 0;             // N/m, of all where uniform
  Real skin = 0;             // m

  PHYXEL_FN const Solid& solid_of(Index i) const {
    return solids[mixed ? material[i] : first_material];
  }
  PHYXEL_FN Real radius_of(Index i) const {
    return touches[mixed ? material[i] : first_material].radius;
  }
  PHYXEL_FN bool absorbs(Index i) const { return flowing && object[i] == flowing_object; }
  PHYXEL_FN PairView pairs() const {
    return {place,     pull,   other,    molten, row_start, row_count,
            neighbour, period, periodic, flat,   hold};
  }
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
