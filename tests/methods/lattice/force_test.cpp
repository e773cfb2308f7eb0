#include "phyxel/methods/lattice/force.h"

#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

template <class T, int Dim>
HookeanLaw<T> rubber() {
  return hookean_law<Dim>(T(1e6), T(0.3), spacing<T>);
}

/// Sum and moment (about x_i) of the forces of a neighbourhood, and their size.
template <class T, int Dim>
struct Total {
  Vec<T, Dim> force = Vec<T, Dim>::zero();
  Spin<T, Dim> moment = Spin<T, Dim>::zero();
  T size = T(0);
};
template <class Law, class T, int Dim>
Total<T, Dim> total(const Law& law, const Neighbourhood<T, Dim>& n) {
  const Moments<T, Dim> m = moments(n);
  const auto f = neighbourhood_force(law, m, fit_lattice(m, Mat<T, Dim>::identity()));
  Total<T, Dim> sum;
  sum.force = force_on_centre(f, m);
  for (const auto& e : n) {
    const Vec<T, Dim> on_assigned = force_on_assigned(f, e.w, e.r, e.l);
    sum.force += on_assigned;
    sum.moment += wedge(e.r, on_assigned);
    sum.size += length(on_assigned);
  }
  return sum;
}

template <class Law, class T, int Dim>
void check_momenta(const Law& law, T scale) {
  for (int seed = 1; seed < 300; ++seed) {
    const Neighbourhood<T, Dim> n = random_neighbourhood<T, Dim>(seed);
    if (n.empty()) continue;
    const Total<T, Dim> t = total(law, n);
    CHECK(t.size > 0);
    // Roundings of at most 19 forces, each the difference of terms of `scale`.
    CHECK(length(t.force) <= 60 * eps<T> * scale);
    CHECK(length(t.moment) <= 60 * eps<T> * scale * spacing<T>);
  }
}

template <class Law, class T, int Dim>
void check_rigid(const Law& law, T scale) {
  for (int seed = 1; seed < 50; ++seed) {
    Neighbourhood<T, Dim> n = whole(random_rotation<T, Dim>(seed), 2);
    n.resize(n.size() - seed % 6);
    // Each force is the difference of terms of `scale`, up to 18 of them.
    CHECK(total(law, n).size <= 300 * eps<T> * scale);
  }
}

template <int Dim>
double energy(const HookeanLaw<double>& law, const Neighbourhood<double, Dim>& n) {
  const auto m = moments(n);
  const auto f = fit_lattice(m, Mat<double, Dim>::identity());
  const auto force = neighbourhood_force(law, m, f);
  double sum = strain_energy(law, f);
  for (const auto& e : n) sum += residual_energy(law, force, f, e.w, e.r, e.l);
  return sum;
}

/// Mean stress of one neighbourhood in equal matter, sum of force times arm over the volume, Pa.
template <int Dim, class Law>
Mat<double, Dim> virial_stress(const Law& law, const Mat<double, Dim>& a, int shells, int missing) {
  Neighbourhood<double, Dim> n = whole(a, shells);
  n.resize(n.size() - missing);
  const auto m = moments(n);
  const auto f = neighbourhood_force(law, m, fit_lattice(m, Mat<double, Dim>::identity()));
  Mat<double, Dim> sum = Mat<double, Dim>::zero();
  for (const auto& e : n) sum += outer(force_on_assigned(f, e.w, e.r, e.l), e.l);
  return sum * (-1 / rest_cell<Dim>(spacing<double>));
}

template <int Dim>
void check_youngs_modulus() {
  const HookeanLaw<double> law = rubber<double, Dim>();
  for (int shells = 1; shells <= 3; ++shells) {
    Mat<double, Dim> pulled = Mat<double, Dim>::identity() * (1 - 0.3 * 0.01);
    pulled[0][0] = 1.01;
    const Mat<double, Dim> s = virial_stress<Dim>(law, pulled, shells, shells - 1);
    CHECK(s[0][0] == doctest::Approx(1e6 * 0.01).epsilon(1e-9));
    for (int k = 1; k < Dim; ++k) CHECK(std::abs(s[k][k]) < 1e-6);
  }
}

template <int Dim>
void check_springs() {
  for (int shells = 1; shells <= 3; ++shells) {
    const ShellWeights<double> weights{{1, 0.4, 0.2}, shells};
    const auto law = stiffness_law<Dim>(1e6, weights, spacing<double>);
    Mat<double, Dim> pulled = Mat<double, Dim>::identity();
    pulled[0][0] = 1.01;
    const Mat<double, Dim> s = virial_stress<Dim>(law, pulled, shells, 0);
    CHECK(s[0][0] == doctest::Approx(1e6 * 0.01).epsilon(1e-9));
    for (int k = 1; k < Dim; ++k) CHECK(std::abs(s[k][k]) < 1e-6);
  }
}

template <int Dim>
void check_slope() {
  const HookeanLaw<double> law = rubber<double, Dim>();
  for (int seed = 1; seed < 30; ++seed) {
    Neighbourhood<double, Dim> n = random_neighbourhood<double, Dim>(seed);
    const auto m = moments(n);
    const auto f = fit_lattice(m, Mat<double, Dim>::identity());
    if (!f.full) continue;
    const auto force = neighbourhood_force(law, m, f);
    for (auto& e : n) {
      const Vec<double, Dim> on_assigned = force_on_assigned(force, e.w, e.r, e.l);
      for (int k = 0; k < Dim; ++k) {
        const double step = 1e-6 * spacing<double>, x = e.r[k];
        e.r[k] = x + step;
        const double above = energy<Dim>(law, n);
        e.r[k] = x - step;
        const double below = energy<Dim>(law, n);
        e.r[k] = x;
        // Central differences lose half the digits; forces are of the order of 1e4 N.
        CHECK(on_assigned[k] ==
              doctest::Approx((below - above) / (2 * step)).epsilon(1e-5).scale(10));
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("springs_to_the_lattice_conserve_both_momenta", T, float, double) {
  check_momenta<StiffnessLaw<T>, T, 2>({T(1000)}, T(18 * 1000 * 0.1));
  check_momenta<StiffnessLaw<T>, T, 3>({T(1000)}, T(18 * 1000 * 0.1));
}

TEST_CASE_TEMPLATE("hookean_forces_conserve_both_momenta", T, float, double) {
  // Stress of strain 1 on the face of a cell, divided by a flat neighbourhood's least moment.
  check_momenta<HookeanLaw<T>, T, 2>(rubber<T, 2>(), T(20 * 1e6 * 0.1));
  check_momenta<HookeanLaw<T>, T, 3>(rubber<T, 3>(), T(20 * 1e6 * 0.01));
}

TEST_CASE_TEMPLATE("a_rigid_motion_gives_no_force", T, float, double) {
  check_rigid<StiffnessLaw<T>, T, 2>({T(1000)}, T(18 * 1000 * 0.1));
  check_rigid<StiffnessLaw<T>, T, 3>({T(1000)}, T(18 * 1000 * 0.1));
  check_rigid<HookeanLaw<T>, T, 2>(rubber<T, 2>(), T(20 * 1e6 * 0.1));
  check_rigid<HookeanLaw<T>, T, 3>(rubber<T, 3>(), T(20 * 1e6 * 0.01));
}

TEST_CASE("stretching_meets_exactly_youngs_modulus_and_poissons_ratio") {
  check_youngs_modulus<2>();
  check_youngs_modulus<3>();
}

TEST_CASE("springs_for_youngs_modulus_meet_it_without_contraction") {
  check_springs<2>();
  check_springs<3>();
}

TEST_CASE("hookean_forces_are_the_slope_of_their_energy") {
  check_slope<2>();
  check_slope<3>();
}

TEST_CASE("a_particle_off_the_middle_of_its_neighbours_is_pulled_back_though_the_strain_is_nil") {
  Neighbourhood<double, 3> n = whole(Mat<double, 3>::identity(), 1);
  for (auto& e : n) e.r[0] -= 0.01;
  const auto m = moments(n);
  const auto f = fit_lattice(m, Mat<double, 3>::identity());
  CHECK(norm_squared(strain(f)) < 1e-20);
  CHECK(force_on_centre(neighbourhood_force(rubber<double, 3>(), m, f), m)[0] < -1);
}

TEST_CASE("a_bond_that_has_its_rest_where_it_begins_changes_neither_strain_nor_energy") {
  const HookeanLaw<double> law = hookean_law<3>(1e6, 0.3, spacing<double>);
  for (int seed = 1; seed < 50; ++seed) {
    Moments<double, 3> m = moments(random_neighbourhood<double, 3>(seed));
    const Fit<double, 3> before = fit_lattice(m, Mat3d::identity());
    if (!before.full || determinant(before.a) < 0.1) continue;
    const Vec3d r = random_vector<double, 3>(seed, 9) * spacing<double>, l = to_lattice(before) * r;
    add(m, 1.0, r, l);
    const Fit<double, 3> after = fit_lattice(m, before.a);
    const auto force = neighbourhood_force(law, m, after);
    CHECK(norm_squared(after.a - before.a) < 1e-20);
    CHECK(strain_energy(law, after) == doctest::Approx(strain_energy(law, before)));
    CHECK(residual_energy(law, force, after, 1.0, r, l) < 1e-12 * strain_energy(law, before));
  }
}

TEST_CASE("springs_pull_half_of_the_way_printed_on_each_end") {
  // An even neighbourhood, one neighbour off along its own direction by a tenth: the others see a
  // small stretch of A, but the rotation stays.
  Neighbourhood<double, 2> n = whole(Mat<double, 2>::identity(), 1);
  n[0].r = n[0].r * 1.1;
  const auto m = moments(n);
  const auto f = neighbourhood_force(StiffnessLaw<double>{1000}, m,
                                     fit_lattice(m, Mat<double, 2>::identity()));
  CHECK(force_on_assigned(f, 1.0, n[0].r, n[0].l)[0] == doctest::Approx(-0.5 * 1000 * 0.01));
  CHECK(force_on_centre(f, m)[0] == doctest::Approx(0.5 * 1000 * 0.01));
}
