#pragma once

#include "phyxel/methods/lattice/fit.h"
#include "phyxel/methods/lattice/points.h"

// Both laws put the same kind of force on the neighbours of particle i,
//
//     f_j = w (B l - kappa r) - w q x (r - c),        r = x_j - x_i,
//
// and minus their sum on i. Without the last term, B = R k / 2, kappa = k / 2 is Wicke et al. 2006,
// eq. 8. The last term cancels the moment of the first, sum w r x (B l) = wedge((sum w r l^T) B^T):
// c is the centre and I the inertia of the neighbours and i with weights w and 1,
// q = I^-1 moment. As sum w (r - c) = 0 over all of them, both momenta are conserved whatever B is.
// Wicke et al. 2006, eq. 9 put right: it adds the torque and divides by no inertia.
//
// The forces of the hookean law are the slope of an energy,
//
//     U_i = V Psi(A_i) + kappa / 2 sum w |r - A_i l|^2,
//     Psi = mu |S - 1|^2 + lambda / 2 tr(S - 1)^2,
//
// with A = (sum w r l^T) G, G = (sum w l l^T)^-1, so that dA/dx_j is w (G l) and the first part
// pulls at j with -V P G w l, P = dPsi/dA = R (2 mu (S - 1) + lambda tr(S - 1)). The second part
// resists motion that A does not contain (a particle that moves against all its neighbours, say);
// A minimises it, so that its slope is w kappa (A l - r) alone. It is zero for every affine
// deformation, which therefore meets exactly mu and lambda. Neither part has a moment: P A^T and
// A (sum w l l^T) A^T are symmetric.

namespace phyxel::lattice {

/// A spring to each lattice point.
template <class T>
struct StiffnessLaw {
  T stiffness = 0;  // k, N/m
};

/// Springs with the given Young's modulus under tension. The energy of a particle deep inside
/// affinely deformed matter is k / 4 tr((S - 1) (sum w l l^T) (S - 1)), that of its volume mu |S -
/// 1|^2 with 2 mu = E: Poisson's ratio is zero.
template <int Dim, class T>
PHYXEL_FN StiffnessLaw<T> stiffness_law(T youngs_modulus, const ShellWeights<T>& weights,
                                        T spacing) {
  return {2 * youngs_modulus * rest_cell<Dim>(spacing) / shell_moment<Dim>(weights, spacing)};
}

/// Isotropic linear elasticity in the strain S - 1.
template <class T>
struct HookeanLaw {
  T mu = 0, lambda = 0;    // Pa; N/m in 2D
  T volume = 0;            // of a particle at rest, m^3; m^2 in 2D
  T residual_modulus = 0;  // resists motion that the strain does not contain, Pa
};

/// The law of Young's modulus and Poisson's ratio for a lattice of this spacing. 2D is a sheet free
/// to become thinner (plane stress), so that pulling it measures youngs_modulus as well; for a
/// slice of something long see in_plane_strain. The strain of a particle has no bending across its
/// own cell, and at a surface it is that of a point deeper inside, by a third of a layer in 3D: in
/// units of E d^2 (layers of distance d), a beam of n layers lacks n / 12 + 2 (n - 1) / 3 - 2 / 9
/// of n^3 / 12. The residual makes up for it: in bending it adds 3/4 of its modulus in each layer
/// and half of that at a surface. So its modulus is fitted to beams, with one shell: 0.6 E in 2D,
/// where cantilevers of 3, 5 and 9 rows bend by beam theory within 6, 3 and 3 % (nu from 0 to
/// 0.45), 0.75 E in 3D, where 3, 5 and 7 layers do within 2, 4 and 3 % (3 layers of nu = 0.45: 8
/// %). validation/lattice, cantilever.
template <int Dim, class T>
PHYXEL_FN HookeanLaw<T> hookean_law(T youngs_modulus, T poissons_ratio, T spacing) {
  const T e = youngs_modulus, nu = poissons_ratio, mu = e / (2 * (1 + nu));
  const T lambda = Dim == 2 ? e * nu / (1 - nu * nu) : e * nu / ((1 + nu) * (1 - 2 * nu));
  return {mu, lambda, rest_cell<Dim>(spacing), T(Dim == 2 ? 0.6 : 0.75) * e};
}

/// Young's modulus and Poisson's ratio of the sheet that is as stiff in its plane as matter that
/// keeps its width (plane strain): mu stays, and lambda becomes that of three dimensions.
template <class T>
struct PlaneModuli {
  T youngs_modulus, poissons_ratio;
};
template <class T>
PHYXEL_FN PlaneModuli<T> in_plane_strain(T youngs_modulus, T poissons_ratio) {
  const T nu = poissons_ratio;
  return {youngs_modulus / (1 - nu * nu), nu / (1 - nu)};
}

/// 2 mu e + lambda tr(e) 1: stress in the lattice's frame, before rotation.
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> stress(const HookeanLaw<T>& law, const Mat<T, Dim>& e) {
  return e * (2 * law.mu) + Mat<T, Dim>::identity() * (law.lambda * trace(e));
}

/// Psi, J/m^3.
template <class T, int Dim>
PHYXEL_FN T energy_density(const HookeanLaw<T>& law, const Mat<T, Dim>& e) {
  const T sum = trace(e);
  return law.mu * norm_squared(e) + law.lambda * T(0.5) * sum * sum;
}

/// B, kappa, c and q of one neighbourhood: its forces on each of its particles follow from them.
template <class T, int Dim>
struct NeighbourhoodForce {
  Mat<T, Dim> b;
  T kappa;
  Vec<T, Dim> centre;  // c, relative to x_i
  Spin<T, Dim> turn;   // q
};

namespace detail {

template <class T, int Dim>
PHYXEL_FN NeighbourhoodForce<T, Dim> without_torque(const Moments<T, Dim>& m, const Mat<T, Dim>& b,
                                                    T kappa) {
  const T w = m.w + T(1);
  const Vec<T, Dim> centre = m.wr / w;
  const Mat<T, Dim> spread = m.rr - outer(m.wr, centre);
  return {b, kappa, centre, spin_from(spread, wedge(m.rl * transpose(b)))};
}

/// kappa, the stiffness of residuals, which the strain does not contain, N/m: chosen so that
/// kappa trace(sum w l l^T) / Dim is the residual modulus times the volume of a particle.
template <class T, int Dim>
PHYXEL_FN T residual_stiffness(const HookeanLaw<T>& law, const Moments<T, Dim>& m) {
  const T sum = trace(m.ll);
  return select(sum > T(0), law.residual_modulus * law.volume * T(Dim) / sum, T(0));
}

}  // namespace detail

/// B and kappa of a law.
template <class T, int Dim>
struct Pull {
  Mat<T, Dim> b;
  T kappa;
};
template <class T, int Dim>
PHYXEL_FN Pull<T, Dim> pull_of(const StiffnessLaw<T>& law, const Moments<T, Dim>&,
                               const Fit<T, Dim>& fit) {
  const T half = law.stiffness * T(0.5);
  return {fit.rotation * half, half};
}
template <class T, int Dim>
PHYXEL_FN Pull<T, Dim> pull_of(const HookeanLaw<T>& law, const Moments<T, Dim>& m,
                               const Fit<T, Dim>& fit) {
  const T kappa = detail::residual_stiffness(law, m);
  const Mat<T, Dim> p = fit.rotation * stress(law, strain(fit));
  return {fit.a * kappa - p * fit.gather * law.volume, kappa};
}

template <class Law, class T, int Dim>
PHYXEL_FN NeighbourhoodForce<T, Dim> neighbourhood_force(const Law& law, const Moments<T, Dim>& m,
                                                         const Fit<T, Dim>& fit) {
  const Pull<T, Dim> pull = pull_of(law, m, fit);
  return detail::without_torque(m, pull.b, pull.kappa);
}

/// Adds forces on the particles of the neighbourhood that have this moment, N m, and no sum.
template <class T, int Dim>
PHYXEL_FN void add_torque(NeighbourhoodForce<T, Dim>& f, const Moments<T, Dim>& m,
                          const Spin<T, Dim>& torque) {
  f.turn -= spin_from(m.rr - outer(m.wr, f.centre), torque);
}

/// Force of the neighbourhood of i on j, assigned to a slot of it, N; r = x_j - x_i.
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> force_on_assigned(const NeighbourhoodForce<T, Dim>& f, T w,
                                        const Vec<T, Dim>& r, const Vec<T, Dim>& l) {
  return (f.b * l - r * f.kappa - turned(f.turn, r - f.centre)) * w;
}

/// The same in the numbers that assigned particles read, 16 in 3D: B, kappa, q and q x c.
template <class T, int Dim>
struct AssignedForce {
  Mat<T, Dim> b;
  T kappa;
  Spin<T, Dim> turn;
  Vec<T, Dim> shift;
};
template <class T, int Dim>
PHYXEL_FN AssignedForce<T, Dim> for_assigned_of(const NeighbourhoodForce<T, Dim>& f) {
  return {f.b, f.kappa, f.turn, turned(f.turn, f.centre)};
}
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> force_on_assigned(const AssignedForce<T, Dim>& f, T w, const Vec<T, Dim>& r,
                                        const Vec<T, Dim>& l) {
  return (f.b * l - r * f.kappa - turned(f.turn, r) + f.shift) * w;
}

/// Into 16 numbers or packs of them, and back.
template <class T, int Dim>
PHYXEL_FN void write(const AssignedForce<T, Dim>& f, T* c) {
  for (int k = 0; k < Dim * Dim; ++k) c[k] = f.b[k / Dim][k % Dim];
  c += Dim * Dim;
  *c++ = f.kappa;
  for (const T& number : f.turn.c) *c++ = number;
  for (const T& number : f.shift.c) *c++ = number;
}
template <int Dim, class T>
PHYXEL_FN AssignedForce<T, Dim> read(const T* c) {
  AssignedForce<T, Dim> f;
  for (int k = 0; k < Dim * Dim; ++k) f.b[k / Dim][k % Dim] = c[k];
  c += Dim * Dim;
  f.kappa = *c++;
  for (T& number : f.turn.c) number = *c++;
  for (T& number : f.shift.c) number = *c++;
  return f;
}

/// Force of the neighbourhood of i on i itself: minus the sum of those on assigned particles, N.
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> force_on_centre(const NeighbourhoodForce<T, Dim>& f,
                                      const Moments<T, Dim>& m) {
  return m.wr * f.kappa - f.b * m.wl + turned(f.turn, f.centre);
}

/// Energy of the neighbourhood of i, J: strain_energy once and residual_energy for each assigned
/// particle. The springs of the stiffness law have residual energy only, to the lattice turned but
/// not stretched.
template <class T, int Dim>
PHYXEL_FN T strain_energy(const HookeanLaw<T>& law, const Fit<T, Dim>& fit) {
  return law.volume * energy_density(law, strain(fit));
}
template <class T, int Dim>
PHYXEL_FN T residual_energy(const HookeanLaw<T>&, const NeighbourhoodForce<T, Dim>& f,
                            const Fit<T, Dim>& fit, T w, const Vec<T, Dim>& r,
                            const Vec<T, Dim>& l) {
  return f.kappa * w * T(0.5) * length_squared(fit.a * l - r);
}
template <class T, int Dim>
PHYXEL_FN T residual_energy(const StiffnessLaw<T>&, const NeighbourhoodForce<T, Dim>& f,
                            const Fit<T, Dim>& fit, T w, const Vec<T, Dim>& r,
                            const Vec<T, Dim>& l) {
  return f.kappa * w * T(0.5) * length_squared(fit.rotation * l - r);
}

/// Stable step of explicit (symplectic) integration, s. The energy of a pair grows by at most
/// kappa w |dx_j - dx_i|^2 / 2 per neighbourhood, two of which share it; Gershgorin's circles of
/// that sum give omega^2 <= 4 kappa (sum of w) / m, and 2 / omega is the limit.
template <int Dim, class T>
PHYXEL_FN T stable_dt(const StiffnessLaw<T>& law, const ShellWeights<T>& weights, T mass) {
  return 2 * sqrt(mass / (2 * law.stiffness * full_weight<Dim>(weights)));
}

/// As above, with |dA|^2 <= sum w |dr|^2 / least for the least eigenvalue of sum w l l^T. Whole
/// shells are even: all eigenvalues are shell_moment.
template <int Dim, class T>
PHYXEL_FN T stable_dt(const HookeanLaw<T>& law, const ShellWeights<T>& weights, T spacing, T mass) {
  const T modulus = 2 * law.mu + T(Dim) * law.lambda + law.residual_modulus;
  const T pair = law.volume * modulus / shell_moment<Dim>(weights, spacing);
  return 2 * sqrt(mass / (4 * pair * full_weight<Dim>(weights)));
}

}  // namespace phyxel::lattice
