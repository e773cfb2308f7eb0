#include <cmath>
#include <doctest/doctest.h>

#include "mpm/cases.h"
#include "phyxel/scene/build.h"

// Small versions of what validation/mpm/run does at full size; validation/mpm/README.md has the
// numbers.

using namespace phyxel;
using namespace phyxel::validation;

TEST_CASE("disks_that_collide_part_again_with_most_of_their_energy") {
  // Sulsky et al. 1994. What does not come back as motion is vibration, or was lost by the
  // transfer while particles of both disks shared cells: less so on finer grids.
  const Disks coarse = collide_disks({}), fine = collide_disks({"resolution=2"});
  CHECK(fine.before == doctest::Approx(2.513).epsilon(0.015));  // the disk is made of squares
  CHECK(coarse.after / coarse.before > 0.6);
  CHECK(fine.after / fine.before > 0.8);
  CHECK(fine.after / fine.before < 1);
  for (const Disks& disks : {coarse, fine}) CHECK(disks.momentum < 1e-5);
}

TEST_CASE("a_bar_swings_with_the_period_of_the_wave_equation") {
  const double period = read_curve("axial_bar_vibration.csv", 2, 3).front().y;
  CHECK(period == 10);
  const Bar coarse = swing_bar({"resolution=0.5"}), fine = swing_bar({});
  CHECK(std::abs(fine.period / period - 1) < 0.01);
  CHECK(std::abs(fine.period / period - 1) < 0.7 * std::abs(coarse.period / period - 1));
  CHECK(fine.kept > 0.99);  // amplitude after three periods
  CHECK(fine.kept < 1.001);
  // The blend damps in every step. Volumes that the grid measures count the edge of a narrow bar
  // too large, hence those of the packing.
  const Bar flip = swing_bar({"material.bar.transfer=flip", "material.bar.volumes=packing"});
  CHECK(std::abs(flip.period / period - 1) < 0.012);
  CHECK(flip.kept > 0.95);
}

TEST_CASE("a_column_at_rest_bears_its_own_weight") {
  // Pressures of single particles scatter by tens of percent; the line through all does not.
  for (const Changes& changes :
       {Changes{"resolution=0.5"},
        Changes{"resolution=0.5", "material.matter.transfer=flip",
                "material.matter.volumes=packing"},
        Changes{"resolution=0.5", "material.matter.law=corotated",
                "material.matter.youngs_modulus=1e6", "material.matter.bulk_modulus=1e5",
                "material.matter.viscosity=0"}}) {
    const Settled column = settle_column(changes);
    CHECK(column.base == doctest::Approx(1).epsilon(0.03));
    CHECK(column.slope == doctest::Approx(1).epsilon(0.05));
    CHECK(column.speed < 0.02);  // sqrt(g h) is 3 m/s
  }
}

TEST_CASE("a_column_of_sand_runs_out_as_far_as_sand_does_and_farther_without_friction") {
  const Collapse sand = drop_sand({"duration=0.6", "resolution=0.8"});
  CHECK(sand.run_out > 2.4);  // 1.2 a to 1.8 a at a = 2
  CHECK(sand.run_out < 3.6);
  const Collapse smooth =
      drop_sand({"duration=0.3", "resolution=0.5", "material.sand.friction_angle=0",
                 "collider.floor.friction=0"});
  CHECK(smooth.run_out > 3.6);
}

TEST_CASE("the_front_of_a_breaking_dam_moves_as_martin_and_moyce_saw") {
  const DamBreak dam = break_dam({"resolution=0.5"});
  CHECK(dam.shifted < 0.1);
  CHECK(dam.front.back().y > 4);
}

TEST_CASE("a_block_slides_down_a_slope_or_sticks_by_coulombs_law") {
  const double sine = 0.5, cosine = std::sqrt(0.75), g = 9.81;
  for (const std::string transfer : {"apic", "flip"}) {
    const Changes changes = {"material.rubber.transfer=" + transfer, "resolution=0.5"};
    for (const double friction : {0.0, 0.3})
      CHECK(slide_block(friction, changes).acceleration ==
            doctest::Approx(g * (sine - friction * cosine)).epsilon(0.02));
    const Slide stuck = slide_block(0.7, changes);  // tan 30 degrees = 0.58
    CHECK(std::abs(stuck.path) < 1e-3);
  }
}

TEST_CASE("nothing_leaves_a_box_that_is_shaken") {
  for (const Changes& changes :
       {Changes{"material.matter.law=liquid"}, Changes{"material.matter.law=sand"},
        Changes{"material.matter.law=snow", "material.matter.transfer=flip"}}) {
    const Shaken shaken = shake_box(2, changes);
    CHECK(shaken.lost == 0);
    CHECK(shaken.deepest < 0.05);  // cells; the wall is 2.5 thick
    CHECK(shaken.fastest > 4);     // it was shaken
    CHECK(shaken.fastest < 40);
  }
}
