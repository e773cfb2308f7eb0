#include <doctest/doctest.h>

#include "methods/lattice/neighbourhood.h"
#include "phyxel/methods/lattice/gathering_packs.h"

using namespace phyxel;
using namespace phyxel::lattice;
using namespace phyxel::lattice::test;

namespace {

template <int Dim>
void check_places() {
  for (int k = 0; k < 500; ++k) {
    const Vec<Real, Dim> v = random_vector<Real, Dim>(k, 5) * (Real(1.5) * spacing<Real>);
    const LatticePoint<Dim> p = nearest_point(v, spacing<Real>);
    const VecPack<Dim> places = nearest_places(everywhere(v), spacing<Real>);
    CHECK(is_nearest(v - offset(p, spacing<Real>), spacing<Real> * Real(1.00001)));
    for (int slot = 0; slot < slot_count<Dim>(2); ++slot) {
      const LatticePoint<Dim> other = lattice_point<Dim>(slot);
      if (!(other == p))
        CHECK(!is_nearest(v - offset(other, spacing<Real>), spacing<Real> * Real(0.99999)));
    }
    for (int c = 0; c < Dim; ++c) CHECK(places[c].get(0) == Real(p[c]));
    if (!xsimd::all(SlotTable<Dim>::has(places))) continue;
    const int number = static_cast<int>(SlotTable<Dim>::number(places).get(0));
    CHECK(int(slot_table<Dim>.slot[number]) == slot_of(p));
  }
}

/// The forces that assigned particles read from 16 numbers are those of the neighbourhood.
template <int Dim>
void check_assigned_forces() {
  const HookeanLaw<Real> law = hookean_law<Dim>(Real(1e6), Real(0.3), spacing<Real>);
  for (int seed = 1; seed < 50; ++seed) {
    const auto n = random_neighbourhood<Real, Dim>(seed);
    const auto f = neighbourhood_force(law, moments(n), fit(n));
    Row16 row{};
    write(for_assigned_of(f), row.c);
    Real size = 0;
    for (const auto& e : n) size += length(force_on_assigned(f, e.w, e.r, e.l));
    // Terms of the size of the forces, summed in another order.
    for (const auto& e : n)
      CHECK(length(force_on_assigned(read<Dim>(row.c), e.w, e.r, e.l) -
                   force_on_assigned(f, e.w, e.r, e.l)) <= 100 * eps<Real> * size);
  }
}

}  // namespace

TEST_CASE("packs_find_the_lattice_points_and_slots_that_single_vectors_find") {
  check_places<2>();
  check_places<3>();
}

TEST_CASE("what_assigned_particles_read_of_a_neighbourhood_gives_its_forces") {
  check_assigned_forces<2>();
  check_assigned_forces<3>();
}

TEST_CASE("packs_of_rotations_are_those_of_the_polar_decomposition") {
  for (int seed = 1; seed < 100; ++seed) {
    Mat3 a = random_rotation<Real, 3>(seed);
    a = a * (Mat3::identity() + random_matrix<Real, 3>(seed, 3) * Real(0.2));
    if (determinant(a) < Real(0.2)) continue;
    const Mat3Pack r = rotation_of(everywhere(a));
    const Mat3 expected = polar(a).rotation;
    // The iteration stops where the next round would change no more than rounding.
    for (int k = 0; k < 9; ++k)
      CHECK(std::abs(r[k / 3][k % 3].get(0) - expected[k / 3][k % 3]) < 20 * eps<Real>);
  }
}
