#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/methods/sph/pair_packs.h"

using namespace phyxel;
using namespace phyxel::sph;

namespace {

/// Random particles of two liquids in a box that repeats along x and z, with all that sums read.
struct Cloud {
  Column<Vec3> x;
  CellTable cells;
  NeighbourRows rows;
  Column<Moving> at;
  Column<Quad> liquid, bond;
  PeriodicBox box{{true, false, true}, {0, 0, 0}, {3, 3, 3}};
  static constexpr Index n = 600;

  Cloud() {
    Column<Vec3> scratch;
    for (Index i = 0; i < n; ++i) x.push_back(Random{1, 0}.uniform3(i) * 3);
    build_cells_for_rows({}, x, Real(1.1), box, cells);
    permute({}, "permute", x, cells.order, scratch);
    build_rows({}, x, cells, Real(1.1), rows);
    for (Index i = 0; i < n; ++i) {
      const Vec3 v = Random{2, 0}.uniform3(i), c = Random{3, 0}.uniform3(i);
      at.push_back({{{x[i][0], x[i][1], x[i][2], Real(0.02) + Real(0.04) * c[0]}},
                    {{v[0], v[1], v[2], 30 * c[1]}}});
      const Real oil = Real(i % 2);
      liquid.push_back({{1 + 3 * oil, 2 + oil, 1000 - 200 * oil, Real(0.5) - Real(0.2) * oil}});
    }
    for (Index i = 0; i < n; ++i) {
      const Vec3 lean = Random{4, 0}.uniform3(i), lack = Random{5, 0}.uniform3(i);
      bond.push_back({{lean[0] * 3, lean[1] * 3, lean[2] * 3, lack[0] * 10}});
    }
    bond.push_back({{0, 0, 0, 0}});
    at.push_back({{{Real(1e15), Real(1e15), Real(1e15), 0}}, {{0, 0, 0, 0}}});
    liquid.push_back({{0, 0, 0, 0}});
  }

  PairView view(bool periodic, bool mixed, bool tense) const {
    PairView in;
    in.at = at.data();
    in.liquid = mixed ? liquid.data() : nullptr;
    in.bond = tense ? bond.data() : nullptr;
    in.cohesion = make_cohesion(make_kernel(Real(0.5), 3), Real(0.4), 3);
    in.start = rows.start.data();
    in.count = rows.count.data();
    in.neighbour = rows.neighbour.data();
    in.kernel = make_kernel(Real(0.5), 3);
    in.common.viscosity = 2;
    in.common.bulk_viscosity = 5;
    in.common.xsph = Real(0.5);
    in.periodic = periodic;
    if (periodic) in.period = period_of(box);
    return in;
  }
};

template <bool periodic, bool mixed, bool tense>
void compare(const Cloud& cloud) {
  const PairView in = cloud.view(periodic, mixed, tense);
  // Sums of some forty terms of one sign, in another order and with quick roots.
  const double relative = sizeof(Real) == 4 ? 2e-5 : 1e-12;
  std::vector<DensitySum> densities(Cloud::n), plain(Cloud::n);
  std::vector<Vec3> forces(Cloud::n);
  sum_densities<periodic, mixed, true, tense>(in, 0, Cloud::n, densities.data());
  sum_densities<periodic, mixed, false, tense>(in, 0, Cloud::n, plain.data());
  sum_forces<periodic, mixed, tense>(in, 0, Cloud::n, forces.data());
  for (Index i = 0; i < Cloud::n; ++i) {
    const DensitySum packed = densities[i], single = sum_density_one_by_one(in, i, true);
    CHECK(packed.ratio == doctest::Approx(single.ratio).epsilon(relative));
    CHECK(length(packed.carry - single.carry) < relative * (1 + single.ratio));
    CHECK(packed.cover == doctest::Approx(single.cover).epsilon(relative));
    CHECK(length(packed.lean - single.lean) < relative * (1 + single.ratio) * 10);
    CHECK(plain[i].ratio == doctest::Approx(single.ratio).epsilon(relative));
    const Vec3 force = sum_force_one_by_one(in, i);
    CHECK(length(forces[i] - force) < relative * 2000);
  }
}

}  // namespace

TEST_CASE("packs_of_neighbours_add_up_to_what_single_pairs_do") {
  const Cloud cloud;
  compare<false, false, false>(cloud);
  compare<false, true, false>(cloud);
  compare<true, false, true>(cloud);
  compare<true, true, true>(cloud);
}

TEST_CASE("forces_of_pairs_leave_both_momenta_alone_whatever_the_liquids") {
  const Cloud cloud;
  const PairView in = cloud.view(false, true, false);
  Vec3d force = Vec3d::zero(), torque = Vec3d::zero(), carried = Vec3d::zero(),
        spin = Vec3d::zero();
  double size = 0;
  std::vector<DensitySum> densities(Cloud::n);
  std::vector<Vec3> forces(Cloud::n);
  sum_densities<false, true, true, false>(in, 0, Cloud::n, densities.data());
  sum_forces<false, true, false>(in, 0, Cloud::n, forces.data());
  for (Index i = 0; i < Cloud::n; ++i) {
    const double volume = cloud.at[i].x.c[3], mass = volume * cloud.liquid[i].c[2];
    const Vec3d f = cast<double>(forces[i]) * volume;
    force += f;
    torque += cross(cast<double>(cloud.x[i]), f);
    size += length(f);
    const Vec3d c = cast<double>(densities[i].carry) * mass;
    carried += c;
    const Quad& v = cloud.at[i].v;
    spin += cross(c, Vec3d{v.c[0], v.c[1], v.c[2]});
  }
  const double rounding = sizeof(Real) == 4 ? 1e-6 : 1e-14;
  CHECK(length(force) < rounding * size);
  CHECK(length(torque) < 3 * rounding * size);
  CHECK(length(carried) < rounding * 600 * 40);  // of masses up to 60 kg at 1 m/s
  CHECK(length(spin) < rounding * 600 * 40);
}
