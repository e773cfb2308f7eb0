#pragma once

#include "phyxel/core/vec.h"

// Nearest points of two elements of meshes that have four corners between them: a vertex and a
// triangle (corner 0; corners 1 to 3), or two edges (0 and 1; 2 and 3). Every result is taken at
// points of the elements, so rounding can make a distance too large by little, never too small.

namespace phyxel::pbd {

enum class PairKind : Index { vertex_triangle, edge_edge };

/// The nearest points of two elements: sum of part[k] x[k] leads from that of the second to that of
/// the first. Parts add up to 1 over the first element and to -1 over the second.
template <class T>
struct Nearest {
  T part[4];
  Vec<T, 3> difference;
  T squared;  // of its length
};

template <class T>
PHYXEL_FN T unit_part(T x) {
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

/// Where on the edge a b the point nearest to the origin is: 0 at a, 1 at b.
template <class T>
PHYXEL_FN T nearest_part(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  const Vec<T, 3> ab = b - a;
  const T squared = length_squared(ab);
  return squared > T(0) ? unit_part(-dot(a, ab) / squared) : T(0);
}

/// Keeps the nearer of two results.
template <class T>
PHYXEL_FN void keep_nearer(Nearest<T>& best, const Nearest<T>& other) {
  if (other.squared < best.squared) best = other;
}

/// The nearest point of a triangle is above its face or on one of its edges, which are exact also
/// where the face is a sliver.
template <class T>
PHYXEL_FN Nearest<T> vertex_triangle(const Vec<T, 3> (&x)[4]) {
  const Vec<T, 3> corner[3] = {x[1] - x[0], x[2] - x[0], x[3] - x[0]};
  Nearest<T> best{{1, -1, 0, 0}, -corner[0], length_squared(corner[0])};
  const Vec<T, 3> ab = corner[1] - corner[0], ac = corner[2] - corner[0];
  const Vec<T, 3> normal = cross(ab, ac);
  const T squared = length_squared(normal);
  if (squared > T(0)) {
    const T over = T(1) / squared;
    const T at_b = dot(cross(ac, corner[0]), normal) * over;
    const T at_c = dot(cross(corner[0], ab), normal) * over;
    const T at_a = T(1) - at_b - at_c;
    if (at_a >= T(0) && at_b >= T(0) && at_c >= T(0)) {
      const Vec<T, 3> d = -(corner[0] + ab * at_b + ac * at_c);
      keep_nearer(best, {{1, -at_a, -at_b, -at_c}, d, length_squared(d)});
      return best;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const T t = nearest_part(corner[k], corner[next]);
    const Vec<T, 3> d = -(corner[k] + (corner[next] - corner[k]) * t);
    Nearest<T> edge{{1, 0, 0, 0}, d, length_squared(d)};
    edge.part[1 + k] = t - 1;
    edge.part[1 + next] = -t;
    keep_nearer(best, edge);
  }
  return best;
}

/// The nearest points of two edges are both within, or one of them is an end. Ericson 2005, section
/// 5.1.9.
template <class T>
PHYXEL_FN Nearest<T> edge_edge(const Vec<T, 3> (&x)[4]) {
  const Vec<T, 3> u = x[1] - x[0], v = x[3] - x[2], r = x[0] - x[2];
  const T a = length_squared(u), e = length_squared(v), b = dot(u, v);
  const T c = dot(u, r), f = dot(v, r);
  const auto at = [&](T s, T t) {
    const Vec<T, 3> d = r + u * s - v * t;
    return Nearest<T>{{1 - s, s, t - 1, -t}, d, length_squared(d)};
  };
  const T over_a = a > T(0) ? T(1) / a : T(0), over_e = e > T(0) ? T(1) / e : T(0);
  const T determinant = a * e - b * b;
  if (determinant > T(0)) {
    const T s = (b * f - c * e) / determinant;
    if (s >= T(0) && s <= T(1)) {
      const T t = (b * s + f) * over_e;
      if (t >= T(0) && t <= T(1)) {
        // Of nearly parallel edges s is known badly: one of the ends may be nearer.
        const Nearest<T> inside = at(s, t);
        if (determinant > T(1e-4) * a * e) return inside;
        Nearest<T> best = inside;
        keep_nearer(best, at(T(0), unit_part(f * over_e)));
        keep_nearer(best, at(T(1), unit_part((b + f) * over_e)));
        keep_nearer(best, at(unit_part(-c * over_a), T(0)));
        keep_nearer(best, at(unit_part((b - c) * over_a), T(1)));
        return best;
      }
    }
  }
  Nearest<T> best = at(T(0), unit_part(f * over_e));
  keep_nearer(best, at(T(1), unit_part((b + f) * over_e)));
  keep_nearer(best, at(unit_part(-c * over_a), T(0)));
  keep_nearer(best, at(unit_part((b - c) * over_a), T(1)));
  return best;
}

template <class T>
PHYXEL_FN Nearest<T> nearest(PairKind kind, const Vec<T, 3> (&x)[4]) {
  return kind == PairKind::vertex_triangle ? vertex_triangle(x) : edge_edge(x);
}

}  // namespace phyxel::pbd
