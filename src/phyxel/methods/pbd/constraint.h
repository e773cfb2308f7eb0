#pragma once

#include "phyxel/core/vec.h"

// A kind of constraint is a struct in a file of its own under constraints/, with
//
//   points                   how many particles a constraint of it has
//   numbers                  how many rest values
//   slope(x, rest)           its value and gradients, a pure function of positions and rest values
//
// slope() is a template of T: one number, or a pack of constraints. project() applies the formula
// of XPBD to any of them.

namespace phyxel::pbd {

/// The value C of a constraint, and its gradient by each of its N positions.
template <class T, int N>
struct Slope {
  T value;
  Vec<T, 3> gradient[N];
};

/// How a constraint gives way in a substep h. Macklin et al. 2016, eqs. 18 and 26.
template <class T>
struct Give {
  T compliance;  // compliance / h^2: 1 / kg where C is a length; 0: rigid
  T damping;     // time of damping over h
};

/// The change of the multiplier: (-C - a l - g grad C . (x - x0)) / ((1 + g) sum w |grad C|^2 + a).
/// `moved`: x - x0, since the substep began. A constraint that nothing can move gets 0.
template <class T, int N>
PHYXEL_FN T multiplier_change(const Slope<T, N>& slope, const T (&inverse_mass)[N], T lambda,
                              const Give<T>& give, const Vec<T, 3> (&moved)[N]) {
  T weight = inverse_mass[0] * length_squared(slope.gradient[0]);
  T rate = dot(slope.gradient[0], moved[0]);
  for (int k = 1; k < N; ++k) {
    weight += inverse_mass[k] * length_squared(slope.gradient[k]);
    rate += dot(slope.gradient[k], moved[k]);
  }
  const T below = (T(1) + give.damping) * weight + give.compliance;
  const T above = slope.value + give.compliance * lambda + give.damping * rate;
  return select(weight > T(0), -above * Quick<T>::reciprocal(max(below, T(smallest_normal<T>))),
                T(0));
}

/// The same without damping.
template <class T, int N>
PHYXEL_FN T multiplier_change(const Slope<T, N>& slope, const T (&inverse_mass)[N], T lambda,
                              T compliance) {
  T weight = inverse_mass[0] * length_squared(slope.gradient[0]);
  for (int k = 1; k < N; ++k) weight += inverse_mass[k] * length_squared(slope.gradient[k]);
  const T below = max(weight + compliance, T(smallest_normal<T>));
  return select(weight > T(0), -(slope.value + compliance * lambda) * Quick<T>::reciprocal(below),
                T(0));
}

/// Moves the positions of a constraint: x += w grad C dl.
template <class T, int N>
PHYXEL_FN void move(const Slope<T, N>& slope, const T (&inverse_mass)[N], T change,
                    Vec<T, 3> (&x)[N]) {
  for (int k = 0; k < N; ++k) x[k] += slope.gradient[k] * (inverse_mass[k] * change);
}

/// Projects one constraint of a Kind, or a pack of them; `lambda` is its multiplier.
template <class Kind, class T>
PHYXEL_FN void project(const Vec<T, Kind::numbers>& rest, const T (&inverse_mass)[Kind::points],
                       T compliance, T& lambda, Vec<T, 3> (&x)[Kind::points]) {
  const Slope<T, Kind::points> slope = Kind::slope(x, rest);
  const T change = multiplier_change(slope, inverse_mass, lambda, compliance);
  lambda += change;
  move(slope, inverse_mass, change, x);
}

/// The same with damping; `start`: positions when the substep began.
template <class Kind, class T>
PHYXEL_FN void project(const Vec<T, Kind::numbers>& rest, const T (&inverse_mass)[Kind::points],
                       const Give<T>& give, const Vec<T, 3> (&start)[Kind::points], T& lambda,
                       Vec<T, 3> (&x)[Kind::points]) {
  const Slope<T, Kind::points> slope = Kind::slope(x, rest);
  Vec<T, 3> moved[Kind::points];
  for (int k = 0; k < Kind::points; ++k) moved[k] = x[k] - start[k];
  const T change = multiplier_change(slope, inverse_mass, lambda, give, moved);
  lambda += change;
  move(slope, inverse_mass, change, x);
}

/// Plain position-based dynamics: the share k of a correction. Mueller et al. 2006, eqs. 8 and 9.
template <class Kind, class T>
PHYXEL_FN void project_share(const Vec<T, Kind::numbers>& rest,
                             const T (&inverse_mass)[Kind::points], T share,
                             Vec<T, 3> (&x)[Kind::points]) {
  const Slope<T, Kind::points> slope = Kind::slope(x, rest);
  move(slope, inverse_mass, multiplier_change(slope, inverse_mass, T(0), T(0)) * share, x);
}

/// k' = 1 - (1 - k)^(1/n): n sweeps with k' close as much of a constraint as one with k.
PHYXEL_FN Real share_of_sweep(Real stiffness, int sweeps) {
  return stiffness >= 1 ? Real(1) : Real(1) - std::pow(Real(1) - stiffness, Real(1) / sweeps);
}

}  // namespace phyxel::pbd
