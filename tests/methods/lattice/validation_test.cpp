#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <limits>

#include "lattice/momenta.h"
#include "lattice/phases.h"
#include "lattice/solids.h"
#include "lattice/thermal.h"

// The cases of validation/lattice that take no more than a second or two; their limits have their
// reasons there.

using namespace phyxel;
using namespace phyxel::validation::lattice;

TEST_CASE("a_bar_pulled_at_its_end_has_the_modulus_and_the_poissons_ratio_of_the_scene") {
  for (const int dimensions : {2, 3}) {
    const Pulled p = pull_bar(layers("bar", 5, 0.1, dimensions));
    // Stress is the same everywhere, and the law is exact for it.
    CHECK(p.youngs_modulus == doctest::Approx(1).epsilon(0.002));
    CHECK(p.poissons_ratio == doctest::Approx(0.3).epsilon(0.005));
  }
}

TEST_CASE("a_cantilever_bends_as_the_elastica_does") {
  const auto reference = read_table("lattice/cantilever_elastica_tip_load.csv");
  for (const Bent& b : bend_beam({0.5, 2}, slender(5, 12, 2)))
    for (const auto& row : reference)
      if (row[0] == b.load) {
        CHECK(b.drop == doctest::Approx(row[1]).epsilon(0.05));
        CHECK(std::abs(b.shortening - row[2]) < 0.02);
      }
  // Three layers in space are worse than those of the validation.
  CHECK(bend_beam({0.5}, slender(3, 8, 3))[0].drop ==
        doctest::Approx(reference[0][1]).epsilon(0.08));
}

TEST_CASE("a_held_bar_swings_along_itself_at_its_pitch") {
  for (const int dimensions : {2, 3})
    CHECK(swing_bar(3, dimensions).period == doctest::Approx(10).epsilon(0.03));
}

TEST_CASE("a_beam_rings_at_its_pitch") {
  CHECK(ring_beam(true, slender(5, 12, 2)).period == doctest::Approx(1).epsilon(0.03));
}

TEST_CASE("a_slab_of_lattice_between_cold_colliders_cools_as_the_series_says") {
  const Cooled c = cool_slab(0.05);
  CHECK(c.worst < 0.01);
}

TEST_CASE("an_insulated_body_keeps_its_heat_while_it_levels_out") {
  const Levelled l = level_heat(2000);
  CHECK(l.lost < double(std::numeric_limits<Real>::epsilon()) * std::sqrt(double(l.steps)));
  CHECK(l.left < 0.9);
}

TEST_CASE("a_slab_of_lattice_melts_as_stefan_says") {
  for (const auto& row : read_table("heat/stefan_one_phase.csv"))
    if (row[0] == 3)
      CHECK(melt_slab(row[0], row[1], {"material.matter.melting_rate=1e6"}, 0.4).worst < 0.05);
}

TEST_CASE("a_spinning_breaking_body_keeps_both_momenta_for_ten_thousand_steps") {
  for (const int dimensions : {2, 3}) {
    const Tumbled t =
        tumble_block(10000, 0.5,
                     {fmt::format("dimensions={}", dimensions), "material.matter.docking_rate=200",
                      "material.matter.strength=2e3"});
    // Were all velocities of a step rounded the same way, and steps at random.
    const double rounding = std::numeric_limits<Real>::epsilon() * std::sqrt(double(t.steps));
    CHECK(t.momentum < rounding);
    CHECK(t.angular < rounding);
    CHECK(t.bonds < 0.95);
  }
}

TEST_CASE("a_block_turned_sixty_times_keeps_its_bonds_and_feels_no_force") {
  for (const int dimensions : {2, 3}) {
    const Turned t = turn_block(24, dimensions);
    // Places are rounded to eps of the half length, 13 spacings; edges in space, where neighbours
    // are few, keep 1e-4 of how they lay the step before.
    const double lag = dimensions == 3 ? 1e-4 * 2 * M_PI / 24 : 0;
    const double rounding = 13 * double(std::numeric_limits<Real>::epsilon()) + lag;
    CHECK(t.exchanged == 0);
    CHECK(t.strain < rounding);
    CHECK(t.force < 10 * rounding);
  }
}

TEST_CASE("a_block_that_melts_flows_and_freezes_keeps_its_volume_and_does_not_jump") {
  // Coarser, so that fewer may melt: a particle freezes only if two solid particles are in reach.
  const Refrozen r =
      melt_and_freeze({"body.block.spacing=0.04", "material.matter.melting_rate=0.07"});
  CHECK(r.liquid > 0.9);
  CHECK(r.frozen > 0.95);
  CHECK(r.volume == doctest::Approx(1).epsilon(0.05));
  CHECK(r.fastest < 1.5);
  CHECK(r.burst < 0.05);
}

TEST_CASE("a_snapped_bar_pushed_together_stays_two") {
  const Snapped s = snap_bar({});
  CHECK(s.first > 4);
  CHECK(s.pushed < 1.2);
  CHECK(s.second > 5.5);
}

TEST_CASE("halves_of_a_cut_bar_join_where_nothing_breaks") {
  CHECK(cut_bar({}).gap < 1.2);
  CHECK(cut_bar({"material.matter.docking_rate=1e3"}).gap > 2.8);
}
