#include "phyxel/methods/lattice/docking.h"

#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

TEST_CASE("docking_rates_rise_while_held_and_fall_while_empty_within_their_limits") {
  const Docking d{100, 20};
  CHECK(docking_rate(d, 50, true, Real(0.5)) == doctest::Approx(60));
  CHECK(docking_rate(d, 50, false, Real(0.5)) == doctest::Approx(40));
  CHECK(docking_rate(d, 95, true, Real(0.5)) == 100);
  CHECK(docking_rate(d, 5, false, Real(0.5)) == 0);
}

TEST_CASE("docking_happens_as_often_as_the_rate_says") {
  constexpr int tries = 40000;
  for (const double product : {0.05, 0.7, 3.0}) {
    int docked = 0;
    for (int k = 0; k < tries; ++k)
      docked += docks(Real(product / 0.01), 1, k % 200, k % 18, k / 200, Real(0.01));
    const double p = 1 - std::exp(-product);
    // Five standard deviations.
    CHECK(std::abs(docked - tries * p) < 5 * std::sqrt(tries * p * (1 - p)));
  }
}

TEST_CASE("docking_over_two_half_steps_is_as_likely_as_over_one") {
  const Real whole_step = poisson_probability(Real(40), Real(0.02)),
             half_step = poisson_probability(Real(40), Real(0.01));
  CHECK(1 - (1 - half_step) * (1 - half_step) == doctest::Approx(whole_step).epsilon(1e-5));
}

TEST_CASE("a_slot_of_rate_zero_never_docks_and_one_of_large_rate_always") {
  int never = 0, always = 0;
  for (int k = 0; k < 20000; ++k) {
    never += docks(0, 1, k, 3, 5, Real(0.01));
    always += docks(Real(1e6), 1, k, 3, 5, Real(0.01));
  }
  CHECK(never == 0);
  CHECK(always == 20000);
}

TEST_CASE("slots_particles_and_steps_draw_different_numbers") {
  int same = 0;
  for (int k = 0; k < 1000; ++k) {
    const bool a = docks(70, 1, k, 0, 0, Real(0.01));
    same += a == docks(70, 1, k, 1, 0, Real(0.01));
  }
  CHECK(same > 400);
  CHECK(same < 600);
  CHECK(docks(70, 1, 5, 2, 9, Real(0.01)) == docks(70, 1, 5, 2, 9, Real(0.01)));
}

TEST_CASE("tension_across_a_bond_is_the_stress_along_it") {
  const HookeanLaw<double> law = hookean_law<3>(1e6, 0.0, 0.1);
  const Vec<double, 3> l = slot_offset<3>(12, 0.1);
  const Fit<double, 3> f = fit(whole(diagonal(Vec<double, 3>{1.02, 1, 1}), 2));
  CHECK(bond_tension(law, f, l) == doctest::Approx(1e6 * 0.02));
  CHECK(bond_strain(f, l) == doctest::Approx(0.02));
  CHECK(std::abs(bond_strain(f, slot_offset<3>(14, 0.1))) < 1e-12);
}
