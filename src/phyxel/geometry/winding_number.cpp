#include "phyxel/geometry/winding_number.h"

#include <algorithm>
#include <array>

namespace phyxel {
namespace {

constexpr int width = TriangleBvh::width;
using Lanes = TriangleBvh::Lanes;
constexpr Real pi = Real(3.14159265358979324);

struct Moments {
  Vec3 area = Vec3::zero();
  Vec3 weighted_centre = Vec3::zero();
  Real weight = 0;

  void add(const Moments& m) {
    area += m.area;
    weighted_centre += m.weighted_centre;
    weight += m.weight;
  }
};

Moments moments_of(const TriangleBvh::Triangle& t) {
  const Vec3 area = cross(t.b - t.a, t.c - t.a) * Real(0.5);
  const Real weight = length(area);
  return {area, (t.a + t.b + t.c) * (weight / 3), weight};
}

Moments moments_of(const TriangleBvh& bvh, const TriangleBvh::Leaf& leaf) {
  Moments sum;
  for (Index k = leaf.first; k < leaf.first + leaf.count; ++k)
    sum.add(moments_of(bvh.triangles[k]));
  return sum;
}

void set_lane(WindingTree::Dipoles& dipoles, const TriangleBvh::Node& node, int lane,
              const Moments& m) {
  Real squared = 0;
  for (int k = 0; k < 3; ++k) {
    const Real low = node.min[k][lane], high = node.max[k][lane];
    const Real centre = m.weight > 0 ? m.weighted_centre[k] / m.weight : (low + high) / 2;
    const Real reach = std::max(high - centre, centre - low);
    dipoles.centre[k][lane] = centre;
    dipoles.area[k][lane] = m.area[k];
    squared += reach * reach;
  }
  dipoles.radius_squared[lane] = squared;
}

/// Windings of the children that lie far enough to be dipoles, 0 for the others, which are marked.
void dipole_windings(const WindingTree::Dipoles& d, const Vec3& p, Real far_squared, Lanes& winding,
                     Lanes& is_near) {
  for (int i = 0; i < width; ++i) {
    const Real x = d.centre[0][i] - p[0], y = d.centre[1][i] - p[1], z = d.centre[2][i] - p[2];
    const Real squared = x * x + y * y + z * z;
    const Real flux = x * d.area[0][i] + y * d.area[1][i] + z * d.area[2][i];
    const bool near = squared <= far_squared * d.radius_squared[i];
    const Real safe = near ? Real(1) : squared;
    const Real far_winding = flux / (4 * pi * safe * std::sqrt(safe));
    winding[i] = near ? Real(0) : far_winding;
    is_near[i] = near ? Real(1) : Real(0);
  }
}

/// Angle of (x, y) to about 1e-5: a polynomial, as eight library calls would take most of the time.
Real angle(Real y, Real x) {
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
void triangle_windings(const TriangleBvh::Leaf& l, const Vec3& p, Lanes& winding) {
  for (int i = 0; i < width; ++i) {
    const Vec3 a = {l.a[0][i] - p[0], l.a[1][i] - p[1], l.a[2][i] - p[2]};
    const Vec3 b = {a[0] + l.ab[0][i], a[1] + l.ab[1][i], a[2] + l.ab[2][i]};
    const Vec3 c = {a[0] + l.ac[0][i], a[1] + l.ac[1][i], a[2] + l.ac[2][i]};
    const Real la = length(a), lb = length(b), lc = length(c);
    const Real volume = dot(a, cross(b, c));
    const Real spread = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    winding[i] = angle(volume, spread) * (1 / (2 * pi));
  }
}

Real sum_of(const Lanes& lanes) {
  Real sum = 0;
  for (const Real x : lanes) sum += x;
  return sum;
}

}  // namespace

WindingTree make_winding_tree(const TriangleBvh& bvh) {
  WindingTree tree;
  tree.nodes.resize(bvh.nodes.size());
  std::vector<Moments> moments(bvh.nodes.size());
  for (std::size_t k = bvh.nodes.size(); k-- > 0;)  // children come after their parent
    for (int lane = 0; lane < width; ++lane) {
      const Index child = bvh.nodes[k].child[lane];
      Moments m;
      if (child < 0) m = moments_of(bvh, bvh.leaves[~child]);
      if (child > 0) m = moments[child];
      set_lane(tree.nodes[k], bvh.nodes[k], lane, m);
      moments[k].add(m);
    }
  return tree;
}

Real winding_number(const TriangleBvh& bvh, const WindingTree& tree, const Vec3& p,
                    Real far_factor) {
  std::array<Index, 32 * width> stack;
  stack[0] = 0;
  int top = 1;
  Real winding = 0;
  Lanes windings, is_near;
  while (top > 0) {
    const Index node = stack[--top];
    if (node < 0) {
      triangle_windings(bvh.leaves[~node], p, windings);
      winding += sum_of(windings);
      continue;
    }
    dipole_windings(tree.nodes[node], p, far_factor * far_factor, windings, is_near);
    winding += sum_of(windings);
    for (int lane = 0; lane < width; ++lane)
      if (is_near[lane] > 0 && bvh.nodes[node].child[lane] != 0)
        stack[top++] = bvh.nodes[node].child[lane];
  }
  return winding;
}

bool winds_around(const TriangleBvh& bvh, const WindingTree& tree, const Vec3& p) {
  const Real quick = winding_number(bvh, tree, p, Real(1.2));
  if (std::abs(quick - Real(0.5)) > Real(0.25)) return quick > Real(0.5);
  return winding_number(bvh, tree, p, 3) > Real(0.5);
}

}  // namespace phyxel
