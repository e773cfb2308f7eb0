#include "phyxel/methods/lennard_jones/force_table.h"

#include <array>
#include <bit>
#include <cmath>

namespace phyxel::lennard_jones {

#ifndef PHYXEL_DOUBLE

namespace {

constexpr int most_points = ForceTable::largest_degree + 1;
constexpr double tolerated_error = 1e-5;

/// Coefficients by rising powers; those beyond the degree are 0.
using Polynomial = std::array<double, most_points>;

PairLawOf<double> in_double(const PairLaw& law) {
  return {law.e0, law.r0, law.n, law.m, law.fade_from, law.cutoff, law.viscosity, law.faded};
}

double slope_over_r(const PairLawOf<double>& law, double u) {
  const double r = law.cutoff * std::sqrt(u);
  return pair_term(law, r).slope / r;
}

/// Size of the two terms of the law, against which its error counts: they cancel at r0.
double magnitude(const PairLawOf<double>& law, double u) {
  const double r = law.cutoff * std::sqrt(u), q = law.r0 / r;
  return law.e0 * law.n * law.m / (law.n - law.m) * (std::pow(q, law.n) + std::pow(q, law.m)) /
         (r * r);
}

/// The polynomial in s = 0 to 1 through the values at the Chebyshev points of [left, left + width].
Polynomial fit(const PairLawOf<double>& law, int degree, double left, double width) {
  const int points = degree + 1;
  Polynomial s{}, divided{};
  for (int k = 0; k < points; ++k) {
    s[k] = 0.5 + 0.5 * std::cos(M_PI * (k + 0.5) / points);
    divided[k] = slope_over_r(law, left + width * s[k]);
  }
  for (int level = 1; level < points; ++level)
    for (int k = points - 1; k >= level; --k)
      divided[k] = (divided[k] - divided[k - 1]) / (s[k] - s[k - level]);
  // Newton's form, multiplied out from the inside.
  Polynomial a{};
  for (int k = points - 1; k >= 0; --k) {
    for (int power = points - 1; power > 0; --power) a[power] = a[power - 1] - s[k] * a[power];
    a[0] = divided[k] - s[k] * a[0];
  }
  return a;
}

double value_of(const Polynomial& a, double s) {
  double value = 0;
  for (int k = most_points - 1; k >= 0; --k) value = value * s + a[k];
  return value;
}

double error_of(const PairLawOf<double>& law, const Polynomial& a, double left, double width) {
  double worst = 0;
  for (int k = 0; k <= 16; ++k) {
    const double s = k / 16.0, u = std::min(left + s * width, 1 - 1e-9);
    const double error = value_of(a, s) - slope_over_r(law, u);
    worst = std::max(worst, std::abs(error) / magnitude(law, u));
  }
  return worst;
}

/// Fills the table with polynomials of one degree; returns their largest error.
double fill(const PairLawOf<double>& law, int degree, ForceTable& table) {
  double worst = 0;
  for (int octave = 0; octave < 4; ++octave)
    for (int eighth = 0; eighth < 8; ++eighth) {
      const double begin = std::ldexp(1.0, octave - 4), width = begin / 8;
      const double left = begin + eighth * width;
      const Polynomial a = fit(law, degree, left, width);
      worst = std::max(worst, error_of(law, a, left, width));
      const auto at = std::bit_cast<std::uint32_t>(static_cast<float>(left)) >> 20 & 31;
      const double of_u = 0.5 * law.cutoff * law.cutoff;  // dE/du = (dE/dr)/r * cutoff^2 / 2
      table.energy[0].value[at] =
          static_cast<float>(pair_term(law, law.cutoff * std::sqrt(left)).energy);
      for (int k = 0; k < most_points; ++k) {
        const double coefficient = a[k] * std::pow(width, -k);
        table.slope[k].value[at] = static_cast<float>(coefficient);
        table.energy[k + 1].value[at] = static_cast<float>(of_u * coefficient / (k + 1));
      }
    }
  return worst;
}

}  // namespace

ForceTable make_force_table(const PairLaw& law) {
  ForceTable table;
  table.law = law;
  table.over_cutoff2 = 1 / (law.cutoff * law.cutoff);
  for (const int degree : {4, 5})
    if (fill(in_double(law), degree, table) < tolerated_error) {
      table.degree = degree;
      break;
    }
  return table;
}

#endif

}  // namespace phyxel::lennard_jones
