#include "phyxel/methods/lattice/points.h"

#include <doctest/doctest.h>
#include <set>
#include <vector>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

/// Distance to the nearest lattice point by trying all within reach.
template <class T, int Dim>
T nearest_distance(const Vec<T, Dim>& v) {
  constexpr int reach = 6;
  T best = T(1e30);
  LatticePoint<Dim> p;
  for (p[0] = -reach; p[0] <= reach; ++p[0])
    for (p[1] = -reach; p[1] <= reach; ++p[1])
      for (int c = Dim == 3 ? -reach : 0; c <= (Dim == 3 ? reach : 0); ++c) {
        if constexpr (Dim == 3) p[2] = c;
        if (((p[0] + p[1] + c) & 1) == 0) best = std::min(best, length(v - offset(p, spacing<T>)));
      }
  return best;
}

template <class T, int Dim>
void check_nearest() {
  for (int k = 0; k < 2000; ++k) {
    const Vec<T, Dim> v = random_vector<T, Dim>(k, 5) * (T(2) * spacing<T>);
    const LatticePoint<Dim> p = nearest_point(v, spacing<T>);
    // The two distances are rounded differently.
    CHECK(length(v - offset(p, spacing<T>)) <= nearest_distance(v) + 16 * eps<T>);
  }
}

template <int Dim>
void check_shells(const std::vector<double>& distances) {
  std::set<int> seen;
  for (int s = 0; s < slot_count<Dim>(3); ++s) {
    const LatticePoint<Dim> p = lattice_point<Dim>(s);
    CHECK(slot_of(p) == s);
    CHECK(slot_of(-p) == (s ^ 1));
    const double d = length(offset(p, 1.0));
    CHECK(d == doctest::Approx(distances[shell_of<Dim>(s)]).epsilon(1e-12));
    CHECK(nearest_point(offset(p, 1.0), 1.0) == p);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("the_nearest_lattice_point_is_the_nearest_of_all", T, float, double) {
  check_nearest<T, 2>();
  check_nearest<T, 3>();
}

TEST_CASE("slots_are_the_points_of_the_first_shells_and_come_in_opposite_pairs") {
  check_shells<2>({1.0, std::sqrt(3.0), 2.0});
  check_shells<3>({1.0, std::sqrt(2.0), std::sqrt(3.0)});
}

TEST_CASE("the_origin_and_what_is_beyond_the_shells_have_no_slot") {
  CHECK(slot_of(LatticePoint<3>{0, 0, 0}) == -1);
  CHECK(slot_of(LatticePoint<3>{2, 2, 0}) == -1);
  CHECK(slot_of(LatticePoint<3>{4, 0, 0}) == -1);
  CHECK(slot_of(LatticePoint<2>{0, 0}) == -1);
  CHECK(slot_of(LatticePoint<2>{5, 1}) == -1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(slot_of(nearest_point(Vec<float, 3>{nan, 0, 0}, 1.0f)) == -1);
  CHECK(slot_of(nearest_point(Vec<float, 2>{1e30f, -1e30f}, 1.0f)) == -1);
}

TEST_CASE("no_other_lattice_point_is_as_near_as_the_third_shell") {
  int inside = 0;
  for (int a = -6; a <= 6; ++a)
    for (int b = -6; b <= 6; ++b)
      for (int c = -6; c <= 6; ++c)
        if (((a + b + c) & 1) == 0 && a * a + b * b + c * c <= 6) ++inside;
  CHECK(inside == 1 + slot_count<3>(3));
}

TEST_CASE("full_weight_counts_the_particle_and_every_slot") {
  CHECK(full_weight<3>(ShellWeights<double>{{1, 0.5, 0.25}, 3}) == doctest::Approx(22));
  CHECK(full_weight<2>(ShellWeights<double>{{1, 0.5, 0.25}, 2}) == doctest::Approx(10));
}
