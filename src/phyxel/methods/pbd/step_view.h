#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"

namespace phyxel::pbd {

/// A particle against a collider in a step: it stays on the outer side of a plane, which has moved
/// with the surface.
struct Touch {
  Index collider = -1;  // -1: none
  Vec3 normal;
  Real offset;              // m: normal . p >= offset
  Vec3 carried;             // m, what the surface moves in the step
  Real approach;            // m/s, at which the particle comes; for restitution
  Real press = 0;           // multiplier, kg m
  Vec3 rub = Vec3::zero();  // of friction, kg m
};
/// Two walls and the ground.
constexpr Index touches_of_particle = 3;

inline namespace PHYXEL_BACKEND {

/// What the kernels of a step read and write beside what all methods have.
struct StepView : ContactView {
  Quad* p = nullptr;     // n + 1: position at the end of the step, m; inverse mass, 1/kg
  Vec3* pull = nullptr;  // n + 1: of constraints on what pins hold, kg m; null: not counted
  // By particle: the pinned one that it is tied to, -1: none; then `pull` is that of its tie on
  // that one. Null: there are no ties.
  const Index* anchor = nullptr;
  const Real* gap = nullptr;    // m, from colliders, by material
  const Index* near = nullptr;  // particles that may meet colliders
  Index near_count = 0;
  Touch* touch = nullptr;  // touches_of_particle for each of them
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
