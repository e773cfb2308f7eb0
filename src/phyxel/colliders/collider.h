#pragma once

#include <limits>
#include <memory>
#include <string>

#include "phyxel/colliders/contact.h"
#include "phyxel/colliders/mesh_sequence.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/geometry/shape.h"

namespace phyxel {

/// A solid that matter cannot enter: still, keyframed, a mesh sequence, or a sequence on a
/// keyframed path. Methods see it through contact_at only.
struct Collider {
  std::string name;
  Shape shape;  // before the motion; of a sequence: its mesh at the time of the last move_to
  Motion motion;
  std::shared_ptr<const MeshSequence> sequence;  // null: the shape does not change
  Real friction = Real(0.3);                     // Coulomb's coefficient
  Real restitution = 0;                          // part of the normal speed that comes back, 0 to 1
  ContactKind contact = ContactKind::separate;
  Real temperature = std::numeric_limits<Real>::quiet_NaN();  // degrees C; NaN: passes no heat
  bool visible = true;                                        // in pictures

  Pose pose;          // current
  MovingMesh moving;  // current, of a sequence
};

/// Sets the pose, and the mesh of a sequence, for `time` s. Not while others read the collider.
void move_to(Collider& collider, double time);

/// Distance, normal and surface velocity at x, where the last move_to has put the collider. The
/// velocity is that of the surface point nearest to x.
Contact contact_at(const Collider& collider, const Vec3& x);

}  // namespace phyxel
