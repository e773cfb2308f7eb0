#include "phyxel/colliders/contact.h"

#include <doctest/doctest.h>

#include "phyxel/core/random.h"

using namespace phyxel;

namespace {

// Rounding of sums of a few numbers of about 1.
constexpr Real rounding = 20 * std::numeric_limits<Real>::epsilon();

/// A contact and an arriving velocity, different for every k.
struct Case {
  Contact contact;
  Vec3 v;
  Real friction, restitution;
};
Case random_case(int k) {
  const auto vector = [&](std::uint32_t stream) {
    return Random{3, stream}.uniform3(k) * 2 - Vec3::filled(1);
  };
  return {{0, normalized(vector(1)), vector(2)},
          vector(3),
          2 * Random{3, 4}.uniform(k),
          Random{3, 5}.uniform(k)};
}
Vec3 response(const Case& c) {
  return contact_response(c.v, c.contact, c.friction, c.restitution);
}
Real normal_part(const Case& c, const Vec3& v) {
  return dot(v - c.contact.velocity, c.contact.normal);
}
Vec3 tangential_part(const Case& c, const Vec3& v) {
  return v - c.contact.velocity - c.contact.normal * normal_part(c, v);
}

}  // namespace

TEST_CASE("a_contact_never_adds_energy_in_the_frame_of_the_collider") {
  for (int k = 0; k < 1000; ++k) {
    const Case c = random_case(k);
    CHECK(length(response(c) - c.contact.velocity) <= length(c.v - c.contact.velocity) + rounding);
  }
}

TEST_CASE("the_normal_speed_comes_back_scaled_by_the_restitution") {
  for (int k = 0; k < 1000; ++k) {
    const Case c = random_case(k);
    const Real before = normal_part(c, c.v), after = normal_part(c, response(c));
    if (before < 0)
      CHECK(std::abs(after + c.restitution * before) < rounding);
    else
      CHECK(response(c) == c.v);
  }
}

TEST_CASE("friction_stays_in_its_cone_and_against_the_sliding") {
  for (int k = 0; k < 1000; ++k) {
    const Case c = random_case(k);
    const Vec3 out = response(c);
    const Vec3 before = tangential_part(c, c.v), after = tangential_part(c, out);
    const Real push = normal_part(c, out) - normal_part(c, c.v);
    CHECK(length(after - before) <= c.friction * push + rounding);
    CHECK(length(cross(before, after)) < rounding);
    CHECK(dot(before, after) >= -rounding);
    // Either it slides at the edge of the cone or it sticks.
    const bool slides = std::abs(length(after - before) - c.friction * push) < rounding;
    CHECK((slides || length(after) < rounding));
  }
}

TEST_CASE("without_friction_the_sliding_is_kept_and_with_much_it_stops") {
  const Contact floor{0, {0, 1, 0}, {0, 0, 0}};
  CHECK(contact_response({1, -1, 2}, floor, 0, 0) == Vec3{1, 0, 2});
  CHECK(contact_response({1, -1, 2}, floor, 100, 0) == Vec3{0, 0, 0});
  CHECK(contact_response({0, -1, 0}, floor, std::numeric_limits<Real>::infinity(), 1) ==
        Vec3{0, 1, 0});
  CHECK(contact_response({2, -1, 0}, floor, Real(0.5), 0) == Vec3{Real(1.5), 0, 0});
}

TEST_CASE("a_moving_wall_carries_what_it_pushes") {
  const Contact wall{0, {1, 0, 0}, {3, 0, 0}};
  CHECK(contact_response({0, 0, 0}, wall, 0, 0) == Vec3{3, 0, 0});
  CHECK(contact_response({0, 0, 0}, wall, 0, 1) == Vec3{6, 0, 0});
  CHECK(contact_response({4, 0, 0}, wall, 0, 0) == Vec3{4, 0, 0});
}

TEST_CASE("a_sticky_surface_takes_everything_with_it") {
  for (int k = 0; k < 100; ++k) {
    const Case c = random_case(k);
    CHECK(velocity_on(c.v, c.contact, ContactKind::sticky, c.friction) == c.contact.velocity);
  }
}

TEST_CASE("on_a_surface_that_lets_slip_nothing_moves_along_the_normal_relative_to_it") {
  for (int k = 0; k < 1000; ++k) {
    const Case c = random_case(k);
    const Vec3 out = velocity_on(c.v, c.contact, ContactKind::slip, c.friction);
    CHECK(std::abs(normal_part(c, out)) < rounding);
  }
}

TEST_CASE("a_surface_that_lets_separate_only_stops_what_approaches") {
  for (int k = 0; k < 1000; ++k) {
    const Case c = random_case(k);
    const Vec3 out = velocity_on(c.v, c.contact, ContactKind::separate, c.friction);
    if (normal_part(c, c.v) >= 0)
      CHECK(out == c.v);
    else
      CHECK(out == velocity_on(c.v, c.contact, ContactKind::slip, c.friction));
  }
}

TEST_CASE("friction_of_a_slip_comes_from_the_approach_that_was_stopped_only") {
  for (int k = 0; k < 1000; ++k) {
    const Case c = random_case(k);
    const Vec3 out = velocity_on(c.v, c.contact, ContactKind::slip, c.friction);
    const Vec3 before = tangential_part(c, c.v), after = tangential_part(c, out);
    const Real limit = c.friction * std::max(Real(0), -normal_part(c, c.v));
    CHECK(length(after) ==
          doctest::Approx(std::max(Real(0), length(before) - limit)).epsilon(1e-4));
    CHECK(dot(before, after) >= -rounding);
  }
  const Contact floor{0, {0, 1, 0}, {1, 0, 0}};
  CHECK(velocity_on({4, -2, 0}, floor, ContactKind::slip, Real(0.5)) == Vec3{3, 0, 0});
  CHECK(velocity_on({4, 2, 0}, floor, ContactKind::slip, Real(0.5)) == Vec3{4, 0, 0});
  CHECK(velocity_on({4, 2, 0}, floor, ContactKind::separate, Real(0.5)) == Vec3{4, 2, 0});
  CHECK(velocity_on({4, -2, 0}, floor, ContactKind::sticky, 0) == Vec3{1, 0, 0});
}
