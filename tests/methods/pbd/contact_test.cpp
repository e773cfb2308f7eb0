#include <doctest/doctest.h>

#include "methods/pbd/contact_sheet.h"
#include "methods/pbd/crossings.h"

using namespace phyxel;
using namespace phyxel::pbd;

namespace {

Vec3 above_floor(Index, const Vec3& p) {
  return {p[0], std::max(p[1], Real(0)), p[2]};
}

/// A sheet that stands on its edge, and folds onto itself as it falls.
ContactSheets standing_sheet(bool continuous) {
  ContactSheets s;
  constexpr Real spacing = Real(0.02);
  add_sheet(s, 20, spacing, Real(0.002), [](const Vec3& q) {
    return Vec3{q[0] + Real(0.3) * q[1] * q[1], q[1] + Real(0.22), q[2]};
  });
  s.settings = {Real(0.004), Real(0.3)};
  s.contacts.continuous = continuous;
  prepare(s);
  return s;
}

}  // namespace

TEST_CASE("contacts_keep_the_momentum_of_what_they_push_apart") {
  ContactSheets s;
  for (const Real side : {Real(1), Real(-1)})
    add_sheet(s, 10, Real(0.02), Real(0.0005), [&](const Vec3& q) {
      return Vec3{q[0] * (1 + Real(0.1) * side), q[1], q[2] + Real(0.003) * side};
    });
  s.settings = {Real(0.004), Real(0.5)};
  prepare(s);
  const Index n = static_cast<Index>(s.x.size());
  for (Index i = 0; i < n; ++i) {
    const Vec3 end =
        s.x[i] + Vec3{Real(0.002) * Real(i % 3), 0, s.body[i] == 0 ? Real(-0.01) : Real(0.01)};
    s.p[i] = {{end[0], end[1], end[2], Real(1 + i % 5)}};
  }
  const ContactParticles particles{n, s.x.data(), s.p.data(), s.rest.data(), s.body.data()};
  s.contacts.start({}, s.settings, particles);
  REQUIRE(s.contacts.count_contacts({}) > 300);
  const auto momentum = [&] {
    Vec3d sum = Vec3d::zero();
    for (Index i = 0; i < n; ++i)
      sum += cast<double>(particles.end(i) - s.x[i]) * (1 / double(s.p[i].c[3]));
    return sum;
  };
  const auto nearest_sheets = [&] {
    double least = 1e30;
    for (Index i = 0; i < n / 2; ++i)
      if (std::abs(s.x[i][0]) < Real(0.07) && std::abs(s.x[i][1]) < Real(0.07))  // one is wider
        least = std::min(least, double(particles.end(i)[2] - particles.end(n / 2 + i)[2]));
    return least;
  };
  const Vec3d before = momentum();
  const double near_before = nearest_sheets();
  for (int sweep = 0; sweep < 30; ++sweep) s.contacts.project({}, particles);
  // 242 particles that move 1 cm at coordinates of 0.1 m, which float rounds to 7e-9 m each time.
  CHECK(length(momentum() - before) < (sizeof(Real) == 4 ? 2e-6 : 1e-14));
  CHECK(near_before < -0.01);  // they had passed through each other
  CHECK(nearest_sheets() > 0.0);
}

TEST_CASE("a_sheet_that_folds_onto_itself_never_passes_through_itself") {
  ContactSheets s = standing_sheet(true);
  REQUIRE(count_crossings(mesh_of(s)) == 0);
  for (int step = 0; step < 600; ++step) {
    substep(s, Real(0.002), 4, above_floor);
    if (step % 50 == 49) CHECK(count_crossings(mesh_of(s)) == 0);
  }
  CHECK(s.contacts.count_contacts({}) > 100);
  for (const Vec3& x : s.x) CHECK(is_finite(x));
}

TEST_CASE("without_continuous_tests_the_same_sheet_passes_through_itself") {
  ContactSheets s = standing_sheet(false);
  int most = 0;
  for (int step = 0; step < 600; ++step) {
    substep(s, Real(0.002), 4, above_floor);
    if (step % 50 == 49) most = std::max(most, count_crossings(mesh_of(s)));
  }
  CHECK(most > 20);
}

TEST_CASE("a_folding_sheet_has_the_same_bits_on_any_number_of_threads") {
  std::vector<HostColumn<Vec3>> results;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    ContactSheets s = standing_sheet(true);
    for (int step = 0; step < 250; ++step) substep(s, Real(0.002), 4, above_floor);
    CHECK(s.contacts.count_contacts({}) > 50);
    results.push_back(s.x);
  }
  for (const HostColumn<Vec3>& other : results) CHECK((other == results[0]));
}
