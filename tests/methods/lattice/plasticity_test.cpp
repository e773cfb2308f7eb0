#include "phyxel/methods/lattice/plasticity.h"

#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;

namespace {

constexpr double modulus = 1e5, yield_stress = 1e3;

template <int Dim>
Fit<double, Dim> fit_of(const Mat<double, Dim>& a) {
  Fit<double, Dim> fit;
  fit.a = a;
  fit.rotation = polar(a).rotation;
  fit.stretch = polar(a).stretch;
  fit.gather = Mat<double, Dim>::identity();
  fit.full = true;
  return fit;
}

/// Pulled along x until the stress across is zero.
template <int Dim>
Mat<double, Dim> pulled(double strain, double nu) {
  Mat<double, Dim> a = Mat<double, Dim>::identity();
  a[0][0] += strain;
  for (int k = 1; k < Dim; ++k) a[k][k] -= nu * strain;
  return a;
}

template <int Dim>
void check_pulling() {
  const double nu = 0.3, first = yield_stress / modulus;
  const HookeanLaw<double> law = hookean_law<Dim>(modulus, nu, 0.1);
  Mat<double, Dim> q = Mat<double, Dim>::identity();
  const auto stress_at = [&](double strain) {
    return stress(law, phyxel::lattice::strain(
                           elastic_part(law, yield_stress, fit_of(pulled<Dim>(strain, nu)), q)));
  };
  // Just below the yield strain it is elastic, and as strong as Young's modulus says.
  CHECK(stress_at(0.99 * first)[0][0] == doctest::Approx(0.99 * yield_stress));
  CHECK(norm_squared(q - Mat<double, Dim>::identity()) == 0);
  // Beyond, what is left of the difference between the axes is the yield stress.
  const Mat<double, Dim> s = stress_at(5 * first);
  CHECK(s[0][0] - s[1][1] == doctest::Approx(yield_stress));
  // Taken back to where it was it is pressed: it has become longer.
  CHECK(stress_at(0)[0][0] - stress_at(0)[1][1] < -0.5 * yield_stress);
}

}  // namespace

TEST_CASE("pulled_matter_yields_at_its_yield_stress") {
  check_pulling<2>();
  check_pulling<3>();
}

TEST_CASE("what_has_flowed_explains_the_elastic_part_and_keeps_volume") {
  const HookeanLaw<double> law = hookean_law<3>(modulus, 0.3, 0.1);
  const Mat<double, 3> a{{{1.2, 0.1, 0}, {0.05, 0.9, -0.1}, {0, 0.2, 0.95}}};
  Mat<double, 3> q = Mat<double, 3>::identity();
  const Fit<double, 3> elastic = elastic_part(law, yield_stress, fit_of(a), q);
  const Mat<double, 3> difference = a * q - elastic.rotation * elastic.stretch;
  CHECK(norm_squared(difference) < 1e-24);
  CHECK(trace(elastic.stretch) == doctest::Approx(trace(polar(a).stretch)));
  // A second look at the same place finds nothing more to flow.
  const Mat<double, 3> before = q;
  elastic_part(law, yield_stress, fit_of(a), q);
  CHECK(norm_squared(q - before) < 1e-20);
}

TEST_CASE("matter_flows_no_farther_than_its_step_is_stable") {
  const HookeanLaw<double> law = hookean_law<3>(modulus, 0.3, 0.1);
  Mat<double, 3> q = Mat<double, 3>::identity();
  for (double strain = 0; strain < 0.9; strain += 0.01)
    elastic_part(law, yield_stress, fit_of(pulled<3>(-strain, 0.3)), q);
  CHECK(norm_squared(q) < 2.25 * 3);
}
