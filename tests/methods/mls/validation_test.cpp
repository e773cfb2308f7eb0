#include <cmath>
#include <doctest/doctest.h>

#include "mls/cases.h"

// The cases of validation/mls at resolutions that take no more than a second or two; limits have
// their reasons there.

using namespace phyxel;
using namespace phyxel::validation::mls;
using phyxel::validation::lattice::read_table;

TEST_CASE("a_bar_pulled_far_has_the_modulus_and_the_poissons_ratio_of_the_scene") {
  for (const double stretch : {0.95, 1.2}) {
    const Pulled p = pull_bar(3, stretch);
    // Stress is the same everywhere, and the law is exact for it; validation/mls has 0.2 %.
    CHECK(p.stretch == doctest::Approx(stretch).epsilon(0.003));
    CHECK(p.youngs_modulus == doctest::Approx(1e5).epsilon(0.005));
    CHECK(p.poissons_ratio == doctest::Approx(0.3).epsilon(0.005));
  }
}

TEST_CASE("a_held_bar_swings_along_itself_at_its_pitch") {
  const double exact = read_table("mls/axial_bar_vibration.csv")[0][3];
  CHECK(swing_bar(1) == doctest::Approx(exact).epsilon(0.03));
}

TEST_CASE("a_beam_rings_ever_nearer_to_its_pitch_as_it_has_more_layers") {
  const double exact = thick_beam(1 / 12.0, 0.3);
  const double coarse = ring_beam(4, 2) / exact - 1, fine = ring_beam(8, 2) / exact - 1;
  CHECK(fine < 0.09);
  CHECK(std::abs(fine) < 0.6 * std::abs(coarse));
}

TEST_CASE("a_cantilever_bends_as_the_elastica_does") {
  const auto reference = read_table("mls/cantilever_elastica_tip_load.csv");
  for (const Bent& b : bend_beam(8, {0.5}, 2))
    CHECK(b.drop == doctest::Approx(reference[0][1]).epsilon(0.17));
}

// Mueller et al. 2004, section 6, in moduli of textbooks. Energy may grow by the rounding of places
// alone; at rest the weight strains the boxes by 1e-5 and 1e-3 at most.

TEST_CASE("matter_of_4e8_pascal_falls_and_rests_in_implicit_steps_of_a_hundredth_of_a_second") {
  const Fallen fallen = drop_box("stiff_box");
  CHECK(fallen.steps == 200);
  CHECK(fallen.most_energy < 1.001);
  CHECK(fallen.lowest > 0.99);
  CHECK(fallen.lowest < 1.1);
  CHECK(fallen.bent < 1e-4);
}

TEST_CASE("matter_of_4e6_pascal_falls_and_rests_in_explicit_steps_of_a_ten_thousandth") {
  const Fallen fallen = drop_box("firm_box");
  CHECK(fallen.steps == 20000);
  CHECK(fallen.most_energy < 1.001);
  CHECK(fallen.lowest > 0.99);
  CHECK(fallen.lowest < 1.1);
  CHECK(fallen.bent < 2e-3);
}
