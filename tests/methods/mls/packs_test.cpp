#include <doctest/doctest.h>

#include "methods/mls/random_shapes.h"
#include "phyxel/methods/mls/pair_packs.h"

using namespace phyxel;
using namespace phyxel::mls;
using namespace phyxel::mls::test;

namespace {

/// Random phyxels in a box that repeats along x and z, with all that sums read. Some have no
/// neighbours.
struct Cloud {
  Column<Vec3> x;
  CellTable cells;
  NeighbourRows rows;
  Column<Moving> place;
  Column<Row16> rest, pull;
  Column<Quad> other;
  Column<Real> molten;
  PeriodicBox box{{true, false, true}, {0, 0, 0}, {3, 3, 3}};
  static constexpr Index n = 500;
  static constexpr Real reach = Real(0.7);

  Cloud() {
    Column<Vec3> scratch;
    for (Index i = 0; i < n; ++i) x.push_back(Random{1, 0}.uniform3(i) * 3);
    for (Index i = 0; i < 5; ++i) x[i][1] += Real(10 + 2 * i);
    build_cells_for_rows({}, x, reach, box, cells);
    permute({}, "permute", x, cells.order, scratch);
    build_rows({}, x, cells, reach, rows);
    for (Index i = 0; i < n; ++i) add(i);
    constexpr Real far = Real(1e15);
    place.push_back({{{far, far, far, 0}}, {{0, 0, 0, 1}}});
    Row16 none{};
    none.c[0] = none.c[1] = none.c[2] = far;
    none.c[pull_row::inverse_h2] = 1;
    pull.push_back(none);
    other.push_back({{0, 0, 0, 1}});
    molten.push_back(0);
  }
  void add(Index i) {
    const Vec3 moved = x[i] + Random{2, 0}.uniform3(i) * Real(0.2);
    const Vec3 u = Random{3, 0}.uniform3(i);
    const Real h = Real(0.5) + Real(0.2) * u[0], mass = 1 + u[1];
    place.push_back({{{x[i][0], x[i][1], x[i][2], mass}}, {{moved[0], moved[1], moved[2], h}}});
    Row16 row{}, q{};
    row.c[rest_row::inverse_h2] = 1 / (h * h);
    rest.push_back(row);
    for (int k = 0; k < 3; ++k) {
      q.c[k] = x[i][k];
      q.c[3 + k] = moved[k];
      const Vec3 stress = Random{4, 0}.uniform3(i, k);
      for (int c = 0; c < 3; ++c) q.c[6 + 3 * k + c] = stress[c] - Real(0.5);
    }
    q.c[pull_row::inverse_h2] = 1 / (h * h);
    pull.push_back(q);
    // Every third phyxel does not flow.
    molten.push_back(i % 2 ? Real(1) : u[0]);
    other.push_back({{u[2], i % 3 ? Real(0.5) * u[1] : 0, i % 3 ? mass : 0, h}});
  }

  PairView view(bool periodic, bool with_other, bool flat, bool with_molten = false) const {
    PairView in;
    in.place = place.data();
    in.pull = pull.data();
    in.other = with_other ? other.data() : nullptr;
    in.molten = with_molten ? molten.data() : nullptr;
    in.start = rows.start.data();
    in.count = rows.count.data();
    in.neighbour = rows.neighbour.data();
    in.hold = Real(0.3);
    in.flat = flat;
    in.periodic = periodic;
    if (periodic) in.period = period_of(box);
    return in;
  }
};

// Sums of some thirty terms of any sign up to about one, in another order.
constexpr Real tolerance = Real(50 * eps);

template <bool periodic, bool with_molten>
void compare_gradients(const Cloud& cloud, const PairView& in) {
  std::vector<Row16> plain(Cloud::n), sums(Cloud::n), also(Cloud::n);
  sum_gradients<periodic, false, with_molten>(in, cloud.rest.data(), 0, Cloud::n, plain.data(),
                                              nullptr);
  sum_gradients<periodic, true, with_molten>(in, cloud.rest.data(), 0, Cloud::n, sums.data(),
                                             also.data());
  for (Index i = 0; i < Cloud::n; ++i) {
    const Real inverse_h2 = cloud.rest[i].c[rest_row::inverse_h2];
    const GradientSum gradient = sum_gradient_one_by_one(in, i, inverse_h2);
    const MomentSum moment = sum_moment_one_by_one(in, i, inverse_h2);
    for (int k = 0; k < 9; ++k) {
      CHECK(std::abs(sums[i].c[k] - gradient.product[k / 3][k % 3]) < tolerance);
      CHECK(plain[i].c[k] == sums[i].c[k]);
    }
    for (int k = 0; k < 3; ++k) {
      CHECK(std::abs(sums[i].c[9 + k] - gradient.moved[k]) < tolerance);
      CHECK(std::abs(also[i].c[6 + k] - moment.lean[k]) < tolerance);
    }
    for (int k = 0; k < 6; ++k) CHECK(std::abs(also[i].c[k] - moment.moment[k]) < tolerance);
    CHECK(also[i].c[10] == doctest::Approx(moment.weight).epsilon(tolerance));
    CHECK(also[i].c[9] == doctest::Approx(sum_density_one_by_one(in, i)).epsilon(tolerance));
  }
}

template <bool periodic, bool with_other, bool with_molten>
void compare_forces(const PairView& in) {
  std::vector<Vec3> forces(Cloud::n);
  sum_forces<periodic, with_other, with_molten>(in, 0, Cloud::n, forces.data());
  double push = 0;
  for (Index i = 0; i < Cloud::n; ++i) {
    const Vec3 force = sum_force_one_by_one(in, i);
    push += double(length(force));
    // Pressures push by up to 40 each.
    CHECK(length(forces[i] - force) < tolerance * (with_other ? 100 : 1));
  }
  CHECK(push > 1);
}

/// The integral of a function of the distance over space or the plane.
double integral(bool flat, double reach, double (*of)(const double&, const double&, bool)) {
  double sum = 0;
  const int steps = 20000;
  for (int k = 0; k < steps; ++k) {
    const double r = (k + 0.5) * reach / steps;
    sum += of(r, reach, flat) * (flat ? 2 * M_PI * r : 4 * M_PI * r * r) * reach / steps;
  }
  return sum;
}

}  // namespace

TEST_CASE("packs_of_neighbours_add_up_to_what_single_pairs_do") {
  const Cloud cloud;
  for (const bool flat : {false, true}) {
    compare_gradients<false, false>(cloud, cloud.view(false, false, flat));
    compare_gradients<true, false>(cloud, cloud.view(true, false, flat));
    compare_gradients<false, true>(cloud, cloud.view(false, false, flat, true));
    compare_forces<false, true, false>(cloud.view(false, true, flat));
    compare_forces<true, true, false>(cloud.view(true, true, flat));
    compare_forces<true, true, true>(cloud.view(true, true, flat, true));
  }
  compare_forces<false, false, false>(cloud.view(false, false, false));
  compare_forces<true, false, false>(cloud.view(true, false, false));
}

TEST_CASE("the_kernel_of_pressure_has_the_integral_one_and_its_slope") {
  for (const bool flat : {false, true}) {
    // Numbers of the kernel are rounded to Real.
    CHECK(integral(flat, 1.7, pressure_weight<double>) == doctest::Approx(1).epsilon(1e-6));
    for (const double r : {0.1, 0.5, 1.2, 1.69}) {
      const double h = 1e-6;
      const double slope =
          (pressure_weight(r + h, 1.7, flat) - pressure_weight(r - h, 1.7, flat)) / (2 * h);
      CHECK(pressure_slope(r, 1.7, flat) == doctest::Approx(slope).epsilon(1e-6));
    }
    CHECK(pressure_weight(2.0, 1.7, flat) == 0);
  }
}
