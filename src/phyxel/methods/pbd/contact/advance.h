#pragma once

#include "phyxel/methods/pbd/contact/nearest.h"

// How far two elements may move on straight paths before they are nearer than a gap: conservative
// advancement by distances alone (Mirtich 1996; Li et al. 2021, section 6.3), which needs no root
// of a cubic and errs on the safe side in float.

namespace phyxel::pbd {

/// The longest way of a corner of each of both elements, together: how much nearer they can come.
template <class T>
PHYXEL_FN T closing_way(PairKind kind, const Vec<T, 3> (&move)[4]) {
  const T a = length_squared(move[0]), b = length_squared(move[1]);
  const T c = length_squared(move[2]), d = length_squared(move[3]);
  return kind == PairKind::vertex_triangle ? sqrt(a) + sqrt(max(b, max(c, d)))
                                           : sqrt(max(a, b)) + sqrt(max(c, d));
}

/// Part of the way from x to x + move on which the elements stay further apart than `gap`: 1 where
/// they do all along, else the part at which they are within `slack` times their first distance of
/// it. 0 where they begin nearer. What moves along with both does not count.
template <class T>
PHYXEL_FN_APART T free_part(PairKind kind, const Vec<T, 3> (&x)[4], const Vec<T, 3> (&move)[4],
                            T gap, T slack = T(0.05)) {
  Vec<T, 3> way[4], at[4];
  const Vec<T, 3> mean = (move[0] + move[1] + move[2] + move[3]) * T(0.25);
  for (int k = 0; k < 4; ++k) way[k] = move[k] - mean;
  const T closing = closing_way(kind, way);
  T distance = sqrt(nearest(kind, x).squared) - gap;
  if (distance <= T(0)) return T(0);
  if (distance > closing) return T(1);
  const T stop = distance * slack;
  T part = 0;
  // Each round leaves a share of the distance at most that closing allows; paths that graze the gap
  // for long end here, and count as met.
  for (int round = 0; round < 64; ++round) {
    part += T(0.95) * distance / closing;
    if (part >= T(1)) return T(1);
    for (int k = 0; k < 4; ++k) at[k] = (x[k] - x[0]) + (way[k] - way[0]) * part;
    distance = sqrt(nearest(kind, at).squared) - gap;
    if (distance <= stop) return part;
  }
  return part;
}

}  // namespace phyxel::pbd
