#include "phyxel/methods/lattice/contact.h"

#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

TEST_CASE("of_a_force_between_objects_only_the_push_along_the_line_is_left") {
  const Vec<double, 3> r{0.1, 0, 0};
  CHECK(repulsive_part(r, Vec<double, 3>{5, 3, -2}) == Vec<double, 3>{5, 0, 0});
  CHECK(repulsive_part(r, Vec<double, 3>{-5, 3, -2}) == Vec<double, 3>::zero());
  CHECK(repulsive_part(Vec<double, 3>::zero(), Vec<double, 3>{1, 0, 0}) == Vec<double, 3>::zero());
}

TEST_CASE("objects_push_each_other_apart_within_the_spacing_and_not_beyond") {
  for (int k = 0; k < 100; ++k) {
    const Vec<Real, 3> r = random_vector<Real, 3>(k, 4) * Real(0.2);
    const Vec<Real, 3> f = contact_force(Real(1000), Real(0.1), r);
    CHECK((length(r) < Real(0.1)) == (dot(f, r) > 0));
    CHECK(contact_force(Real(1000), Real(0.1), -r) == -f);
    CHECK(length(cross(r, f)) <= 4 * eps<Real> * length(r) * length(f));
  }
  CHECK(contact_force(1000.0, 0.1, Vec<double, 2>{0.06, 0})[0] == doctest::Approx(40));
  CHECK(contact_force(1000.0, 0.1, Vec<double, 2>{0, 0}) == Vec<double, 2>::zero());
}
