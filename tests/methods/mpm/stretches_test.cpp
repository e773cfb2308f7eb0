#include "phyxel/methods/mpm/stretches.h"

#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/methods/mpm/laws.h"

using namespace phyxel;
using namespace phyxel::mpm;

TEST_CASE("stresses_without_singular_vectors_are_those_with_them") {
  const Random random{11, 0};
  SnowLaw snow;
  snow.elastic = lame(Real(1e5), Real(0.3));
  CorotatedLaw jelly;
  jelly.elastic = snow.elastic;
  SandLaw sand;
  sand.elastic = snow.elastic;
  const auto difference = [](const Mat3& a, const Symmetric<Real>& b) {
    const Mat3 full{{{b.xx, b.xy, b.xz}, {b.xy, b.yy, b.yz}, {b.xz, b.yz, b.zz}}};
    return std::sqrt(norm_squared(a - full));
  };
  for (std::uint64_t k = 0; k < 600; ++k) {
    const Real range = k % 3 == 0 ? Real(0.5) : k % 3 == 1 ? Real(0.02) : Real(1e-4);
    Mat3 f = Mat3::identity();
    for (int r = 0; r < 3; ++r)
      f[r] += (random.uniform3(3 * k + static_cast<std::uint64_t>(r)) * Real(2) - Vec3::filled(1)) *
              range;
    if (k % 30 == 0) f[0] = -f[0];  // inside out, far from round
    const auto check = [&](const auto& law) {
      using Law = std::decay_t<decltype(law)>;
      Mat3 slow = f, fast = f;
      Real slow_memory = Law::fresh, fast_memory = Law::fresh, modulus;
      const Mat3 stress = respond(law, slow, slow_memory, 0);
      const Symmetric<Real> other = stress_after_flow(law, fast, fast_memory, 0, modulus);
      // Roundings of strains times the modulus; nearly equal eigenvalues add 4e-4 of their spread
      // where a law has a kink.
      CHECK(difference(stress, other) < 1e5 * (2e-6 + 1e-3 * range));
      CHECK(std::abs(slow_memory - fast_memory) < 2e-5 + 1e-3 * range);
      if (k % 30 != 0) CHECK(std::sqrt(norm_squared(slow - fast)) < 2e-5 + 2e-3 * range);
    };
    if (k % 30 != 0) check(snow), check(sand);
    check(jelly);
  }
}
