#pragma once

#include "phyxel/methods/mls/moments.h"

// What a neighbourhood does to its phyxels: the deformation gradient by moving least squares, the
// law, and the matrix that takes reference positions to forces. T is a number or a pack.

namespace phyxel::mls {

/// Sums over the neighbours of a phyxel: X and x relative to its own.
template <class T>
struct Gradient {
  Mat<T, 3> product;  // sum w x X^T
  Vec<T, 3> moved;    // sum w x
};

/// F = (sum w x X^T) M^+, the gradient of positions. Mueller et al. 2004, eq. 15. In flat scenes
/// the direction across the plane keeps its length.
template <class T>
PHYXEL_FN Mat<T, 3> deformation_of(Mat<T, 3> product, const Symmetric<T>& inverse, bool flat) {
  if (flat) product[2][2] = T(Real(1)) / max(inverse[2], T(smallest_normal<T>));
  return product * full(inverse);
}

/// 1 - P: directions that flowing matter does not know keep their length and direction in a step,
/// so that neighbourhoods fade into nothing where it parts.
template <class T>
PHYXEL_FN Symmetric<T> unknown_directions(const Symmetric<T>& directions) {
  Symmetric<T> rest = directions * T(Real(-1));
  for (int k = 0; k < 3; ++k) rest[k] += T(Real(1));
  return rest;
}

/// What lasts in a phyxel beside its places.
template <class T>
struct Memory {
  Symmetric<T> plastic;  // strain that has become part of the shape
  Symmetric<T> strain;   // elastic strain of the step before
  Vec<T, 3> fibre;
  T melted;                // molten fraction
  T swollen = T(Real(0));  // see Moduli
};

/// How the law is applied in a step of dt; 0 for the state as it is.
template <class T>
struct LawUse {
  T dt;
  bool yields, damps;
  T absorbs;  // 1: of flowing matter, whose reference shape follows; 0: not
};

template <class T>
struct Response {
  Mat<T, 3> f;           // deformation gradient
  Mat<T, 3> pull;        // Q = v P M^+ - k F, N/m: force on neighbour j is -w (Q X + k x)
  T hold;                // k, N/m
  Symmetric<T> elastic;  // strain
  Symmetric<T> plastic;  // after the step
  Symmetric<T> stress;   // second Piola-Kirchhoff, without the volume term, Pa
  T rate;                // bound of squared frequencies, with damping, 1/s^2
};

/// Moduli and flow of matter of which a share has molten.
template <class T>
PHYXEL_FN T share_of_moduli(const SolidOf<T>& solid, const T& melted) {
  return T(Real(1)) + melted * (solid.melted_share - T(Real(1)));
}
template <class T>
PHYXEL_FN Flow<T> flow_of(const SolidOf<T>& solid, const LawUse<T>& use, const T& melted) {
  const T one(Real(1)), solid_part = one - melted;
  const auto molten = melted * solid.melted_creep > T(Real(0));
  const T creep = select(molten,
                         max(select(solid.yield_strain < T(no_limit), solid.creep, T(Real(0))),
                             melted * solid.melted_creep),
                         solid.creep);
  const T share = min(one, creep * use.dt);
  const T yield = select(molten, min(solid.yield_strain, T(Real(0.2))) * solid_part * solid_part,
                         solid.yield_strain);
  return {
      yield, share, select(molten, T(no_limit), solid.largest_plastic),
      use.absorbs * select(molten, melted, one) * select(yield < T(no_limit), share, T(Real(0)))};
}

/// The largest stretch of a deformation gradient, squared, from above: rows of F^T F.
template <class T>
PHYXEL_FN T largest_square_stretch(const Mat<T, 3>& f) {
  const Symmetric<T> c = symmetric(transpose(f) * f);
  const T x = abs(c[0]) + abs(c[5]) + abs(c[4]), y = abs(c[5]) + abs(c[1]) + abs(c[3]),
          z = abs(c[4]) + abs(c[3]) + abs(c[2]);
  return max(x, max(y, z));
}
/// The largest eigenvalue of |A| from above.
template <class T>
PHYXEL_FN T size_of(const Symmetric<T>& a) {
  return sqrt(contract(a, a));
}

/// 4 / dt^2 of the longest step of a vibration whose stress by the rate of strain is that of the
/// step before: rate dt^2 + 2 damped dt = 4, the same in every step whatever its length.
template <class T>
PHYXEL_FN T rate_with_damping(const T& rate, const T& damped) {
  const T root = damped + sqrt(damped * damped + rate * T(Real(4)));
  return root * root * T(Real(0.25));
}

/// Nearly incompressible matter has a bulk modulus far above its shear modulus: with the same time
/// for both, steps would have to be many times shorter. So that they lose a third at most, volume
/// is damped for half of the time that the stiffest change of volume of a neighbourhood takes.
template <class T>
PHYXEL_FN DampingTime<T> damping_time(const SolidOf<T>& solid, const RestShape<T>& rest,
                                      const Moduli<T>& c) {
  const T stiffest = sqrt(max(rest.stiffness * c.volume_stiffness, T(smallest_normal<T>)));
  return {solid.damping, min(solid.damping, T(Real(0.5)) / stiffest)};
}

template <class T>
PHYXEL_FN Response<T> response_of(const SolidOf<T>& solid, const RestShape<T>& rest,
                                  const Gradient<T>& sums, const Memory<T>& memory,
                                  const LawUse<T>& use, bool flat) {
  Response<T> r;
  r.f = deformation_of(sums.product, rest.inverse, flat);
  const Symmetric<T> kept = unknown_directions(rest.directions) * use.absorbs;
  r.f += full(kept);
  const Symmetric<T> e = green_strain(r.f, rest.directions + kept);
  r.plastic = use.yields ? plastic_after(flow_of(solid, use, memory.melted), e, memory.plastic)
                         : memory.plastic;
  r.elastic = e;
  r.elastic -= r.plastic;
  const T share = share_of_moduli(solid, memory.melted);
  const Moduli<T> c = moduli_of(solid, max(rest.rank, use.absorbs * T(Real(3))), share,
                                memory.fibre, memory.swollen);
  r.stress = stress_of(c, r.elastic);
  const DampingTime<T> damping = damping_time(solid, rest, c);
  if (use.damps) {
    // Kelvin and Voigt: stress by the rate of strain too.
    const T rate =
        select(use.dt > T(Real(0)), T(Real(1)) / max(use.dt, T(smallest_normal<T>)), T(Real(0)));
    Symmetric<T> since = r.elastic;
    since -= memory.strain;
    r.stress += damping_stress(c, since, {damping.strain * rate, damping.volume * rate});
  }
  const Mat<T, 3> p = first_piola(c, r.f, r.stress);
  r.hold = solid.stabilisation * share * rest.size;
  r.pull = (p * full(rest.inverse)) * rest.volume - r.f * r.hold;
  const T modulus = c.lambda + c.mu * T(Real(2)) + c.fibre_stiffness;
  const T square_stretch = largest_square_stretch(r.f);
  // The volume term: k_v s^2 cof cof^T, and k_v (s J - 1) s times the slope of cof.
  const T s = c.swelling(), j = determinant(r.f) * s;
  const T by_volume =
      c.volume_stiffness * s *
      (largest_square_stretch(cofactor(r.f)) * s + abs(j - T(Real(1))) * sqrt(square_stretch));
  const T by_strain = max(modulus, c.mu * T(Real(2))) * square_stretch;
  const T by_damping =
      by_strain * damping.strain + c.volume_stiffness * square_stretch * damping.volume;
  r.rate = rate_with_damping(rest.stiffness * (by_strain + size_of(r.stress) + by_volume) +
                                 rest.hold_stiffness * solid.stabilisation * share,
                             rest.stiffness * by_damping);
  return r;
}

/// How Q and k x change where neighbours move: dQ for displacements whose sums are `change`.
template <class T>
PHYXEL_FN Mat<T, 3> pull_change(const RestShape<T>& rest, const Moduli<T>& c, const Mat<T, 3>& f,
                                const Symmetric<T>& tension, const Mat<T, 3>& product,
                                const DampingTime<T>& damped, const T& hold) {
  const Mat<T, 3> df = product * full(rest.inverse);
  const Mat<T, 3> dp = stress_change(c, f, tension, df, damped);
  return (dp * full(rest.inverse)) * rest.volume - df * hold;
}

}  // namespace phyxel::mls
