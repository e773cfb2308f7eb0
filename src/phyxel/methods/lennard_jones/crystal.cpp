#include "phyxel/methods/lennard_jones/crystal.h"

#include <array>
#include <utility>
#include <vector>

#include "phyxel/core/mat.h"

namespace phyxel::lennard_jones {

namespace {

/// Lattice vectors up to `reach` for a nearest-neighbour distance of 1, oriented as
/// geometry/sampling places them.
std::vector<Vec3d> lattice_vectors(double reach, int dimensions) {
  std::vector<Vec3d> vectors;
  const int n = static_cast<int>(std::ceil(reach * 2)) + 1;
  const auto keep = [&](const Vec3d& l) {
    const double r = length(l);
    if (r > 0.5 && r <= reach) vectors.push_back(l);
  };
  if (dimensions == 2) {
    for (int i = -n; i <= n; ++i)
      for (int j = -n; j <= n; ++j) keep({i + 0.5 * j, std::sqrt(0.75) * j, 0});
    return vectors;
  }
  const double a = std::sqrt(0.5);  // half the edge of the face-centred cube
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j)
      for (int k = -n; k <= n; ++k)
        if ((i + j + k) % 2 == 0) keep({a * i, a * j, a * k});
  return vectors;
}

/// In double: second differences of a float energy would drown in rounding.
double pair_energy(const PairLaw& law, double r) {
  if (r >= law.cutoff) return 0;
  const PairLawOf<double> exact{law.e0,        law.r0,     law.n,         law.m,
                                law.fade_from, law.cutoff, law.viscosity, law.faded};
  return pair_term(exact, r).energy;
}

double energy_of(const PairLaw& law, const std::vector<Vec3d>& vectors, const Mat3d& deformation) {
  double sum = 0;
  for (const Vec3d& l : vectors) sum += pair_energy(law, length(deformation * l));
  return sum / 2;
}

std::vector<Vec3d> vectors_for(const PairLaw& law, double spacing, int dimensions) {
  return lattice_vectors(1.05 * law.cutoff / spacing, dimensions);
}

Mat3d strained(double spacing, const std::array<double, 6>& strain) {
  const auto& e = strain;
  return Mat3d{{{1 + e[0], e[5] / 2, e[4] / 2},
                {e[5] / 2, 1 + e[1], e[3] / 2},
                {e[4] / 2, e[3] / 2, 1 + e[2]}}} *
         spacing;
}

/// Solves a x = b for a symmetric positive definite a by Gauss elimination; NaN when a pivot shows
/// that it is not.
std::array<double, 6> solve(std::array<std::array<double, 6>, 6> a, std::array<double, 6> b,
                            int n) {
  for (int k = 0; k < n; ++k) {
    if (!(a[k][k] > 0))
      return std::array<double, 6>{not_given, not_given, not_given,
                                   not_given, not_given, not_given};
    for (int r = k + 1; r < n; ++r) {
      const double f = a[r][k] / a[k][k];
      for (int c = k; c < n; ++c) a[r][c] -= f * a[k][c];
      b[r] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int c = k + 1; c < n; ++c) b[k] -= a[k][c] * b[c];
    b[k] /= a[k][k];
  }
  return b;
}

/// Strain per unit stress along x: the first column of the compliance matrix, in Voigt order xx yy
/// zz yz xz xy.
std::array<double, 6> response_to_pull(const PairLaw& law, int dimensions) {
  const double spacing = relaxed_spacing(law, dimensions), h = 1e-3;
  const auto vectors = vectors_for(law, 0.98 * spacing, dimensions);
  const std::array<int, 6> used =
      dimensions == 2 ? std::array<int, 6>{0, 1, 5} : std::array<int, 6>{0, 1, 2, 3, 4, 5};
  const int n = dimensions == 2 ? 3 : 6;
  const auto energy = [&](int a, double ea, int b, double eb) {
    std::array<double, 6> e{};
    e[used[a]] += ea;
    e[used[b]] += eb;
    return energy_of(law, vectors, strained(spacing, e)) / volume_per_particle(spacing, dimensions);
  };
  std::array<std::array<double, 6>, 6> stiffness{};
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      stiffness[a][b] =
          (energy(a, h, b, h) - energy(a, h, b, -h) - energy(a, -h, b, h) + energy(a, -h, b, -h)) /
          (4 * h * h);
  return solve(stiffness, {1, 0, 0, 0, 0, 0}, n);
}

}  // namespace

Bond bond_of(const PairLaw& law) {
  const double e0 = law.e0, r0 = law.r0, n = law.n, m = law.m;
  const double r_t = r0 * std::pow((n + 1) / (m + 1), 1 / (n - m));
  const double q = r0 / r_t;
  return {e0 * n * m / (r0 * r0), r_t,
          e0 * n * m / (n - m) * (std::pow(q, m) - std::pow(q, n)) / r_t};
}

PairLaw unit_energy_law(const Parameters& p) {
  PairLaw law = pair_law(p, 1);
  law.e0 = 1;
  return law;
}

PairLaw unit_law(const Parameters& p) {
  Parameters unit = p;
  unit.equilibrium_distance = 1;
  return unit_energy_law(unit);
}

double lattice_energy(const PairLaw& law, double spacing, int dimensions) {
  return energy_of(law, vectors_for(law, spacing, dimensions), Mat3d::identity() * spacing);
}

double relaxed_spacing(const PairLaw& law, int dimensions) {
  // Golden-section search: the energy has one minimum between half and one and a half r0.
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0.5 * law.r0, high = 1.5 * law.r0;
  const auto vectors = vectors_for(law, low, dimensions);
  const auto energy = [&](double s) { return energy_of(law, vectors, Mat3d::identity() * s); };
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double ea = energy(a), eb = energy(b);
  for (int k = 0; k < 60; ++k) {
    if (ea < eb) {
      high = std::exchange(b, a);
      eb = ea;
      a = high - golden * (high - low);
      ea = energy(a);
    } else {
      low = std::exchange(a, b);
      ea = eb;
      b = low + golden * (high - low);
      eb = energy(b);
    }
  }
  return (low + high) / 2;
}

double volume_per_particle(double spacing, int dimensions) {
  return dimensions == 2 ? spacing * spacing * std::sqrt(0.75)
                         : spacing * spacing * spacing / std::sqrt(2.0);
}

double youngs_modulus(const PairLaw& law, int dimensions) {
  return 1 / response_to_pull(law, dimensions)[0];
}

double poisson_ratio(const PairLaw& law, int dimensions) {
  const auto strain = response_to_pull(law, dimensions);
  return -strain[1] / strain[0];
}

}  // namespace phyxel::lennard_jones
