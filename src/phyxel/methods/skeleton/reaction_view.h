#pragma once

#include "phyxel/colliders/contact.h"
#include "phyxel/core/threads.h"
#include "phyxel/core/wide_sum.h"

// How kernels count the impulses that colliders and pins give to particles, where these act. Sums
// do not depend on their order: threads add when they like, each on the CPU to a copy of its own.

namespace phyxel {

/// Numbers of a reaction: impulse, angular impulse about the scene's origin, the part of the
/// impulse along surfaces, and the sum of its parts along normals.
constexpr int reaction_angular = 3, reaction_friction = 6, reaction_pressed = 9;
constexpr int reaction_numbers = 10;

/// The sums of a collider or pin in a step.
struct alignas(64) ReactionDigits {
  WideSum number[reaction_numbers];
  std::int64_t touched;  // 0: all are zero
};

/// An impulse and its moment about the scene's origin.
struct Impulse {
  Vec3d linear = Vec3d::zero();   // N s
  Vec3d angular = Vec3d::zero();  // N m s
};
struct AddedImpulses {
  PHYXEL_FN Impulse operator()(const Impulse& a, const Impulse& b) const {
    return {a.linear + b.linear, a.angular + b.angular};
  }
};

inline namespace PHYXEL_BACKEND {

/// Non-owning view of the sums of a step, for kernels. Colliders come first, then pins.
struct ReactionView {
  ReactionDigits* sums = nullptr;  // copies x slots; null: nothing is counted
  Index slots = 0;
  Index copies = 1;
  Index first_pin = 0;
  bool shared = false;  // several threads add to a copy

  PHYXEL_FN bool counts() const { return sums != nullptr; }
  PHYXEL_FN ReactionDigits& of(Index slot) const {
#ifdef __CUDA_ARCH__
    const Index copy = static_cast<Index>(blockIdx.x) % copies;
#else
    const Index copy = loop_thread() % copies;
#endif
    return sums[copy * slots + slot];
  }
};

PHYXEL_FN void add(const ReactionView& view, WideSum* sums, const Vec3d& value) {
  for (int k = 0; k < 3; ++k) add(sums[k], value[k], view.shared);
}

/// Counts an impulse of a collider or pin.
PHYXEL_FN_APART void add_impulse(const ReactionView& view, Index slot, const Impulse& impulse) {
  ReactionDigits& sums = view.of(slot);
  sums.touched = 1;
  add(view, sums.number, impulse.linear);
  add(view, sums.number + reaction_angular, impulse.angular);
}

/// The impulse that takes a particle from one motion to another.
PHYXEL_FN Impulse impulse_between(Real mass, const Vec3& x, const Vec3& v, const Vec3& to_x,
                                  const Vec3& to_v) {
  const Vec3d before = cast<double>(v) * double(mass), after = cast<double>(to_v) * double(mass);
  return {after - before, cross(cast<double>(to_x), after) - cross(cast<double>(x), before)};
}

/// Counts an impulse that a collider gives to matter at x, with its part along the surface.
PHYXEL_FN_APART void add_contact_impulse(const ReactionView& view, Index collider, const Vec3& x,
                                         const Vec3& normal, const Vec3d& impulse) {
  const Vec3d n = cast<double>(normal);
  const double pressed = dot(impulse, n);
  ReactionDigits& sums = view.of(collider);
  sums.touched = 1;
  add(view, sums.number, impulse);
  add(view, sums.number + reaction_angular, cross(cast<double>(x), impulse));
  add(view, sums.number + reaction_friction, impulse - n * pressed);
  add(sums.number[reaction_pressed], pressed, view.shared);
}

/// Counts what a collider does to a particle at x: (collider, x, contact, v before, v after).
struct CountContact {
  const ReactionView& view;
  Real mass;

  PHYXEL_FN void operator()(Index collider, const Vec3& x, const Contact& contact, const Vec3& v,
                            const Vec3& after) const {
    if (view.counts())
      add_contact_impulse(view, collider, x, contact.normal,
                          (cast<double>(after) - cast<double>(v)) * double(mass));
  }
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
