#pragma once

#include <numbers>

#include "phyxel/geometry/triangle_bvh_view.h"
#include "phyxel/geometry/winding_number.h"

namespace phyxel {
inline namespace PHYXEL_BACKEND {

/// Windings of the children that lie far enough to be dipoles, 0 for the others, which are marked.
PHYXEL_FN void dipole_windings(const WindingTree::Dipoles& d, const Vec3& p, Real far_squared,
                               TriangleBvh::Lanes& winding, TriangleBvh::Lanes& is_near) {
  constexpr Real pi = std::numbers::pi_v<Real>;
  for (int i = 0; i < TriangleBvh::width; ++i) {
    const Real x = d.centre[0][i] - p[0], y = d.centre[1][i] - p[1], z = d.centre[2][i] - p[2];
    const Real squared = x * x + y * y + z * z;
    const Real flux = x * d.area[0][i] + y * d.area[1][i] + z * d.area[2][i];
    const bool near = squared <= far_squared * d.radius_squared[i];
    const Real safe = near ? Real(1) : squared;
    const Real far_winding = flux / (4 * pi * safe * sqrt(safe));
    winding[i] = near ? Real(0) : far_winding;
    is_near[i] = near ? Real(1) : Real(0);
  }
}

/// Angle of (x, y) to about 1e-5: a polynomial, as eight library calls would take most of the time.
PHYXEL_FN Real quick_angle(Real y, Real x) {
  constexpr Real pi = std::numbers::pi_v<Real>;
  const Real ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  const Real large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  const Real r = small / (large > 0 ? large : Real(1)), s = r * r;
  const Real odd = Real(-0.01172120) * s + Real(0.05265332);
  const Real poly = ((odd * s + Real(-0.11643287)) * s + Real(0.19354346)) * s + Real(-0.33262347);
  const Real octant = r * (poly * s + Real(0.99997726));
  const Real quadrant = ay > ax ? pi / 2 - octant : octant;
  const Real half = x < 0 ? pi - quadrant : quadrant;
  return y < 0 ? -half : half;
}

/// Windings of the triangles of a leaf: the part of the sphere about p that each covers. Van
/// Oosterom and Strackee 1983, eq. 8.
PHYXEL_FN void triangle_windings(const TriangleBvh::Leaf& l, const Vec3& p,
                                 TriangleBvh::Lanes& winding) {
  constexpr Real pi = std::numbers::pi_v<Real>;
  for (int i = 0; i < TriangleBvh::width; ++i) {
    const Vec3 a = {l.a[0][i] - p[0], l.a[1][i] - p[1], l.a[2][i] - p[2]};
    const Vec3 b = {a[0] + l.ab[0][i], a[1] + l.ab[1][i], a[2] + l.ab[2][i]};
    const Vec3 c = {a[0] + l.ac[0][i], a[1] + l.ac[1][i], a[2] + l.ac[2][i]};
    const Real la = length(a), lb = length(b), lc = length(c);
    const Real volume = dot(a, cross(b, c));
    const Real spread = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    winding[i] = quick_angle(volume, spread) * (1 / (2 * pi));
  }
}

PHYXEL_FN Real sum_of(const TriangleBvh::Lanes& lanes) {
  Real sum = 0;
  for (const Real x : lanes) sum += x;
  return sum;
}

/// As in winding_number.h; `dipoles` are the nodes of the WindingTree.
PHYXEL_FN_APART Real winding_number(const TriangleBvhView& bvh, const WindingTree::Dipoles* dipoles,
                                    const Vec3& p, Real far_factor) {
  Index stack[TriangleBvh::max_open];
  stack[0] = 0;
  int top = 1;
  Real winding = 0;
  TriangleBvh::Lanes windings, is_near;
  while (top > 0) {
    const Index node = stack[--top];
    if (node < 0) {
      triangle_windings(bvh.leaves[~node], p, windings);
      winding += sum_of(windings);
      continue;
    }
    dipole_windings(dipoles[node], p, far_factor * far_factor, windings, is_near);
    winding += sum_of(windings);
    for (int lane = 0; lane < TriangleBvh::width; ++lane)
      if (is_near[lane] > 0 && bvh.nodes[node].child[lane] != 0)
        stack[top++] = bvh.nodes[node].child[lane];
  }
  return winding;
}

/// True where the winding number is above one half; looks closer where a quick look leaves doubt.
PHYXEL_FN bool winds_around(const TriangleBvhView& bvh, const WindingTree::Dipoles* dipoles,
                            const Vec3& p) {
  const Real quick = winding_number(bvh, dipoles, p, Real(1.2));
  if (abs(quick - Real(0.5)) > Real(0.25)) return quick > Real(0.5);
  return winding_number(bvh, dipoles, p, 3) > Real(0.5);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
