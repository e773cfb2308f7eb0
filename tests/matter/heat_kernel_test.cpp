#include "phyxel/matter/heat_kernel.h"

#include <doctest/doctest.h>

using namespace phyxel;

namespace {

/// -W'(r) / r of Wendland's C2 kernel in 3D, with support 2 h.
struct Wendland {
  Real h;
  Real steepness(Real r) const {
    const Real left = max(Real(0), 1 - r / (2 * h));
    return Real(21 / (16 * M_PI) * 5) * left * left * left / (h * h * h * h * h);
  }
};

}  // namespace

TEST_CASE("conduction_in_closest_packing_becomes_exact_with_the_support") {
  const Real spacing = Real(0.1);
  CHECK(packed_conduction(Wendland{Real(0.3)}, spacing, Real(0.6), 3) ==
        doctest::Approx(1).epsilon(0.001));
  // Summed by an independent script.
  CHECK(packed_conduction(Wendland{Real(0.1)}, spacing, Real(0.2), 3) ==
        doctest::Approx(0.9722).epsilon(0.0002));
}
