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

/// A law as a function of u = scale r^2.
struct LawOfU {
  PairLawOf<double> law;
  double scale;  // 1/m^2
  double limit;  // u at the cut-off

  double r(double u) const { return std::sqrt(u / scale); }
  double slope_over_r(double u) const { return pair_term(law, r(u)).slope / r(u); }
  double stiffness(double u) const { return pair_term(law, r(u)).stiffness; }
};

/// The largest end of an interval at or below u.
double end_below(double u) {
  int exponent = 0;
  const double mantissa = std::frexp(u, &exponent);  // u = mantissa 2^exponent, mantissa >= 1/2
  return std::ldexp(std::floor(mantissa * 16) / 16, exponent);
}

/// The fade begins with a jump of the third derivative, which no polynomial follows: u is scaled so
/// that an interval begins there.
LawOfU law_of_u(const PairLaw& pair_law) {
  const PairLawOf<double> law = in_double(pair_law);
  const double fade = law.fade_from * law.fade_from / (law.cutoff * law.cutoff);
  const bool matters = law.faded && fade > double(ForceTable::least) && fade < 1;
  const double limit = matters ? end_below(fade) / fade : 1.0;
  return {law, limit / (law.cutoff * law.cutoff), limit};
}

/// Size of the two terms of the law, against which its error counts: they cancel at r0.
double magnitude(const LawOfU& f, double u) {
  const PairLawOf<double>& law = f.law;
  const double r = f.r(u), q = law.r0 / r;
  return law.e0 * law.n * law.m / (law.n - law.m) * (std::pow(q, law.n) + std::pow(q, law.m)) /
         (r * r);
}

/// The polynomial in s = 0 to 1 through the values at the Chebyshev points of [left, left + width].
Polynomial fit(const LawOfU& f, int degree, double left, double width) {
  const int points = degree + 1;
  Polynomial s{}, divided{};
  for (int k = 0; k < points; ++k) {
    s[k] = 0.5 + 0.5 * std::cos(M_PI * (k + 0.5) / points);
    divided[k] = f.slope_over_r(left + width * s[k]);
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

double error_of(const LawOfU& f, const Polynomial& a, double left, double width) {
  double worst = 0;
  for (int k = 0; k <= 16; ++k) {
    const double s = k / 16.0, u = left + s * width;
    const double error = value_of(a, s) - f.slope_over_r(u);
    worst = std::max(worst, std::abs(error) / magnitude(f, u));
  }
  return worst;
}

/// Fills the table with polynomials of one degree; returns their largest error.
double fill(const LawOfU& f, int degree, ForceTable& table) {
  double worst = 0;
  for (int octave = 0; octave < 4; ++octave)
    for (int eighth = 0; eighth < 8; ++eighth) {
      const double begin = std::ldexp(1.0, octave - 4), left = begin * (1 + eighth / 8.0);
      const double width = std::min(begin / 8, (f.limit - left) * (1 - 1e-12));
      if (width <= 0) continue;  // beyond the cut-off
      const Polynomial a = fit(f, degree, left, width);
      worst = std::max(worst, error_of(f, a, left, width));
      const auto at = std::bit_cast<std::uint32_t>(static_cast<float>(left)) >> 20 & 31;
      const double left_stiffness = f.stiffness(left);
      table.stiffness[0].value[at] = static_cast<float>(left_stiffness);
      table.stiffness[1].value[at] =
          static_cast<float>((f.stiffness(left + width) - left_stiffness) / width);
      table.energy[0].value[at] = static_cast<float>(pair_term(f.law, f.r(left)).energy);
      for (int k = 0; k < most_points; ++k) {
        const double coefficient = a[k] * std::pow(width, -k);
        table.slope[k].value[at] = static_cast<float>(coefficient);
        // dE/du = (dE/dr)/r / (2 scale)
        table.energy[k + 1].value[at] = static_cast<float>(coefficient / (2 * f.scale * (k + 1)));
      }
    }
  return worst;
}

}  // namespace

ForceTable make_force_table(const PairLaw& law) {
  ForceTable table{};
  const LawOfU f = law_of_u(law);
  table.law = law;
  table.scale = static_cast<Real>(f.scale);
  table.limit = static_cast<Real>(f.limit);
  for (const int degree : {4, 5})
    if (fill(f, degree, table) < tolerated_error) {
      table.degree = degree;
      break;
    }
  return table;
}

#endif

}  // namespace phyxel::lennard_jones
