#pragma once

#include "phyxel/geometry/shape.h"

namespace phyxel {

// Exact signed distances of primitives in their own frame, with the gradient (a unit vector). They
// are 1-Lipschitz, which sampling relies on to skip whole runs of points.

SignedDistance distance_to_box(const Vec3& p, const Vec3& half_size, Real rounding);
SignedDistance distance_to_sphere(const Vec3& p, Real radius);
SignedDistance distance_to_ellipsoid(const Vec3& p, const Vec3& radii);
SignedDistance distance_to_cylinder(const Vec3& p, Real radius, Real half_height);
SignedDistance distance_to_capsule(const Vec3& p, Real radius, Real half_height);
SignedDistance distance_to_cone(const Vec3& p, Real radius, Real top_radius, Real half_height);
SignedDistance distance_to_torus(const Vec3& p, Real radius, Real thickness);

}  // namespace phyxel
