#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/methods/pbd/dither.h"
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

/// A rotation that a piece of matter gets at the end of a step.
struct PieceTurn {
  Vec3 rate = Vec3::zero();    // rad/s
  Vec3 centre = Vec3::zero();  // m
};

/// Where particles move to freely. Always by this function: products and sums are not fused
/// differently then, so that differences from it are exact.
PHYXEL_FN Vec3 predicted_end(const Vec3& x, const Vec3& v, Real dt) {
  return x + v * dt;
}

inline namespace PHYXEL_BACKEND {

struct SpinsView {
  const Index* group_of = nullptr;  // by particle, -1: none; null: nothing turns
  const PieceTurn* turn = nullptr;  // by group
};

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
  SpinsView spins;
  Dither dither;
  Touch* touch = nullptr;  // touches_of_particle for each of them
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
