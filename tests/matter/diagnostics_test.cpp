#include "phyxel/matter/diagnostics.h"

#include <doctest/doctest.h>

#include "phyxel/core/random.h"

namespace phyxel {
namespace {

/// Two particles whose sums fit on a piece of paper.
Particles pair() {
  Particles p;
  resize(p, 2);
  p.mass = {2, 4};
  p.x = {{1, 0, 0}, {0, 3, 0}};
  p.v = {{0, 5, 0}, {1, 0, 2}};
  p.temperature = {10, 40};
  return p;
}

Particles cloud(Index n) {
  Particles p;
  resize(p, static_cast<std::size_t>(n));
  const Random random{4, 2};
  for (Index i = 0; i < n; ++i) {
    p.x[i] = random.uniform3(i, 0);
    p.v[i] = random.uniform3(i, 1) - Vec3::filled(Real(0.5));
    p.mass[i] = Real(0.1) + random.uniform3(i, 2)[0];
    p.temperature[i] = random.uniform3(i, 3)[1] * 100;
  }
  return p;
}

}  // namespace

TEST_CASE("sums_over_two_particles_are_what_paper_says") {
  const Diagnostics d = measure({}, pair());
  CHECK(d.particles == 2);
  CHECK(d.mass == 6);
  CHECK(d.kinetic_energy == doctest::Approx(0.5 * 2 * 25 + 0.5 * 4 * 5));
  CHECK(d.momentum == Vec3d{4, 10, 8});
  // x cross m v: (1,0,0) x (0,10,0) = (0,0,10) and (0,3,0) x (4,0,8) = (24,0,-12).
  CHECK(d.angular_momentum == Vec3d{24, 0, -2});
  CHECK(d.centre()[0] == doctest::Approx(2.0 / 6));
  CHECK(d.centre()[1] == doctest::Approx(12.0 / 6));
  CHECK(d.max_speed == doctest::Approx(5));
  CHECK(d.min_temperature == 10);
  CHECK(d.max_temperature == 40);
  CHECK(d.potential_energy == 0);
}

TEST_CASE("nothing_has_no_mass_and_its_centre_at_the_origin") {
  const Diagnostics d = measure({}, Particles{});
  CHECK(d.particles == 0);
  CHECK(d.mass == 0);
  CHECK(d.centre() == Vec3d::zero());
}

TEST_CASE("sums_do_not_depend_on_the_number_of_threads") {
  const Particles p = cloud(50000);
  Diagnostics one;
  {
    const ThreadLimit limit(1);
    one = measure({}, p);
  }
  for (int threads : {2, 3}) {
    const ThreadLimit limit(threads);
    const Diagnostics many = measure({}, p);
    CHECK(many.kinetic_energy == one.kinetic_energy);
    CHECK(many.momentum == one.momentum);
    CHECK(many.angular_momentum == one.angular_momentum);
    CHECK(many.mass_moment == one.mass_moment);
    CHECK(many.mass == one.mass);
    CHECK(many.max_speed == one.max_speed);
    CHECK(many.min_temperature == one.min_temperature);
  }
}

TEST_CASE("sums_are_taken_in_double") {
  // A sum of floats would lose the small masses beside the large one.
  Particles p;
  resize(p, 10001);
  p.mass[0] = Real(1 << 24);
  for (std::size_t i = 1; i < p.mass.size(); ++i) p.mass[i] = Real(0.25);
  CHECK(measure({}, p).mass == (1 << 24) + 2500.0);
}

TEST_CASE("combining_parts_is_measuring_the_whole") {
  Particles whole = pair(), first, second;
  resize(first, 1);
  resize(second, 1);
  for (auto [part, k] : {std::pair(&first, 0), std::pair(&second, 1)}) {
    part->mass[0] = whole.mass[k];
    part->x[0] = whole.x[k];
    part->v[0] = whole.v[k];
    part->temperature[0] = whole.temperature[k];
  }
  const Diagnostics a = measure({}, whole), b = combine(measure({}, first), measure({}, second));
  CHECK(b.particles == a.particles);
  CHECK(b.kinetic_energy == a.kinetic_energy);
  CHECK(b.momentum == a.momentum);
  CHECK(b.angular_momentum == a.angular_momentum);
  CHECK(b.max_temperature == a.max_temperature);
  CHECK(b.min_temperature == a.min_temperature);
}

TEST_CASE("extras_of_one_name_add_up_and_others_follow_in_order") {
  Diagnostics a, b;
  a.extra = {{"pair_energy", 1}, {"work", 2}};
  b.extra = {{"work", 5}, {"heat", 7}};
  const auto extra = combine(a, b).extra;
  REQUIRE(extra.size() == 3);
  CHECK(extra[0] == std::pair<std::string, double>{"pair_energy", 1});
  CHECK(extra[1] == std::pair<std::string, double>{"work", 7});
  CHECK(extra[2] == std::pair<std::string, double>{"heat", 7});
}

}  // namespace phyxel
