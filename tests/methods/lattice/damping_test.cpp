#include "phyxel/methods/lattice/damping.h"

#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

template <class T, int Dim>
RigidMotion<T, Dim> motion_of(const Neighbourhood<T, Dim>& n, T own_mass) {
  MotionMoments<T, Dim> m(own_mass);
  for (const auto& e : n) add(m, e.w * e.mass, e.r, e.v);
  return rigid_motion(m);
}

template <class T, int Dim>
void check_momenta() {
  for (int seed = 1; seed < 300; ++seed) {
    const Neighbourhood<T, Dim> n = random_neighbourhood<T, Dim>(seed);
    const T own = T(0.7), fraction = T(0.3);
    const RigidMotion<T, Dim> motion = motion_of(n, own);
    const Vec<T, Dim> zero = Vec<T, Dim>::zero();
    Vec<T, Dim> momentum = damping(motion, fraction, T(1), zero, zero) * own;
    Spin<T, Dim> angular = Spin<T, Dim>::zero();
    for (const auto& e : n) {
      const Vec<T, Dim> impulse = damping(motion, fraction, e.w, e.r, e.v) * e.mass;
      momentum += impulse;
      angular += wedge(e.r, impulse);
    }
    // Speeds of order 1 and up to 19 masses of order 1.
    CHECK(length(momentum) <= 60 * eps<T>);
    CHECK(length(angular) <= 60 * eps<T> * spacing<T>);
  }
}

template <class T, int Dim>
void check_rigid() {
  for (int seed = 1; seed < 100; ++seed) {
    Neighbourhood<T, Dim> n = random_neighbourhood<T, Dim>(seed);
    Spin<T, Dim> spin;
    for (int k = 0; k < (Dim == 3 ? 3 : 1); ++k) spin[k] = random_vector<T, 3>(seed, 9)[k];
    for (auto& e : n) e.v = turned(spin, e.r);
    const RigidMotion<T, Dim> motion = motion_of(n, T(1));
    const Vec<T, Dim> zero = Vec<T, Dim>::zero();
    // Speeds are of the order of the spacing; a nearly flat neighbourhood costs a digit.
    CHECK(length(nonrigid(motion, zero, zero)) <= 200 * eps<T> * spacing<T>);
    for (const auto& e : n) CHECK(length(nonrigid(motion, e.r, e.v)) <= 200 * eps<T> * spacing<T>);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("damping_conserves_both_momenta", T, float, double) {
  check_momenta<T, 2>();
  check_momenta<T, 3>();
}

TEST_CASE_TEMPLATE("damping_leaves_rigid_motion_alone", T, float, double) {
  check_rigid<T, 2>();
  check_rigid<T, 3>();
}

TEST_CASE("a_pair_loses_only_its_motion_along_the_line_between") {
  MotionMoments<double, 3> m(1);
  add(m, 1.0, {0.1, 0, 0}, {1, 2, 0});
  const RigidMotion<double, 3> motion = rigid_motion(m);
  const Vec<double, 3> rest = nonrigid(motion, {0.1, 0, 0}, {1, 2, 0});
  CHECK(rest[0] == doctest::Approx(0.5));
  CHECK(std::abs(rest[1]) < 1e-12);
}

TEST_CASE("damping_is_bounded_by_mass_over_step") {
  CHECK(damped_fraction(5.0, 0.1, 2.0, 10.0) == doctest::Approx(0.025));
  CHECK(damped_fraction(1e9, 0.1, 2.0, 10.0) == doctest::Approx(0.1));
}

TEST_CASE("full_damping_in_all_neighbourhoods_of_a_sheet_never_adds_energy") {
  // A patch of 2D lattice, open at its rim, with the largest eta there may be.
  std::vector<Vec<double, 2>> x;
  for (int a = -6; a <= 6; ++a)
    for (int b = -6; b <= 6; ++b)
      if (((a + b) & 1) == 0) x.push_back(offset(LatticePoint<2>{a, b}, 0.1));
  const ShellWeights<double> weights{{1, 0.4, 0}, 2};
  std::vector<Vec<double, 2>> v;
  for (std::size_t k = 0; k < x.size(); ++k) v.push_back(random_vector<double, 2>(k, 3));
  const auto energy = [&] {
    double sum = 0;
    for (const auto& u : v) sum += length_squared(u);
    return sum;
  };
  const double fraction = damped_fraction(1e9, 0.1, 1.0, full_weight<2>(weights));
  for (int step = 0; step < 20; ++step) {
    const double before = energy();
    std::vector<Vec<double, 2>> change(x.size(), Vec<double, 2>::zero());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto slot = [&](std::size_t j) {
        const int s = slot_of(nearest_point(x[j] - x[i], 0.1));
        return s < slot_count<2>(2) ? s : -1;
      };
      MotionMoments<double, 2> m(1);
      for (std::size_t j = 0; j < x.size(); ++j)
        if (slot(j) >= 0) add(m, weight_of<2>(weights, slot(j)), x[j] - x[i], v[j] - v[i]);
      const RigidMotion<double, 2> motion = rigid_motion(m);
      for (std::size_t j = 0; j < x.size(); ++j)
        if (slot(j) >= 0)
          change[j] +=
              damping(motion, fraction, weight_of<2>(weights, slot(j)), x[j] - x[i], v[j] - v[i]);
      change[i] += damping(motion, fraction, 1.0, {0, 0}, {0, 0});
    }
    for (std::size_t j = 0; j < x.size(); ++j) v[j] += change[j];
    CHECK(energy() < before);
  }
}
