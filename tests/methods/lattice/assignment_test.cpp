#include "phyxel/methods/lattice/assignment.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

template <class T>
Mat<T, 2> turn(T angle, Mat<T, 2>) {
  return {{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}};
}
template <class T>
Mat<T, 3> turn(T angle, Mat<T, 3>) {
  return rotation(normalized(Vec<T, 3>{1, 2, 3}), angle);
}

/// Every neighbour keeps its slot while the body turns; A comes from the step before.
template <class T, int Dim>
void check_revolutions() {
  constexpr int steps_per_revolution = 60, revolutions = 60;
  Mat<T, Dim> inverse_a = Mat<T, Dim>::identity(), before = inverse_a;
  int lost = 0;
  for (int step = 0; step < steps_per_revolution * revolutions; ++step) {
    const T angle = T(2 * M_PI * (step % steps_per_revolution) / steps_per_revolution);
    Neighbourhood<T, Dim> n = whole(turn(angle, Mat<T, Dim>{}), 2);
    for (auto& e : n) lost += nearest_slot(inverse_a, e.r, spacing<T>, 2).slot != e.slot;
    const Fit<T, Dim> f = fit(n, before);
    inverse_a = to_lattice(f);
    before = f.a;
  }
  CHECK(lost == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("a_turning_lattice_stays_assigned_for_60_revolutions", T, float, double) {
  check_revolutions<T, 2>();
  check_revolutions<T, 3>();
}

TEST_CASE("a_neighbour_is_assigned_to_the_slot_it_is_nearest_to_after_stretching") {
  // 1.6 times the spacing is nearer to the second point of the row, unless the lattice is known to
  // be stretched.
  const Vec<double, 3> along = slot_offset<3>(0, 0.1);
  const Mat<double, 3> unit = Mat<double, 3>::identity();
  CHECK(nearest_slot(unit, along * 1.6, 0.1, 2).slot == -1);
  const NearestSlot<double> c = nearest_slot(unit * (1 / 1.6), along * 1.6, 0.1, 2);
  CHECK(c.slot == 0);
  CHECK(c.distance_squared == doctest::Approx(0).epsilon(1e-12));
}

TEST_CASE("slots_beyond_the_shells_in_use_are_not_assigned") {
  const Mat<double, 3> unit = Mat<double, 3>::identity();
  CHECK(nearest_slot(unit, slot_offset<3>(13, 0.1), 0.1, 1).slot == -1);
  CHECK(nearest_slot(unit, slot_offset<3>(13, 0.1), 0.1, 2).slot == 13);
}

TEST_CASE("the_nearest_neighbour_is_assigned_in_any_order_and_ids_settle_ties") {
  struct Neighbour {
    NearestSlot<float> nearest;
    Index entry;
    SlotId id;
  };
  std::vector<Neighbour> all = {{{3, 0.5f}, 0, 7}, {{3, 0.2f}, 1, 9},  {{3, 0.2f}, 2, 4},
                                {{5, 0.9f}, 3, 1}, {{-1, 0.0f}, 4, 2}, {{3, 0.3f}, 5, 1}};
  for (int order = 0; order < 6; ++order) {
    std::rotate(all.begin(), all.begin() + 1, all.end());
    Assignment<float, 12> assignment;
    clear(assignment);
    for (const Neighbour& c : all) assign_nearest(assignment, c.nearest, c.entry, c.id);
    for (int s = 0; s < 12; ++s) CHECK(assignment.entry[s] == (s == 3 ? 2 : s == 5 ? 3 : -1));
  }
}
