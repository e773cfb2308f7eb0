#include <doctest/doctest.h>

#include "reactions/reaction_scenes.h"

using namespace phyxel;

TEST_CASE("a_jet_presses_on_a_plate_with_rho_q_v") {
  const Jet jet = jet_on_plate(0.01);
  // Layers enter one by one: some hundred in the time that is looked at.
  CHECK(jet.inflow == doctest::Approx(1).epsilon(0.02));
  // A jet of ten particles spreads at its sides.
  CHECK(jet.plate == doctest::Approx(1).epsilon(0.05));
}
