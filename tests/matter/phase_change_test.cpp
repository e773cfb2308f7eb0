#include "phyxel/matter/phase_change.h"

#include <doctest/doctest.h>
#include <initializer_list>

using namespace phyxel;

namespace {

constexpr Freezing goo{2, 10, 3, Real(0.5), 20};
constexpr FreezingSite calm{0, 5, Real(0.1), 1};

}  // namespace

TEST_CASE("melting_speeds_up_with_the_temperature_above_the_melting_point") {
  const Melting m{Real(0.5), 30};
  CHECK(melting_rate(m, 34) == doctest::Approx(2));
  CHECK(melting_rate(m, 30) == 0);
  CHECK(melting_rate(m, 10) == 0);
}

TEST_CASE("freezing_follows_cold_neighbours_speed_and_force") {
  CHECK(freezing_rate(goo, calm) == doctest::Approx(2 * 10 * 2));
  FreezingSite site = calm;
  site.relative_speed = 2;
  CHECK(freezing_rate(goo, site) == doctest::Approx(40 * 0.25));
  site.lattice_force = 200;
  CHECK(freezing_rate(goo, site) == doctest::Approx(40 * 0.25 * 0.1));
  site = calm;
  site.relative_speed = 0;
  site.lattice_force = 0;
  CHECK(freezing_rate(goo, site) == doctest::Approx(40));
}

TEST_CASE("what_is_warm_or_has_too_few_neighbours_does_not_freeze_nor_does_what_is_both") {
  FreezingSite site = calm;
  site.temperature = 20;
  CHECK(freezing_rate(goo, site) == 0);
  site.solid_neighbours = 1;
  CHECK(freezing_rate(goo, site) == 0);
  site.temperature = 0;
  CHECK(freezing_rate(goo, site) == 0);
}

TEST_CASE("particles_freeze_alone_where_the_least_number_of_neighbours_is_negative") {
  Freezing alone = goo;
  alone.least_neighbours = -1;
  FreezingSite site = calm;
  site.solid_neighbours = 0;
  CHECK(freezing_rate(alone, site) == doctest::Approx(20));
}

TEST_CASE("half_of_the_particles_are_left_after_the_half_life_whatever_the_step") {
  const Melting m{1, 0};
  constexpr int n = 20000;
  for (const int steps : {1, 10}) {
    // Rate 2 / s for ln 2 / 2 seconds.
    const Real dt = Real(std::log(2.0) / 2 / steps);
    int left = 0;
    for (ParticleId id = 0; id < n; ++id) {
      bool solid = true;
      for (int k = 0; k < steps && solid; ++k) solid = !melts(m, 2, 1, id, k, dt);
      left += solid;
    }
    // Five standard deviations.
    CHECK(std::abs(left - n / 2) < 5 * std::sqrt(n / 4.0));
  }
}

TEST_CASE("melting_and_freezing_draw_different_numbers_and_always_the_same_ones") {
  const Melting m{1, 0};
  const Freezing f{1, 10, -1, 1, 1};
  const FreezingSite site{9, 0, 0, 0};
  int same = 0;
  for (ParticleId id = 0; id < 1000; ++id) {
    const bool melted = melts(m, 1, 1, id, 3, Real(0.7));
    CHECK(melted == melts(m, 1, 1, id, 3, Real(0.7)));
    same += melted == freezes(f, site, 1, id, 3, Real(0.7));
  }
  CHECK(same > 400);
  CHECK(same < 600);
}

TEST_CASE("rare_events_happen_rarely") {
  // 24 bits alone would let one of 2^24 numbers pass for any probability.
  int happened = 0;
  for (int k = 0; k < 2000000; ++k) happened += chance({1, 2}, k, 0, Real(1e-9));
  CHECK(happened == 0);
  CHECK(chance({1, 2}, 0, 0, 1));
}
