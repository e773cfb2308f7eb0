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
  Index most = 0;
  for (int step = 0; step < 600; ++step) {
    substep(s, Real(0.002), 4, above_floor);
    if (step % 50 == 49) CHECK(count_crossings(mesh_of(s)) == 0);
    most = std::max(most, s.contacts.count_contacts({}));
  }
  CHECK(most > 100);
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
    Index most = 0;
    for (int step = 0; step < 250; ++step) {
      substep(s, Real(0.002), 4, above_floor);
      most = std::max(most, s.contacts.count_contacts({}));
    }
    CHECK(most > 50);
    results.push_back(s.x);
  }
  for (const HostColumn<Vec3>& other : results) CHECK((other == results[0]));
}

TEST_CASE("a_vertex_above_an_edge_or_a_vertex_of_a_sheet_touches_it_once") {
  // A triangle that stands on its tip, above an edge, a vertex and a face of a flat sheet.
  ContactSheets s;
  add_sheet(s, 6, Real(0.1), 0, [](const Vec3& q) { return Vec3{q[0], 0, q[1]}; });
  const Int3 t = s.mesh.triangles[s.mesh.triangles.size() / 2];
  const Vec3 a = s.x[t[0]], b = s.x[t[1]], c = s.x[t[2]];
  const Index first = static_cast<Index>(s.x.size());
  for (int k = 0; k < 3; ++k) {
    s.x.push_back(Vec3::zero());
    s.rest.push_back(Vec3{Real(k % 2), 5 + Real(k / 2), 0});
    s.v.push_back(Vec3::zero());
    s.body.push_back(1);
  }
  s.mesh.triangles.push_back({first, first + 1, first + 2});
  for (int k = 0; k < 3; ++k) s.edges.push_back({first + k, first + (k + 1) % 3});
  s.settings = {Real(0.02), 0};
  prepare(s);
  for (const Vec3& foot : {a, (a + b) / Real(2), (b + c) / Real(2), (a + b + c) / Real(3)}) {
    s.x[first] = foot + Vec3{0, Real(0.015), 0};
    s.x[first + 1] = s.x[first] + Vec3{Real(0.05), Real(0.3), 0};
    s.x[first + 2] = s.x[first] + Vec3{Real(-0.05), Real(0.3), Real(0.02)};
    for (std::size_t i = 0; i < s.x.size(); ++i) s.p[i] = {{s.x[i][0], s.x[i][1], s.x[i][2], 1000}};
    s.contacts.forget();
    s.contacts.start({}, s.settings, particles_of(s));
    CHECK(s.contacts.count_contacts({}) == 1);
  }
}
