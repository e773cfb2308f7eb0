#pragma once

#include <memory>
#include <string>

#include "phyxel/colliders/collider_parameters.h"
#include "phyxel/colliders/jumps.h"
#include "phyxel/colliders/mesh_sequence.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/geometry/shape.h"

namespace phyxel {

struct VoxelDistance;  // voxel_distance.h

/// A solid that matter cannot enter: still, keyframed, a mesh sequence, or a sequence on a
/// keyframed path. Methods use it through contact_at only.
struct Collider : ColliderParameters {
  std::string name;
  Shape shape;  // before the motion; of a sequence: its mesh at the time of the last move_to
  Motion motion;
  std::shared_ptr<const MeshSequence> sequence;  // null: the shape does not change
  std::vector<Jump> jumps;                       // that no step can follow, in order of time

  Pose pose;              // current
  Withdrawal withdrawal;  // current, after a jump
  MovingMesh moving;      // current, of a sequence; with voxels up to half of one behind
  std::shared_ptr<const VoxelDistance> voxels;  // current; made once of a mesh, null where exact
};

/// Sets the pose, and the mesh of a sequence, for `time` s, and makes the voxels that this takes.
/// Not while others read the collider. InputError for voxels of what is no mesh, or too many.
void move_to(Collider& collider, double time);

/// Distance, normal and surface velocity at x, where the last move_to has put the collider. The
/// velocity is that of the surface point nearest to x.
Contact contact_at(const Collider& collider, const Vec3& x);

/// The same for the surface as it is drawn: a solid that has jumped is withdrawn behind it.
Contact surface_contact_at(const Collider& collider, const Vec3& x);

/// m, coordinates of boxes without an end.
constexpr Real endless = Real(1e30);

/// A box around the collider where the last move_to has put it. Planes have no end, and mesh
/// sequences, which change, count as endless too.
Bounds bounds_now(const Collider& collider);

/// Upper bound of the speed of the collider's points within `near`, between two times, m/s. A mesh
/// sequence whose triangles change has no known speed: it counts as zero, and so does a jump.
double largest_speed(const Collider& collider, double from, double to, const Bounds& near);

}  // namespace phyxel
