#pragma once

#include "phyxel/colliders/collider_view.h"

// Paths of particles in a step against colliders. The end of a path alone is not enough: it may lie
// beyond a solid that is thinner than the path is long.

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Where a point that is at x at the start of the step of dt would be at its end if it moved with
/// the collider: paths relative to the collider begin there.
PHYXEL_FN Vec3 carried(const ColliderView& collider, const Vec3& x, Real dt) {
  Vec3 moved = apply(collider.moved, x);
  const Pose& pose = collider.pose;
  if (collider.voxels)
    moved += rotate(pose.transform,
                    surface_velocity(*collider.voxels, apply_inverse(pose.transform, moved))) *
             dt;
  else if (collider.moving)
    moved += rotate(pose.transform,
                    surface_velocity(*collider.moving, apply_inverse(pose.transform, moved))) *
             dt;
  return moved;
}

/// Where a path first enters a collider.
struct FirstContact {
  bool met;
  Real part;        // of the path, before it enters
  Contact contact;  // there, on the side from which it comes
};

/// Whether a path in direction `along` has passed a sheet between a and b, `step` apart: it
/// approaches one side, leaves from the other, and the empty spheres around both do not touch.
PHYXEL_FN bool has_passed(const Contact& a, const Contact& b, const Vec3& along, Real step) {
  return dot(a.normal, along) < 0 && dot(b.normal, along) > 0 && dot(a.normal, b.normal) < 0 &&
         a.distance + b.distance < step;
}

/// First contact of the straight path between two points with the collider where it stands, by
/// steps of the signed distance (sphere tracing, Hart 1996), none shorter than `least` m or a
/// sixteenth of the path. A path that begins inside has no contact unless it leads through to the
/// other side.
PHYXEL_FN_APART FirstContact first_contact(const ColliderView& collider, const Vec3& from,
                                           const Vec3& to, Real least) {
  const Vec3 way = to - from;
  const Real path = length(way);
  Contact at = contact_at(collider, from);
  if (!(path > 0)) return {false, 1, at};
  // All of a convex solid lies behind the plane of its nearest point.
  if (collider.sweep == Sweep::convex && at.distance > 0 && at.distance + dot(at.normal, way) > 0)
    return {false, 1, at};
  const Vec3 along = way / path;
  const Real shortest = max(path / 16, least);
  for (Real s = 0; s < path;) {
    Real next = min(path, s + max(abs(at.distance), shortest));
    Contact ahead = contact_at(collider, from + along * next);
    const bool enters = at.distance >= 0
                            ? ahead.distance < 0 || has_passed(at, ahead, along, next - s)
                            : dot(at.normal, along) < 0 && dot(at.normal, ahead.normal) < 0;
    if (!enters) {
      s = next;
      at = ahead;
      continue;
    }
    for (int halvings = 0; halvings < 8 && at.distance >= 0; ++halvings) {
      const Real middle = (s + next) / 2;
      const Contact between = contact_at(collider, from + along * middle);
      if (between.distance >= 0 && !has_passed(at, between, along, middle - s)) {
        s = middle;
        at = between;
      } else {
        next = middle;
      }
    }
    return {true, s / path, at};
  }
  return {false, 1, at};
}

/// The contact of a step of dt from x to `to`: that at its end, or where the path first enters if
/// the end is beyond that surface. The distance is that of the end, negative behind the surface
/// that was entered. `least` as of first_contact.
PHYXEL_FN Contact contact_on_path(const ColliderView& collider, const Vec3& x, const Vec3& to,
                                  Real dt, Real least) {
  const Contact end = contact_at(collider, to);
  if (collider.sweep == Sweep::none) return end;
  const Vec3 from = carried(collider, x, dt), way = to - from;
  if (end.distance >= 0 && end.distance * end.distance >= length_squared(way)) return end;
  if (end.distance < 0 && dot(end.normal, way) <= 0) return end;
  FirstContact first = first_contact(collider, from, to, least);
  if (!first.met) return end;
  const Real depth = first.contact.distance + dot(first.contact.normal, way) * (1 - first.part);
  first.contact.distance = min(depth, -Real(1e-4) * least);
  return first.contact;
}

/// The end of a step of dt from x to `to` that does not lead through the collider: at its surface
/// where the path would.
PHYXEL_FN Vec3 stopped_by(const ColliderView& collider, const Vec3& x, const Vec3& to, Real dt,
                          Real least) {
  if (collider.sweep == Sweep::none) return to;
  const Contact end = contact_at(collider, to);
  const Vec3 from = carried(collider, x, dt), way = to - from;
  if (end.distance >= 0 && end.distance * end.distance >= length_squared(way)) return to;
  const FirstContact first = first_contact(collider, from, to, least);
  // A path along a surface, or barely into it, passes nothing.
  if (!first.met || dot(first.contact.normal, end.normal) > Real(0.5)) return to;
  return from + way * first.part;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
