#pragma once

#include "phyxel/colliders/collider_view.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/methods/skeleton/reaction_view.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// What the kernels of every method with neighbours read and write: numbers and pointers, copied
/// into each kernel. A method derives its own view and adds its columns.
struct ParticleView {
  Index n = 0;
  Vec3* x = nullptr;
  Vec3* v = nullptr;
  const Real* mass = nullptr;
  const ParticleId* id = nullptr;
  const Index* material = nullptr;
  const Real* temperature = nullptr;
  const Index* pin = nullptr;  // null where there are no pins
  const PinView* pins = nullptr;
  ColliderViews colliders;
  bool colliders_moved = false;  // since particles near them were found
  ReactionView reactions;        // impulses of this step

  const Vec3* x_at_build = nullptr;  // positions when the rows were built
  const Index* row_start = nullptr;
  const Index* row_count = nullptr;
  const Index* neighbour = nullptr;

  PeriodicBox box;
  Period period;
  bool periodic = false;
  bool flat = false;  // a scene in the plane z = 0
  Vec3 gravity = Vec3::zero();

  PHYXEL_FN bool is_pinned(Index i) const { return pin && pin[i] >= 0 && pins[pin[i]].active; }
};

/// A view with the column that tells which particles are near colliders.
struct ContactView : ParticleView {
  Index* is_near = nullptr;  // 1: a collider may be met before rows are built again

  PHYXEL_FN bool meets_colliders(Index i) const {
    return colliders.count > 0 && (colliders_moved || is_near[i] != 0);
  }
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
