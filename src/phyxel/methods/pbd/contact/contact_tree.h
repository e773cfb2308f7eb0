#pragma once

#include "phyxel/methods/pbd/contact/elements.h"

// A tree of boxes over leaves of elements. Its shape follows from how elements are ordered, which
// stays; boxes are refitted to where particles are.

namespace phyxel::pbd {

/// A box of the tree, m; inside out where nothing is in it. It moves: what it holds is between
/// `low` and `high` now and between the same of `later` at the end of the time that a search is
/// for, and between what lies in between on the way (the least of numbers that grow evenly never
/// falls below the line between its ends).
struct ContactBox {
  Vec3 low = Vec3::filled(Real(1e30)), high = Vec3::filled(Real(-1e30));
  Vec3 later_low = Vec3::filled(Real(1e30)), later_high = Vec3::filled(Real(-1e30));

  /// Apart all the time, where they are apart on one side of an axis at both ends.
  PHYXEL_FN bool meets(const ContactBox& b) const {
    bool apart = false;
    for (int k = 0; k < 3; ++k)
      apart |= (low[k] > b.high[k] && later_low[k] > b.later_high[k]) ||
               (b.low[k] > high[k] && b.later_low[k] > later_high[k]);
    return !apart;
  }
  PHYXEL_FN void include(const ContactBox& b) {
    low = min(low, b.low);
    high = max(high, b.high);
    later_low = min(later_low, b.later_low);
    later_high = max(later_high, b.later_high);
  }
};

/// Boxes of the elements of a leaf, side by side, now and later.
struct alignas(64) LeafBoxes {
  Real low[2][3][leaf_width], high[2][3][leaf_width];
};

/// The normals of a leaf: none is, or can become, further than `angle` (rad) from `axis`. `angle`
/// is large where that says nothing.
struct LeafCone {
  Vec3 axis;
  Real angle;
};

/// Where a particle is, how far it may be from where it is expected, with half of the thickness,
/// and how far the ball goes in the time that a search is for: m.
struct ContactBall {
  Vec3 centre;
  Real radius;
  Vec3 travel = Vec3::zero();

  PHYXEL_FN ContactBox box() const {
    const Vec3 r = Vec3::filled(radius), later = centre + travel;
    return {centre - r, centre + r, later - r, later + r};
  }
};

/// What kernels read and write. Node k has the children 2k and 2k + 1; the root is 1, and leaf l is
/// node `places` + l.
struct ContactTreeView {
  const Element* element = nullptr;
  const Index *start = nullptr, *neighbour = nullptr;  // as of ContactElements
  const ContactBall* ball = nullptr;                   // by particle
  LeafBoxes* leaf_boxes = nullptr;
  LeafCone* cone = nullptr;
  ContactBox* node = nullptr;
  Index leaves = 0, places = 0;  // places: a power of two
  Real half_thickness = 0;       // m, part of the radii
  const Vec3* rest = nullptr;    // m, by particle, where sheets have torn
};

PHYXEL_FN ContactBox box_of(const ContactTreeView& t, const Element& e) {
  ContactBox box = t.ball[e.corner[0]].box();
  box.include(t.ball[e.corner[1]].box());
  box.include(t.ball[e.corner[2]].box());
  return box;
}

/// The sine of the largest angle by which the normal of a triangle turns while its corners move no
/// further than `motion` each: they then tilt its plane by 2 motion / height.
PHYXEL_FN Real sine_of_turn(const Vec3 (&x)[3], Real twice_area, Real motion) {
  const Real longest = sqrt(max(length_squared(x[1] - x[0]),
                                max(length_squared(x[2] - x[0]), length_squared(x[2] - x[1]))));
  return twice_area > 0 ? 2 * motion * longest / twice_area : Real(1);
}

/// How far corners of a triangle may be from where they would be if it did not turn, m.
PHYXEL_FN Real turning_way(const ContactTreeView& t, const Element& e) {
  const ContactBall &a = t.ball[e.corner[0]], &b = t.ball[e.corner[1]], &c = t.ball[e.corner[2]];
  const Vec3 mean = (a.travel + b.travel + c.travel) / Real(3);
  const Real way = max(length_squared(a.travel - mean),
                       max(length_squared(b.travel - mean), length_squared(c.travel - mean)));
  return sqrt(way) + max(a.radius, max(b.radius, c.radius)) - t.half_thickness;
}

/// The cone of the triangles of a leaf, with what they may turn while particles stay in their
/// balls.
PHYXEL_FN LeafCone cone_of(const ContactTreeView& t, Index leaf) {
  constexpr LeafCone unknown{{0, 0, 0}, 10};
  if (t.start[leaf] == t.start[leaf + 1]) return unknown;
  Vec3 normal[leaf_width], sum = Vec3::zero();
  Real turn[leaf_width], widest = 0;
  int n = 0;
  for (Index k = 0; k < leaf_width; ++k) {
    const Element& e = t.element[leaf * leaf_width + k];
    if (!e.has_face()) continue;
    const ContactBall &a = t.ball[e.corner[0]], &b = t.ball[e.corner[1]], &c = t.ball[e.corner[2]];
    const Vec3 x[3] = {a.centre, b.centre, c.centre}, area = cross(x[1] - x[0], x[2] - x[0]);
    const Real size = length(area);
    turn[n] = sine_of_turn(x, size, turning_way(t, e));
    if (!(turn[n] < Real(0.9))) return unknown;
    normal[n] = area / size;
    sum += normal[n++];
  }
  const Vec3 axis = normalized(sum);
  for (int k = 0; k < n; ++k)
    widest =
        max(widest, std::acos(clamp(dot(axis, normal[k]), Real(-1), Real(1))) + std::asin(turn[k]));
  return {axis, widest};
}

PHYXEL_FN void refit_leaf(const ContactTreeView& t, Index leaf) {
  ContactBox all;
  for (Index k = 0; k < leaf_width; ++k) {
    const Element& e = t.element[leaf * leaf_width + k];
    ContactBox box;
    if (e.flags != 0) box = box_of(t, e);
    all.include(box);
    for (int axis = 0; axis < 3; ++axis) {
      t.leaf_boxes[leaf].low[0][axis][k] = box.low[axis];
      t.leaf_boxes[leaf].high[0][axis][k] = box.high[axis];
      t.leaf_boxes[leaf].low[1][axis][k] = box.later_low[axis];
      t.leaf_boxes[leaf].high[1][axis][k] = box.later_high[axis];
    }
  }
  t.node[t.places + leaf] = all;
  t.cone[leaf] = cone_of(t, leaf);
}

/// Whether two leaves are, and stay, one connected patch all of whose normals are within 1 rad of
/// one direction: along it no triangle is behind another, so that none can touch another (Volino
/// and Magnenat-Thalmann 1994; 1.57 rad would do, the rest is for borders that are not convex).
PHYXEL_FN bool is_flat_patch(const ContactTreeView& t, Index a, Index b) {
  constexpr Real widest = 2;  // rad, across both cones
  const LeafCone &p = t.cone[a], &q = t.cone[b];
  if (p.angle + q.angle > widest) return false;
  bool joined = false;
  for (Index k = t.start[a]; k < t.start[a + 1]; ++k) joined |= t.neighbour[k] == b;
  if (!joined || a == b) return joined;
  const Real between = std::acos(clamp(dot(p.axis, q.axis), Real(-1), Real(1)));
  return p.angle + q.angle + between <= widest;
}

/// visit(b) for the leaves from `a` on whose boxes meet that of `a`, rising, but not for flat
/// patches.
template <class Visit>
PHYXEL_FN void visit_leaves(const ContactTreeView& t, Index a, Visit&& visit) {
  const ContactBox box = t.node[t.places + a];
  Index last = t.places - 1, width = t.places;  // the last leaf below the node, and how many
  for (Index node = 1; node > 0;) {
    if (last >= a && box.meets(t.node[node])) {
      if (node < t.places) {
        node *= 2;
        width /= 2;
        last -= width;
        continue;
      }
      if (!is_flat_patch(t, a, last)) visit(last);
    }
    while (node & 1) {  // back from second children; the root ends the walk
      node /= 2;
      width *= 2;
    }
    if (node > 0) ++node;
    last += width;
  }
}

/// Bit 8 i + j: element i of leaf a and element j of leaf b have boxes that meet. Pairs within a
/// leaf are there once.
PHYXEL_FN std::uint64_t meeting_elements(const ContactTreeView& t, Index a, Index b) {
  const LeafBoxes &p = t.leaf_boxes[a], &q = t.leaf_boxes[b];
  std::uint64_t bits = 0;
  for (Index i = 0; i < leaf_width; ++i) {
    int apart[leaf_width] = {};
    for (int axis = 0; axis < 3; ++axis)
      for (Index j = 0; j < leaf_width; ++j)
        apart[j] |= (int(p.low[0][axis][i] > q.high[0][axis][j]) &
                     int(p.low[1][axis][i] > q.high[1][axis][j])) |
                    (int(q.low[0][axis][j] > p.high[0][axis][i]) &
                     int(q.low[1][axis][j] > p.high[1][axis][i]));
    unsigned row = 0;
    for (Index j = 0; j < leaf_width; ++j) row |= unsigned(1 - apart[j]) << j;
    if (a == b) row &= 0xffu << (i + 1);
    bits |= std::uint64_t(row & 0xffu) << (leaf_width * i);
  }
  return bits;
}

}  // namespace phyxel::pbd
