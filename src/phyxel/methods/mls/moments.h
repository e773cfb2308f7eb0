#pragma once

#include "phyxel/core/eigen_symmetric.h"
#include "phyxel/methods/mls/law.h"
#include "phyxel/methods/mls/rows.h"

// Moving least squares in a neighbourhood: weights, moments and their safe inverse. Mueller et al.
// 2004, section 3.1.

namespace phyxel::mls {

/// The weight of a neighbour at a squared distance in the reference shape, (1 - r^2 / h^2)^3: their
/// kernel without its factor, which cancels in the gradient.
template <class T>
PHYXEL_FN T weight(const T& squared, const T& inverse_h2) {
  const T rest = max(T(Real(1)) - squared * inverse_h2, T(Real(0)));
  return rest * rest * rest;
}

/// A direction is known where the spread of neighbours along it is more than this share of the
/// largest spread: their distances from a plane are then at least a fifth of those in it.
constexpr Real least_spread = Real(0.04);

/// The pseudo-inverse of a moment matrix M = sum w X X^T, and what is known with it.
template <class T>
struct MomentInverse {
  Symmetric<T> inverse;     // M^+, 1/m^2
  Symmetric<T> directions;  // P = M M^+, the projection onto those in which neighbours lie
  T rank;                   // their number: 3 in a body, 2 in a sheet, 1 on a line, 0 alone
  T steepest;               // the largest eigenvalue of M^+, 1/m^2
};
/// Between a spread and twice as much, neighbourhoods of flowing matter fade out: where it parts,
/// no force ends at once, and no phyxel is held by the last neighbour at the rim of its support
/// alone. As a share of the largest spread, and of h^2: deep inside it is 0.6 of that, at corners
/// 0.14.
constexpr Real fading_share = Real(0.05);

/// How much of the weight of a neighbour counts, by the molten fractions of the centre and of it.
/// What is molten flows past what is solid: a shape that remembered both would hold it back, to the
/// depth of a support. Molten neighbourhoods count both, so that melt sticks to the solid.
template <class T>
PHYXEL_FN T counted(const T& centre, const T& neighbour) {
  return T(Real(1)) - max(neighbour - centre, T(Real(0)));
}

/// 0 up to x = 1, 1 from x = 2.
template <class T>
PHYXEL_FN T fade_in(const T& x) {
  const T t = min(max(x - T(Real(1)), T(Real(0))), T(Real(1)));
  return t * t * (T(Real(3)) - t * T(Real(2)));
}

/// `fade_below`: m^2; 0 where no neighbourhood fades.
template <class T>
PHYXEL_FN MomentInverse<T> invert_moment(const Symmetric<T>& moment,
                                         const T& fade_below = T(Real(0))) {
  const EigenSymmetric<T> eigen = eigen_symmetric(full(moment));
  const T zero(Real(0)), one(Real(1)), tiny(smallest_normal<T>);
  const T least = max(eigen.values[0] * T(least_spread), tiny);
  const T limit = max(least, fade_below);
  MomentInverse<T> result{Symmetric<T>::zero(), Symmetric<T>::zero(), zero, zero};
  for (int k = 0; k < 3; ++k) {
    const T known = select(fade_below > zero, fade_in(eigen.values[k] / limit),
                           select(eigen.values[k] > least, one, zero));
    const T steep = known / max(eigen.values[k], tiny);
    const Symmetric<T> along =
        square(Vec<T, 3>{eigen.vectors[0][k], eigen.vectors[1][k], eigen.vectors[2][k]});
    result.inverse += along * steep;
    result.directions += along * known;
    result.rank += select(known > zero, one, zero);
    result.steepest = max(result.steepest, steep);
  }
  const auto body = result.rank > T(Real(2.5));
  const auto whole = body && fade_below <= zero;
  for (int k = 0; k < 6; ++k)
    result.directions[k] = select(whole, k < 3 ? one : zero, result.directions[k]);
  return result;
}

/// What the row of a phyxel holds of its reference shape (rest_row), and P.
template <class T>
struct RestShape {
  Symmetric<T> inverse, directions;
  Vec<T, 3> lean;
  T volume, inverse_h2, rank, size, stiffness, hold_stiffness;
};

/// Sums over the reference shape: M, sum w X and sum w.
template <class T>
struct Moments {
  Symmetric<T> moment;
  Vec<T, 3> lean;
  T weight;
};

/// In flat scenes the direction across the plane is known: it keeps its length.
///
/// `stiffness` and `hold_stiffness` bound the squares of frequencies (Irons and Treharne 1971):
/// that of a whole is not above the largest of its neighbourhoods, whose phyxels have shares of
/// their masses, here m w / sum w. By displacements s_j one has F = sum s_j d_j^T with d_j = w M^+
/// X_j and d_i = -sum d_j, so that |F|^2 <= sum (w_j s_j^2) (M^+ + d_i d_i^T).
template <class T>
PHYXEL_FN RestShape<T> rest_shape(Moments<T> sums, const T& volume, const T& size, const T& mass,
                                  const T& inverse_h2, bool flat, const T& absorbs = T(Real(0))) {
  if (flat) sums.moment[2] = (sums.moment[0] + sums.moment[1]) * T(Real(0.5));
  const MomentInverse<T> known = invert_moment(sums.moment, absorbs * T(fading_share) / inverse_h2);
  const Vec<T, 3> own = full(known.inverse) * sums.lean;
  const T total = sums.weight + T(Real(1)), share = total / mass;
  return {known.inverse,
          known.directions,
          sums.lean,
          volume,
          inverse_h2,
          known.rank,
          size,
          share * volume * (known.steepest + length_squared(own)),
          share * total * size};
}

/// The deformation gradient of a neighbourhood that was flat or a line, completed by directions
/// that turn with it and keep lengths: for outputs.
PHYXEL_FN Mat3 completed(const Mat3& f, const Symmetric<Real>& directions, int rank) {
  if (rank == 3) return f;
  if (rank == 0) return Mat3::identity();
  const EigenSymmetric<Real> eigen = eigen_symmetric(full(directions));
  Vec3 axis[3];
  for (int k = 0; k < 3; ++k)
    axis[k] = {eigen.vectors[0][k], eigen.vectors[1][k], eigen.vectors[2][k]};
  const Vec3 first = f * axis[0];
  Vec3 second = f * axis[1];
  if (rank == 1) {
    // Any direction across the line: the one nearest to where it was.
    const Vec3 along = normalized(first);
    second = normalized(axis[1] - along * dot(axis[1], along));
  }
  const Vec3 normal = normalized(cross(first, second));
  Mat3 result = outer(first, axis[0]) + outer(second, axis[1]);
  const Real side = dot(cross(axis[0], axis[1]), axis[2]) < 0 ? Real(-1) : Real(1);
  return result + outer(normal * side, axis[2]);
}

}  // namespace phyxel::mls
