#include <doctest/doctest.h>

#include "plane/flat_bar.h"

using namespace phyxel;

TEST_CASE("a_flat_bar_vibrates_along_itself_as_a_slice_or_as_a_sheet") {
  for (FlatBar bar : {FlatBar{"lattice", "strain", ""}, FlatBar{"lattice", "stress", ""},
                      FlatBar{"mls", "strain", ""}, FlatBar{"mls", "stress", ""},
                      FlatBar{"mpm", "strain", "law = \"corotated\"\n"},
                      FlatBar{"mpm", "stress", "law = \"corotated\"\n"},
                      FlatBar{"mpm", "strain", "law = \"neo_hookean\"\n"},
                      FlatBar{"mpm", "stress", "law = \"neo_hookean\"\n"}}) {
    CAPTURE(bar.method);
    CAPTURE(bar.plane);
    CAPTURE(bar.keys);
    bar.rows = 8;
    // 1/(1 - nu^2) = 1.19: the two planes differ by 9 % in the period.
    bar.poissons_ratio = 0.4;
    const double theory = axial_period(bar);
    const double measured = measure_period(bar, axial_mode, 0, theory);
    INFO(bar.method, " ", bar.plane, " ", bar.keys, measured / theory);
    CHECK(measured / theory == doctest::Approx(1).epsilon(0.02));
  }
}

TEST_CASE("a_flat_beam_vibrates_sideways_as_a_slice_or_as_a_sheet") {
  for (FlatBar bar : {FlatBar{"lattice", "strain", ""}, FlatBar{"lattice", "stress", ""},
                      FlatBar{"mls", "strain", ""}, FlatBar{"mls", "stress", ""},
                      FlatBar{"mpm", "strain", "law = \"corotated\"\n"},
                      FlatBar{"mpm", "stress", "law = \"corotated\"\n"}}) {
    CAPTURE(bar.method);
    CAPTURE(bar.plane);
    const bool mls = bar.method == "mls";
    bar.rows = bar.method == "mpm" ? 16 : mls ? 12 : 9;
    bar.slenderness = 20;
    bar.poissons_ratio = 0.4;
    const double theory = bending_period(bar);
    const double measured = measure_period(bar, bending_mode, 1, theory);
    INFO(bar.method, " ", bar.plane, " ", bar.keys, measured / theory);
    // The strain of a phyxel of mls at a surface is that of a place deeper inside: validation/mls.
    CHECK(measured / theory == doctest::Approx(1).epsilon(mls ? 0.05 : 0.02));
  }
}
