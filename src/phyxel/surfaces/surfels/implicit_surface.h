#pragma once

#include "phyxel/surfaces/field.h"

// The implicit surface L_I of Mueller et al. 2004, section 5.2.1: blobs around phyxels (field.h).

namespace phyxel {

/// A place on a surface.
struct SurfaceFoot {
  Vec3 x;
  Vec3 normal;  // outwards
  bool found;   // false: there is no surface in reach, and x is any place
};

/// Follows the gradient of blobs from p to their surface, by Newton steps that are bracketed, no
/// farther than `reach` (m). Far out it follows the logarithm of the sum, whose gradient does not
/// vanish. Where the gradient leads nowhere, as deep inside, it looks along `normal`, the outward
/// normal that p has.
SurfaceFoot foot_on_implicit(const PointField& blobs, const Vec3& p, const Vec3& normal,
                             Real reach);

}  // namespace phyxel
