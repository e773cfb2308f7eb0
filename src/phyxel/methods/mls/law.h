#pragma once

#include "phyxel/core/eigen_symmetric.h"
#include "phyxel/core/mat.h"

// The law of a phyxel: from the deformation gradient of its neighbourhood to stress. Mueller et al.
// 2004, section 3, with the half in Green's strain, so that moduli are those of textbooks
// (docs/methods/mls.md#put-right). T is a number or a pack of phyxels.

namespace phyxel::mls {

/// The numbers of a material for kernels, Pa unless said otherwise; of a pack of phyxels lane by
/// lane.
template <class T>
struct SolidOf {
  T lambda;            // Lame's first parameter, less the volume stiffness
  T mu;                // shear modulus
  T sheet_lambda;      // lambda where neighbours lie in a plane: stress across it is zero
  T line_lambda;       // and on a line: stress around it is zero
  T volume_stiffness;  // k_v
  T fibre_stiffness;   // along fibres, beyond that of the matrix around them
  T stabilisation;     // of what is not affine: k = stabilisation size, see rest_row
  T damping;           // s: stress by the rate of strain over that by strain
  T yield_strain;      // shear strain that begins to flow
  T creep;             // 1/s
  T largest_plastic;   // plastic strain at most, while not absorbing
  T melted_share;      // of all moduli once molten
  T melted_creep;      // 1/s, once molten; 0: never melts
  T flow_stiffness;    // m^2/s^2, of the pressure that keeps the volume of flowing matter
  T density;           // kg/m^3
};
using Solid = SolidOf<Real>;
constexpr int solid_numbers = sizeof(Solid) / sizeof(Real);

/// As large as any strain can be: for limits that are not given.
constexpr Real no_limit = Real(1e15);

/// A symmetric matrix: xx, yy, zz, yz, xz, xy.
template <class T>
using Symmetric = Vec<T, 6>;

template <class T>
PHYXEL_FN Symmetric<T> symmetric(const Mat<T, 3>& a) {
  return {a[0][0], a[1][1], a[2][2], a[1][2], a[0][2], a[0][1]};
}
template <class T>
PHYXEL_FN Mat<T, 3> full(const Symmetric<T>& a) {
  return {{{a[0], a[5], a[4]}, {a[5], a[1], a[3]}, {a[4], a[3], a[2]}}};
}
template <class T>
PHYXEL_FN T trace(const Symmetric<T>& a) {
  return a[0] + a[1] + a[2];
}
/// a : b, off-diagonal entries counted twice.
template <class T>
PHYXEL_FN T contract(const Symmetric<T>& a, const Symmetric<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]) * T(2);
}
/// a - trace(a) / 3.
template <class T>
PHYXEL_FN Symmetric<T> deviator(Symmetric<T> a) {
  const T mean = trace(a) * T(Real(1) / 3);
  for (int k = 0; k < 3; ++k) a[k] -= mean;
  return a;
}
/// d d^T of a vector.
template <class T>
PHYXEL_FN Symmetric<T> square(const Vec<T, 3>& d) {
  return {d[0] * d[0], d[1] * d[1], d[2] * d[2], d[1] * d[2], d[0] * d[2], d[0] * d[1]};
}
/// B A B^T.
template <class T>
PHYXEL_FN Symmetric<T> transformed(const Mat<T, 3>& b, const Symmetric<T>& a) {
  return symmetric(b * full(a) * transpose(b));
}

/// Green's strain (F^T F - P) / 2, with P the projection onto the directions in which neighbours
/// lie: the identity in a body. Mueller et al. 2004, eq. 4 put right.
template <class T>
PHYXEL_FN Symmetric<T> green_strain(const Mat<T, 3>& f, const Symmetric<T>& directions) {
  Symmetric<T> e = symmetric(transpose(f) * f);
  for (int k = 0; k < 6; ++k) e[k] = (e[k] - directions[k]) * T(Real(0.5));
  return e;
}

/// What the law needs to know of a phyxel beside its material, the moduli as they are now.
template <class T>
struct Moduli {
  T lambda, mu, volume_stiffness, fibre_stiffness;
  Vec<T, 3> fibre;         // unit vector in the reference shape
  T swollen = T(Real(0));  // the volume of the reference shape over that at rest, less 1
  PHYXEL_FN T swelling() const { return T(Real(1)) + swollen; }
};

/// The moduli of a phyxel whose neighbours lie in `rank` directions; `share` is 1 in the solid.
template <class T>
PHYXEL_FN Moduli<T> moduli_of(const SolidOf<T>& solid, const T& rank, const T& share,
                              const Vec<T, 3>& fibre, const T& swollen = T(Real(0))) {
  const auto body = rank > T(Real(2.5));
  const T lambda = select(body, solid.lambda,
                          select(rank > T(Real(1.5)), solid.sheet_lambda, solid.line_lambda));
  const T volume = select(body, solid.volume_stiffness, T(Real(0)));
  return {lambda * share, solid.mu * share, volume * share, solid.fibre_stiffness * share,
          fibre,          swollen};
}

/// C e: the second Piola-Kirchhoff stress of a strain.
template <class T>
PHYXEL_FN Symmetric<T> stress_of(const Moduli<T>& c, const Symmetric<T>& e) {
  const T pressure = c.lambda * trace(e), twice_mu = c.mu * T(2);
  Symmetric<T> s;
  for (int k = 0; k < 6; ++k) s[k] = e[k] * twice_mu;
  for (int k = 0; k < 3; ++k) s[k] += pressure;
  const Symmetric<T> along = square(c.fibre);
  const T tension = c.fibre_stiffness * contract(along, e);
  for (int k = 0; k < 6; ++k) s[k] += along[k] * tension;
  return s;
}

/// How long changes of strain count as strain, s (Kelvin and Voigt): those of C, and those of
/// volume beside it, by the part of the bulk modulus that k_v is.
template <class T>
struct DampingTime {
  T strain, volume;
};
/// The stress of a change of strain within a time, `times` over that.
template <class T>
PHYXEL_FN Symmetric<T> damping_stress(const Moduli<T>& c, const Symmetric<T>& change,
                                      const DampingTime<T>& times) {
  Symmetric<T> s = stress_of(c, change * times.strain);
  const T pressure = c.volume_stiffness * trace(change) * times.volume;
  for (int k = 0; k < 3; ++k) s[k] += pressure;
  return s;
}

/// Energy of a volume at rest, J/m^3: e C e / 2 + k_v (s J - 1)^2 / 2, with the swelling s.
template <class T>
PHYXEL_FN T energy_density(const Moduli<T>& c, const Symmetric<T>& e, const T& j) {
  const T grown = c.swelling() * j - T(Real(1));
  return (contract(stress_of(c, e), e) + c.volume_stiffness * grown * grown) * T(Real(0.5));
}

/// First Piola-Kirchhoff stress F S + k_v (s J - 1) s cof F: what acts on areas of the reference
/// shape. Mueller et al. 2004, eqs. 19 and 22. The volume term pushes inverted matter back.
template <class T>
PHYXEL_FN Mat<T, 3> first_piola(const Moduli<T>& c, const Mat<T, 3>& f, const Symmetric<T>& s) {
  const Mat<T, 3> cof = cofactor(f);
  const T j = dot(f[0], cof[0]);
  const T grown = c.swelling() * j - T(Real(1));
  return f * full(s) + cof * (c.volume_stiffness * c.swelling() * grown);
}

/// How plastic strain follows strain in a step: yield, creep and maximum of O'Brien et al. 2002.
template <class T>
struct Flow {
  T yield_strain;
  T share;         // min(1, creep dt)
  T largest;       // plastic strain at most
  T volume_share;  // of the change of volume that is forgotten, as of shear: of flowing matter
};

/// The plastic strain after a step; e: strain. Both share the reference shape.
template <class T>
PHYXEL_FN Symmetric<T> plastic_after(const Flow<T>& flow, const Symmetric<T>& e,
                                     const Symmetric<T>& plastic) {
  const T tiny(smallest_normal<T>), zero(Real(0));
  Symmetric<T> elastic = e;
  elastic -= plastic;
  const Symmetric<T> shear = deviator(elastic);
  const T size = sqrt(contract(shear, shear));
  const T beyond = max(size - flow.yield_strain, zero);
  const T share = flow.share * beyond / max(size, tiny);
  const T swell = flow.volume_share * trace(elastic) * T(Real(1) / 3);
  Symmetric<T> after = plastic;
  for (int k = 0; k < 6; ++k) after[k] += shear[k] * share;
  for (int k = 0; k < 3; ++k) after[k] += swell;
  const T length = sqrt(contract(after, after));
  const T keep = select(length > flow.largest, flow.largest / max(length, tiny), T(Real(1)));
  return after * keep;
}

/// How far matter may swell or shrink and remember it: beyond, it is torn or crushed.
constexpr Real most_swollen = Real(0.05);

/// The swelling of a reference shape that takes in a deformation with the determinant j. Without it
/// the bulk modulus would act between two such moments only, and matter that is pulled would grow
/// in volume instead of getting thinner. `known`: det P, by which neighbourhoods that fade out
/// forget it; a few phyxels that have come off could not follow the pressure of their past.
template <class T>
PHYXEL_FN T swollen_after(const T& swollen, const T& j, const T& known) {
  const T one(Real(1)), most(most_swollen);
  return known * min(max((one + swollen) * j - one, -most), most);
}

/// The part of a symmetric matrix with positive eigenvalues.
template <class T>
PHYXEL_FN Symmetric<T> positive_part(const Symmetric<T>& a) {
  const EigenSymmetric<T> eigen = eigen_symmetric(full(a));
  Symmetric<T> sum = Symmetric<T>::zero();
  for (int k = 0; k < 3; ++k)
    sum += square(Vec<T, 3>{eigen.vectors[0][k], eigen.vectors[1][k], eigen.vectors[2][k]}) *
           max(eigen.values[k], T(Real(0)));
  return sum;
}

/// Change of the first Piola-Kirchhoff stress where F changes by df, without the second derivative
/// of J: appendix B of Mueller et al. 2004, as an operator instead of blocks. Exact with the stress
/// itself as `tension` where the volume term is at rest; with the positive part of the stress never
/// negative, as F C F^T and k_v cof cof^T are not (docs/methods/mls.md#implicit-steps).
/// `damped`: how much more the change of strain counts by damping: its times over that of the step.
template <class T>
PHYXEL_FN Mat<T, 3> stress_change(const Moduli<T>& c, const Mat<T, 3>& f,
                                  const Symmetric<T>& tension, const Mat<T, 3>& df,
                                  const DampingTime<T>& damped) {
  const Mat<T, 3> twice = transpose(f) * df;
  const Symmetric<T> de = symmetric((twice + transpose(twice)) * T(Real(0.5)));
  const Mat<T, 3> cof = cofactor(f);
  const T dj = dot(cof[0], df[0]) + dot(cof[1], df[1]) + dot(cof[2], df[2]);
  Symmetric<T> ds = stress_of(c, de);
  ds += damping_stress(c, de, damped);
  const T stiffness = c.volume_stiffness * c.swelling() * c.swelling();
  return df * full(tension) + f * full(ds) + cof * (stiffness * dj);
}

/// What stress_change leaves out: k_v (s J - 1) s times the change of the cofactors.
template <class T>
PHYXEL_FN Mat<T, 3> cofactor_change(const Moduli<T>& c, const Mat<T, 3>& f, const Mat<T, 3>& df) {
  const T j = determinant(f);
  const Mat<T, 3> dcof = {{cross(df[1], f[2]) + cross(f[1], df[2]),
                           cross(df[2], f[0]) + cross(f[2], df[0]),
                           cross(df[0], f[1]) + cross(f[0], df[1])}};
  return dcof * (c.volume_stiffness * c.swelling() * (c.swelling() * j - T(Real(1))));
}

}  // namespace phyxel::mls
