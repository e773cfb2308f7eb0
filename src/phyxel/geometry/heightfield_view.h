#pragma once

#include "phyxel/geometry/heightfield.h"
#include "phyxel/geometry/triangle_bvh_view.h"

namespace phyxel {

/// Non-owning view of a Heightfield, on the host or on a device.
struct HeightfieldView {
  Vec2 size = Vec2::zero();
  Index nx = 0, nz = 0;
  const Real* heights = nullptr;
  Bounds bounds;
  TriangleBvhView bvh;
};

inline HeightfieldView view_of(const Heightfield& f) {
  return {f.size, f.nx, f.nz, f.heights.data(), f.bounds, view_of(f.bvh)};
}

inline namespace PHYXEL_BACKEND {

/// Height of the land at (x, z); beyond the rectangle that of its border.
PHYXEL_FN Real height_at(const HeightfieldView& f, Real x, Real z) {
  const Real u = clamp((x / f.size[0] + Real(0.5)) * (f.nx - 1), Real(0), Real(f.nx - 1));
  const Real v = clamp((z / f.size[1] + Real(0.5)) * (f.nz - 1), Real(0), Real(f.nz - 1));
  const Index i = min(f.nx - 2, static_cast<Index>(u));
  const Index j = min(f.nz - 2, static_cast<Index>(v));
  const Real* h = &f.heights[i + f.nx * j];
  const Real h00 = h[0], h10 = h[1], h01 = h[f.nx], h11 = h[f.nx + 1];
  // Within the triangle towards one side of the cell: linear along that side and towards the
  // middle.
  const Real s = u - i - Real(0.5), t = v - j - Real(0.5);
  const Real middle = (h00 + h10 + h01 + h11) / 4;
  const bool along_x = abs(s) < abs(t);
  const Real out = max(abs(t), abs(s)), across = along_x ? s : t;
  const bool upper = (along_x ? t : s) > 0;
  const Real first = along_x ? (upper ? h01 : h00) : (upper ? h10 : h00);
  const Real last = along_x ? (upper ? h11 : h10) : (upper ? h11 : h01);
  return middle + 2 * out * ((first + last) / 2 - middle) + across * (last - first);
}

PHYXEL_FN_APART SignedDistance signed_distance(const HeightfieldView& f, const Vec3& p) {
  const NearestPoint nearest = nearest_point(f.bvh, p);
  const bool within = f.bounds.contains(p) && p[1] < height_at(f, p[0], p[2]);
  return signed_distance(f.bvh, f.bounds, nearest, within, p);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
