#include "phyxel/methods/lennard_jones/law.h"

#include <doctest/doctest.h>
#include <initializer_list>

#include "phyxel/core/random.h"

using namespace phyxel;
using namespace phyxel::lennard_jones;

namespace {

/// A law with random exponents n > m, lengths and fade.
PairLawOf<double> random_law(std::uint64_t k, bool faded) {
  const Random random{11, 0};
  const Vec3 a = random.uniform3(k, 0), b = random.uniform3(k, 1);
  PairLawOf<double> law;
  law.m = 1 + 8 * a[0];
  law.n = law.m + 0.5 + 8 * a[1];
  if (k % 2 == 0) law.m = std::round(law.m), law.n = law.m + std::round(1 + 6 * a[1]);
  law.e0 = 0.1 + 300 * a[2];
  law.r0 = 0.01 + 3 * b[0];
  law.fade_from = law.r0 * (0.8 + 0.6 * b[1]);
  law.cutoff = law.fade_from + law.r0 * (0.3 + b[2]);
  law.faded = faded;
  return law;
}

}  // namespace

TEST_CASE("pair_force_is_the_slope_of_the_faded_energy") {
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const auto law = random_law(k, k % 3 != 0);
    const double r = law.r0 * (0.7 + 1.5 * Random{12, 0}.uniform(k));
    if (r > law.cutoff) continue;
    const double h = 1e-5 * law.r0;
    const double slope = (pair_term(law, r + h).energy - pair_term(law, r - h).energy) / (2 * h);
    // Second-order differences: the error is h^2 times the third derivative, which n <= 17 keeps
    // below 1e-5 of the scale.
    const double scale = law.e0 * law.n * law.m / law.r0 * std::pow(law.r0 / r, law.n + 1);
    CHECK(pair_term(law, r).slope == doctest::Approx(slope).epsilon(1e-6).scale(scale));
  }
}

TEST_CASE("a_pair_rests_at_r0_with_energy_minus_e0") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    auto law = random_law(k, true);
    law.fade_from = law.r0;
    const auto term = pair_term(law, law.r0);
    CHECK(term.energy == doctest::Approx(-law.e0));
    CHECK(std::abs(term.slope) < 1e-10 * law.e0 / law.r0);
    // k = e0 n m / r0^2, Tonnesen section 3.3.3.
    CHECK(term.stiffness == doctest::Approx(law.e0 * law.n * law.m / (law.r0 * law.r0)));
  }
}

TEST_CASE("the_fade_is_smooth_to_second_order_at_both_ends") {
  PairLawOf<double> law;
  law.fade_from = 1.2;
  law.cutoff = 2.1;
  const double h = 1e-4;
  for (double end : {law.fade_from, law.cutoff}) {
    // w' and w'' vanish, so that w' is of order h^2 just inside: 30 h^2 / width^3.
    CHECK(std::abs(fade(law, end - h).slope) < 50 * h * h);
    CHECK(std::abs(fade(law, end + h).slope) < 50 * h * h);
    CHECK(fade(law, end - h).value == doctest::Approx(fade(law, end + h).value).epsilon(1e-9));
  }
  CHECK(fade(law, 1.0).value == 1);
  CHECK(fade(law, 2.2).value == 0);
}

TEST_CASE("pair_stiffness_is_the_bend_of_the_energy_or_its_slope_over_r") {
  for (std::uint64_t k = 0; k < 500; ++k) {
    const auto law = random_law(k, true);
    const double r = law.r0 * (0.8 + 1.2 * Random{13, 0}.uniform(k)), h = 1e-5 * law.r0;
    if (r > law.cutoff) continue;
    const double bend = (pair_term(law, r + h).slope - pair_term(law, r - h).slope) / (2 * h);
    const double expected = std::max(std::abs(bend), std::abs(pair_term(law, r).slope / r));
    CHECK(pair_term(law, r).stiffness == doctest::Approx(expected).epsilon(1e-5).scale(
                                             law.e0 * law.n * law.n / (law.r0 * law.r0)));
  }
}

TEST_CASE("whole_powers_by_squaring_agree_with_pow") {
  for (int n = 0; n <= 64; ++n)
    for (double q : {0.3, 0.97, 1.0, 1.4})
      CHECK(power(q, double(n)) == doctest::Approx(std::pow(q, n)).epsilon(1e-12));
  CHECK(power(0.7, 2.5) == std::pow(0.7, 2.5));
}

TEST_CASE("an_obstacle_begins_without_a_jump_in_energy_or_force") {
  for (Real beta : {Real(0.5), Real(25), Real(900)}) {
    const ObstacleLaw law = obstacle_from_beta(1, 4, beta);
    const ObstacleTerm edge = obstacle_term(law, Real(0.9999));
    CHECK(std::abs(edge.energy) < 1e-5 * beta);
    CHECK(std::abs(edge.force) < 1e-3 * beta);
    CHECK(obstacle_term(law, 1).force == 0);
    CHECK(obstacle_term(law, Real(0.5)).force > 0);
  }
}

TEST_CASE("obstacle_force_is_minus_the_slope_of_its_energy_also_below_the_floor") {
  const ObstacleLaw law = obstacle_from_beta(Real(0.8), 4, 25);
  for (double d : {-0.3, 0.001, 0.2, 0.4, 0.6, 0.79}) {
    const double h = 0.002;
    const double slope =
        (double(obstacle_term(law, Real(d + h)).energy) - obstacle_term(law, Real(d - h)).energy) /
        (2 * h);
    if (std::abs(d - 0.008) < 2 * h) continue;  // the kink at the floor
    // Differences of float energies: h^2 curvature and 1e-7 energy / h.
    CHECK(obstacle_term(law, Real(d)).force == doctest::Approx(-slope).epsilon(0.01).scale(1));
  }
}

TEST_CASE("alpha_and_beta_describe_the_same_obstacle") {
  const ObstacleLaw a = obstacle_from_beta(Real(1.5), 6, 20);
  const ObstacleLaw b = obstacle_from_alpha(Real(1.5), 6, a.alpha);
  CHECK(b.beta == doctest::Approx(a.beta).epsilon(1e-6));
  CHECK(b.c == doctest::Approx(a.c).epsilon(1e-6));
}

TEST_CASE("an_obstacle_pushes_matter_of_micrometres_as_it_does_matter_of_metres") {
  // With beta in proportion to the reach squared the law keeps its shape. The powers of 1e-7 m in
  // it are below what a float holds.
  const ObstacleLaw large = obstacle_from_beta(1, 4, 2);
  const ObstacleLaw small = obstacle_from_beta(Real(1e-7), 4, Real(2e-14));
  for (const Real share : {Real(0.9), Real(0.5), Real(0.1)}) {
    const ObstacleTerm a = obstacle_term(large, share);
    const ObstacleTerm b = obstacle_term(small, share * Real(1e-7));
    // Four powers of rounded lengths, and energies that are differences.
    CHECK(double(b.force) * 1e14 == doctest::Approx(double(a.force)).epsilon(1e-4));
    CHECK(double(b.energy) * 1e21 == doctest::Approx(double(a.energy)).epsilon(1e-2));
    CHECK(double(b.stiffness) * 1e7 == doctest::Approx(double(a.stiffness)).epsilon(1e-4));
  }
}
