#include "phyxel/surfaces/surfels/contact.h"

#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/colliders/collider.h"
#include "phyxel/surfaces/surfels/disc.h"
#include "surfaces/surfels/cases.h"

using namespace phyxel;

namespace {

constexpr Real spacing = Real(0.08);

SurfelOptions touching() {
  SurfelOptions o = displacement_only();
  o.contact = true;
  return o;
}

/// A ball of radius 0.5 that flows down by `by`, m.
SurfelPhyxels sunk(const SurfelPhyxels& p, Real by) {
  SurfelMotion m;
  m.shift = {0, -by, 0};
  return flowed(p, m);
}

SurfelCase ball() {
  return surfel_case(shape_sphere(Real(0.5)), Real(0.15), spacing, touching());
}

/// A floor whose top is at y = -0.45, with waves, as surfels with a colour of their own.
Surfels wavy_floor() {
  Surfels s;
  for (int k = 0; k < 80 * 80; ++k) {
    const Real x = Real(0.02) * Real(k % 80) - Real(0.8), z = Real(0.02) * Real(k / 80) - Real(0.8);
    const Real y = Real(-0.45) + Real(0.01) * std::sin(12 * x),
               slope = Real(0.12) * std::cos(12 * x);
    const Vec3 u = normalized(Vec3{1, slope, 0}) * Real(0.02);
    s.x.push_back({x, y, z});
    s.u.push_back(Vec3{0, 0, Real(0.02)}), s.v.push_back(u);
    s.colour.push_back({1, 0, 0});
    s.id.push_back(s.id.size());
  }
  return s;
}

}  // namespace

TEST_CASE("surfels that come onto a mould take its shape and colour, and face it") {
  SurfelCase c = ball();
  const Surfels floor = wavy_floor();
  const TouchedSurface touched = touched_surfels({}, floor, Real(0.02), false);
  const SurfelPhyxels now = sunk(c.phyxels, 0);
  advance_surfels({}, c.surface, c.phyxels, now, touching(), {touched}, c.scratch);
  const Surfels& contact = c.surface.contact;
  REQUIRE(contact.size() > 5);
  for (Index k = 0; k < contact.size(); ++k) {
    const Real floor_y = Real(-0.45) + Real(0.01) * std::sin(12 * contact.x[k][0]);
    // The floor's own samples are 0.02 m apart and bend by 144 * 0.01 1/m: 0.02^2 * 1.44 / 2.
    CHECK(std::abs(contact.x[k][1] - floor_y) < 6e-4);
    CHECK(disc_normal(contact.u[k], contact.v[k])[1] < -0.95);
    CHECK(length(contact.colour[k] - Vec3{1, 0, 0}) < 1e-5);
  }
  // What is drawn has them in place of those of L_D, with the same ids.
  const Surfels all = shown(c.surface);
  Index red = 0;
  for (const Vec3& colour : all.colour) red += colour[0] > Real(0.999) && colour[1] < Real(1e-3);
  CHECK(red == contact.size());
  CHECK(all.id == c.surface.detail.id);
  // Or by set: blue contact, and nothing of the rest has become the implicit surface.
  const Surfels sets = shown_by_set(c.surface);
  CHECK(sets.x == all.x);
  Index blue = 0, grey = 0;
  for (const Vec3& colour : sets.colour) {
    blue += colour[2] > 3 * colour[0];
    grey += colour[0] == colour[1];
  }
  CHECK(blue == contact.size());
  CHECK(grey == sets.size() - blue);
}

TEST_CASE("a surfel that leaves is itself again; one that solidifies keeps what it touched") {
  for (const bool solidifies : {false, true}) {
    SurfelCase c = ball();
    const Surfels floor = wavy_floor();
    const TouchedSurface touched = touched_surfels({}, floor, Real(0.02), false);
    const auto step = [&](SurfelPhyxels now, const std::vector<TouchedSurface>& by) {
      advance_surfels({}, c.surface, c.phyxels, now, touching(), by, c.scratch);
      c.phyxels = now;
    };
    step(sunk(c.phyxels, 0), {touched});
    const Index count = c.surface.contact.size();
    SurfelPhyxels now = sunk(c.phyxels, 0);
    if (solidifies)
      for (std::uint8_t& absorbs : now.absorbs) absorbs = 0;
    step(now, {touched});
    SurfelMotion up;
    up.shift = {0, 1, 0};
    step(solidifies ? moved(c.phyxels, up) : sunk(c.phyxels, -1), {touched});
    CHECK(c.surface.contact.size() == 0);
    Index red = 0, on_print = 0;
    for (Index k = 0; k < c.surface.detail.size(); ++k) {
      const Vec3 x = c.surface.detail.x[k];
      if (c.surface.detail.colour[k][0] < Real(0.999) || c.surface.detail.colour[k][1] > 1e-3)
        continue;
      ++red;
      on_print += std::abs(x[1] - Real(0.55) - Real(0.01) * std::sin(12 * x[0])) < 1e-3;
    }
    CHECK(red == (solidifies ? count : 0));
    CHECK(on_print == red);
  }
}

TEST_CASE("shapes and colliders are touched where they are") {
  SurfelCase c = ball();
  Collider floor;
  floor.shape = shape_plane({0, Real(-0.45), 0}, {0, 1, 0});
  move_to(floor, 0);
  for (const TouchedSurface& touched : {touched_collider(floor), touched_shape(floor.shape)}) {
    SurfelCase copy = c;
    advance_surfels({}, copy.surface, copy.phyxels, sunk(copy.phyxels, 0), touching(), {touched},
                    copy.scratch);
    REQUIRE(copy.surface.contact.size() > 5);
    for (const Vec3& x : copy.surface.contact.x) CHECK(x[1] == doctest::Approx(-0.45));
    // The colour stays their own, where the collider has none.
    CHECK(copy.surface.contact.colour[0] != Vec3::zero());
  }
}

TEST_CASE("a hollow mould is touched from within") {
  SurfelCase c = ball();
  const Surfels mould = surfels_on(shape_sphere(Real(0.51)), Real(0.05));
  const TouchedSurface touched = touched_surfels({}, mould, Real(0.05), true);
  advance_surfels({}, c.surface, c.phyxels, sunk(c.phyxels, 0), touching(), {touched}, c.scratch);
  CHECK(c.surface.contact.size() == c.surface.detail.size());
  for (const Vec3& x : c.surface.contact.x) CHECK(length(x) == doctest::Approx(0.51).epsilon(2e-3));
}

TEST_CASE("zombies solidify on what they touch with the surfels that they stand for") {
  SurfelOptions options = touching();
  options.zombies = options.resamples = true;
  SurfelCase c = surfel_case(shape_sphere(Real(0.5)), Real(0.15), spacing, options);
  const Surfels floor = wavy_floor();
  const TouchedSurface touched = touched_surfels({}, floor, Real(0.02), false);
  for (const bool solid : {false, true}) {
    SurfelPhyxels now = sunk(c.phyxels, 0);
    if (solid)
      for (std::uint8_t& absorbs : now.absorbs) absorbs = 0;
    advance_surfels({}, c.surface, c.phyxels, now, options, {touched}, c.scratch);
    c.phyxels = now;
  }
  Index red = 0;
  const Surfels& z = c.surface.zombies;
  for (Index k = 0; k < z.size(); ++k) {
    if (z.colour[k][0] < Real(0.999) || z.colour[k][1] > Real(1e-3)) continue;
    ++red;
    CHECK(std::abs(z.x[k][1] + Real(0.45) - Real(0.01) * std::sin(12 * z.x[k][0])) < 1e-3);
  }
  CHECK(red == c.surface.contact.size());
}
