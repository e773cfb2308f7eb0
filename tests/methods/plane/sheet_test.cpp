#include <doctest/doctest.h>

#include "phyxel/methods/mpm/deform.h"

// Elastic laws of mpm in plane stress.

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

constexpr Real nu = Real(0.4);
const Lame elastic = lame(1, nu);

Mat3 flat_deformation(Real xx, Real xy, Real yx, Real yy) {
  return {{{xx, xy, 0}, {yx, yy, 0}, {0, 0, 1}}};
}

template <class Law>
Symmetric<Real> stress_of(const Law& law, Mat3& f) {
  Real memory = 0, modulus = 0;
  return deform(law, Mat3::zero(), Real(1e-3), f, memory, modulus);
}

template <class Law>
void check_law(const Law& solid) {
  const SheetOf<Law> sheet{solid};
  for (Mat3 f : {flat_deformation(1, 0, 0, 1), flat_deformation(Real(1.3), Real(0.2), 0, 1),
                 flat_deformation(Real(0.7), 0, Real(0.3), Real(0.8)),
                 flat_deformation(2, Real(-0.5), Real(0.4), Real(1.5)),
                 flat_deformation(0, -1, 1, 0), flat_deformation(Real(0.3), 0, 0, Real(3))}) {
    CAPTURE(f[0][0]);
    const Symmetric<Real> s = stress_of(sheet, f);
    // Rounding of float, and of the cubic equation for the stretches.
    CHECK(std::abs(s.zz) < 2e-4);
    CHECK(s.xz == 0);
    CHECK(f[2][2] > 0);
    // In three dimensions the same deformation has the same stress: nothing else is changed.
    Mat3 same = f;
    const Symmetric<Real> in_space = stress_of(solid, same);
    CHECK(s.xx == doctest::Approx(in_space.xx).epsilon(1e-4));
    CHECK(s.xy == doctest::Approx(in_space.xy).epsilon(1e-4));
  }
}

/// Slope of the stress along x over the strain along x; `free`: the sides along y are.
template <class Law>
double modulus_of(const Law& law, double across) {
  const Real e = Real(1e-3);
  Mat3 f = flat_deformation(1 + e, 0, 0, static_cast<Real>(1 - across * double(e)));
  return double(stress_of(law, f).xx) / double(e);
}

}  // namespace

TEST_CASE("a_sheet_has_no_stress_across_its_plane") {
  check_law(CorotatedLaw{elastic});
  check_law(NeoHookeanLaw{elastic});
}

TEST_CASE("a_strip_of_a_sheet_has_youngs_modulus_and_one_of_a_slice_has_more") {
  // Strains of 1e-3: stresses are off by some of those.
  const auto is = [](double value) { return doctest::Approx(value).epsilon(0.005); };
  const double n = nu;
  CHECK(modulus_of(SheetOf<CorotatedLaw>{{elastic}}, n) == is(1));
  CHECK(modulus_of(SheetOf<NeoHookeanLaw>{{elastic}}, n) == is(1));
  CHECK(modulus_of(CorotatedLaw{elastic}, n / (1 - n)) == is(1 / (1 - n * n)));
  CHECK(modulus_of(NeoHookeanLaw{elastic}, n / (1 - n)) == is(1 / (1 - n * n)));
}
