#include "phyxel/methods/lattice/fit.h"

#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

template <class T, int Dim>
void check_affine() {
  for (int k = 0; k < 200; ++k) {
    const Mat<T, Dim> e = random_matrix<T, Dim>(k, 1) * T(0.2);
    const Mat<T, Dim> s = Mat<T, Dim>::identity() + (e + transpose(e)) * T(0.5);
    const Mat<T, Dim> r = random_rotation<T, Dim>(k), a = r * s;
    Neighbourhood<T, Dim> n = whole(a, 1 + k % 3);
    if (k % 2 == 1) n.resize(n.size() - 2);
    const Fit<T, Dim> f = fit(n);
    REQUIRE(f.full);
    // Sums of up to 42 products, an inverse of condition 10 at most, and the roundings of polar.
    CHECK(distance(f.a, a) <= 100 * eps<T>);
    CHECK(distance(f.rotation, r) <= 300 * eps<T>);
    CHECK(distance(strain(f), s - Mat<T, Dim>::identity()) <= 300 * eps<T>);
  }
}

template <class T, int Dim>
void check_inverted() {
  Mat<T, Dim> mirror = Mat<T, Dim>::identity();
  mirror[0][0] = T(-0.5);
  const Fit<T, Dim> f = fit(whole(mirror, 1));
  CHECK(distance(f.a, mirror) <= 100 * eps<T>);
  CHECK(determinant(f.rotation) == doctest::Approx(1).epsilon(1e-5));
  CHECK(distance(f.rotation, Mat<T, Dim>::identity()) <= 100 * eps<T>);
  CHECK(f.stretch[0][0] == doctest::Approx(-0.5).epsilon(1e-5));
  CHECK(distance(to_lattice(f), transpose(f.rotation)) == 0);
}

/// Neighbours 0, 1 are on a line; 0 to 3 in a plane: slots of the plane x = 0.
Neighbourhood<double, 3> first_of(int count, const Mat<double, 3>& a) {
  Neighbourhood<double, 3> n = whole(a, 1);
  n.resize(count);
  return n;
}

}  // namespace

TEST_CASE_TEMPLATE("an_affine_deformation_gives_exact_transformation_and_strain", T, float,
                   double) {
  check_affine<T, 2>();
  check_affine<T, 3>();
}

TEST_CASE_TEMPLATE("an_inverted_neighbourhood_still_has_a_proper_rotation", T, float, double) {
  check_inverted<T, 2>();
  check_inverted<T, 3>();
}

TEST_CASE("coplanar_neighbours_give_their_rotation_and_no_stretch_across") {
  const Mat<double, 3> turn = rotation(Vec<double, 3>{0.6, 0, 0.8}, 0.02);
  const Fit<double, 3> f = fit(first_of(4, turn));
  CHECK(!f.full);
  // A share of 1e-4 stays with the rotation before, 0.02 rad off.
  CHECK(distance(f.rotation, turn) < 1e-5);
  CHECK(norm_squared(strain(f)) < 1e-10);
}

TEST_CASE("the_stretch_of_a_plane_is_seen_within_it") {
  const Mat<double, 3> wide = diagonal(Vec<double, 3>{3, 1.1, 1.1});
  const Mat<double, 3> e = strain(fit(first_of(4, wide)));
  // The bounding share of 5 % of the mean of a plane's moments, which are 3/2 of it.
  CHECK(e[1][1] == doctest::Approx(0.1).epsilon(0.04));
  CHECK(e[2][2] == doctest::Approx(0.1).epsilon(0.04));
  CHECK(std::abs(e[0][0]) < 1e-9);
}

TEST_CASE("a_filament_turns_with_its_line_and_keeps_its_roll") {
  Mat<double, 3> before = Mat<double, 3>::identity();
  for (int step = 1; step <= 100; ++step) {
    const Mat<double, 3> turn = rotation(Vec<double, 3>{1, 0, 0}, 0.01 * step);
    const Fit<double, 3> f = fit(first_of(2, turn), before);
    CHECK(!f.full);
    const Vec<double, 3> l = slot_offset<3>(0, 0.1);
    CHECK(length(f.rotation * l - turn * l) < 1e-6);
    CHECK(distance(f.rotation, turn) < 1e-3);
    before = f.a;
  }
}

TEST_CASE("a_lonely_particle_keeps_its_rotation") {
  const Mat<double, 3> before = random_rotation<double, 3>(3) * 1.5;
  const Fit<double, 3> f = fit({}, before);
  CHECK(!f.full);
  CHECK(distance(f.rotation, before * (1 / 1.5)) < 1e-12);
  CHECK(norm_squared(strain(f)) == 0);
}

TEST_CASE("three_neighbours_are_too_few_and_the_corner_of_a_cube_with_two_shells_is_not") {
  Neighbourhood<double, 3> corner;
  for (const auto& n : whole(Mat<double, 3>::identity(), 2))
    if (n.l[0] >= 0 && n.l[1] >= 0 && n.l[2] >= 0) corner.push_back(n);
  CHECK(corner.size() == 6);
  CHECK(fit(corner).full);
  corner.resize(3);
  CHECK(!fit(corner).full);
}
