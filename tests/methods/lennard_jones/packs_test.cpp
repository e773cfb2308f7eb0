#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/methods/lennard_jones/pair_packs.h"

using namespace phyxel;
using namespace phyxel::lennard_jones;

namespace {

/// Exponents n > m, whole or not, with or without fade; the cut-off is 1 m.
PairLaw random_law(std::uint64_t k) {
  const Vec3 a = Random{21, 0}.uniform3(k, 0), b = Random{21, 0}.uniform3(k, 1);
  PairLaw law;
  law.m = 1 + 6 * a[0];
  law.n = law.m + Real(0.5) + 6 * a[1];
  if (k % 2 == 0) law.m = std::round(law.m), law.n = law.m + std::round(1 + 5 * a[1]);
  law.e0 = Real(0.1) + 30 * a[2];
  law.cutoff = 1;
  law.r0 = Real(0.4) + Real(0.2) * b[0];
  law.fade_from = law.r0 * (1 + Real(0.3) * b[1]);
  law.faded = k % 3 != 0;
  law.viscosity = Real(0.3) * b[2];
  if (k % 10 == 9) law.n = 12, law.m = 6, law.faded = false;  // has an evaluator of its own
  return law;
}

/// Random particles in a periodic box, two materials, with everything that sums read.
struct Cloud {
  Column<Vec3> x;
  CellTable cells;
  NeighbourRows rows;
  Column<Quad> x_quad, v_quad;
  std::vector<PairLaw> laws;
  std::vector<PackLaw> packs;
  PeriodicBox box{{true, false, true}, {0, 0, 0}, {3, 3, 3}};

  explicit Cloud(std::uint64_t k, int materials) {
    Column<Vec3> scratch;
    for (Index i = 0; i < 700; ++i) x.push_back(Random{22, 0}.uniform3(i, k) * 3);
    build_cells_for_rows({}, x, Real(1.2), box, cells);
    permute({}, "permute", x, cells.order, scratch);
    build_rows({}, x, cells, Real(1.2), rows);
    for (Index i = 0; i < 700; ++i) {
      const Vec3 v = Random{23, 0}.uniform3(i);
      x_quad.push_back({{x[i][0], x[i][1], x[i][2], static_cast<Real>(i % materials)}});
      v_quad.push_back({{v[0], v[1], v[2], Real(0.5) + Real(0.5) * Random{24, 0}.uniform(i)}});
    }
    x_quad.push_back({{Real(1e15), Real(1e15), Real(1e15), 0}});
    v_quad.push_back({{0, 0, 0, 0}});
    for (int a = 0; a < materials; ++a)
      for (int b = 0; b < materials; ++b) laws.push_back(random_law(3 * k + a + b));
    packs.resize(laws.size());
    for (std::size_t l = 0; l < laws.size(); ++l) set_law(laws[l], packs[l]);
  }

  PairView view(bool rich, bool periodic) const {
    PairView in;
    in.x = x_quad.data();
    in.v = rich ? v_quad.data() : nullptr;
    in.start = rows.start.data();
    in.count = rows.count.data();
    in.neighbour = rows.neighbour.data();
    in.laws = laws.data();
    in.materials = static_cast<Index>(std::sqrt(double(laws.size())) + 0.5);
    if (periodic) {
      in.period = period_of(box);
      set_inner(box, rows.radius, 1, in);
    }
    return in;
  }
};

/// Size of what is summed: pairs attract and repel, so that a sum may be far smaller.
struct Scale {
  Real force = 0, energy = 0, virial = 0;
};
Scale scale_of(const PairView& in, Index i) {
  Scale scale;
  for (Index e = in.start[i]; e < in.start[i] + in.count[i]; ++e) {
    PairSum sum;
    add_pair(in, i, in.neighbour[e], sum);
    scale.force += length(sum.force) + length(sum.viscous_force);
    const Real r = length(difference(in, i, in.neighbour[e]));
    const PairLaw& law = in.law(i, in.neighbour[e]);
    if (r >= law.cutoff) continue;
    const PairTerm<Real> term = pair_term(law, r);
    scale.energy += std::abs(term.energy);
    scale.virial += std::abs(term.slope) * r;
  }
  return scale;
}

// The table is good to 1e-5 of its two terms, which may be some times larger than their difference;
// in double there is no table, and sums differ by rounding.
constexpr double tolerance = sizeof(Real) == 8 ? 1e-12 : 5e-5;

template <bool periodic, bool stiffness>
Quad sum_of_row(const PairView& in, const PackLaw& law, Index i) {
  Quad sum;
  with_evaluator(law, [&](const auto& evaluator) {
    sum_plain<periodic, stiffness>(in, law, evaluator, i, i + 1, &sum);
  });
  return sum;
}

template <bool stiffness>
PairSum sum_of_packs(const PairView& in, const PackLaw& law, Index i, bool periodic) {
  const Quad q =
      periodic ? sum_of_row<true, stiffness>(in, law, i) : sum_of_row<false, stiffness>(in, law, i);
  PairSum sum;
  sum.force = {q.c[0], q.c[1], q.c[2]};
  sum.stiffness = q.c[3];
  return sum;
}

void check_close(const PairSum& a, const PairSum& b, const Scale& scale) {
  CHECK(double(length(a.force - b.force)) <= tolerance * double(scale.force));
  CHECK(double(length(a.viscous_force - b.viscous_force)) <= tolerance * double(scale.force));
  CHECK(double(a.viscosity) == doctest::Approx(double(b.viscosity)).epsilon(1e-4));
}

}  // namespace

TEST_CASE("a_row_of_packs_sums_to_what_its_pairs_one_by_one_do") {
  for (std::uint64_t k = 0; k < 30; ++k) {
    const Cloud cloud(k, 1);
    for (const bool periodic : {false, true}) {
      const PairView in = cloud.view(false, periodic);
      for (Index i = 0; i < 700; i += 7) {
        const PairSum one_by_one = sum_pairs_one_by_one(in, i);
        const PairSum packs = sum_of_packs<true>(in, cloud.packs[0], i, periodic);
        const PairSum quick = sum_of_packs<false>(in, cloud.packs[0], i, periodic);
        const Scale scale = scale_of(in, i);
        CAPTURE(k);
        check_close(packs, one_by_one, scale);
        CHECK(quick.force == packs.force);
        // An estimate with the chord of a curve that is convex but for its inflection.
        CHECK(packs.stiffness > Real(0.99) * one_by_one.stiffness);
        CHECK(packs.stiffness < Real(1.15) * one_by_one.stiffness);
      }
    }
  }
}

TEST_CASE("materials_strengths_and_viscosity_sum_as_one_by_one") {
  for (std::uint64_t k = 0; k < 10; ++k) {
    const Cloud cloud(k, 2);
    const PairView in = cloud.view(true, true);
    for (Index i = 0; i < 700; i += 11) {
      PairSum sum;
      PairEnergy energy;
      for (Index m = 0; m < 2; ++m) {
        const PackLaw& law = cloud.packs[static_cast<Index>(in.x[i].c[3]) * 2 + m];
        add_material(in, law, static_cast<Real>(m), i, sum);
        add_energy(in, law, static_cast<Real>(m), i, energy);
      }
      const Scale scale = scale_of(in, i);
      check_close(sum, sum_pairs_one_by_one(in, i), scale);
      const PairEnergy expected = sum_energy_one_by_one(in, i);
      CHECK(std::abs(double(energy.energy - expected.energy)) <= tolerance * double(scale.energy));
      CHECK(std::abs(double(energy.virial - expected.virial)) <= tolerance * double(scale.virial));
    }
  }
}

TEST_CASE("forces_of_a_pair_are_opposite_to_the_last_bit") {
  const Cloud cloud(5, 1);
  PairView in = cloud.view(false, true);
  for (Index i = 0; i < 100; ++i) {
    const Index j = in.neighbour[in.start[i]];
    alignas(64) Index from_i[row_pad], from_j[row_pad];
    std::fill_n(from_i, row_pad, Index(700));
    std::fill_n(from_j, row_pad, Index(700));
    from_i[0] = j, from_j[3] = i;  // in different lanes
    std::vector<Index> start(702, 0);
    start[i + 1] = start[j + 1] = row_pad;
    PairView alone = in;
    alone.start = start.data();
    alone.neighbour = from_i;
    start[i] = start[j] = 0;
    if (j == i + 1 || i == j + 1) continue;  // their rows would overlap
    const Vec3 on_i = sum_of_packs<true>(alone, cloud.packs[0], i, true).force;
    alone.neighbour = from_j;
    const Vec3 on_j = sum_of_packs<true>(alone, cloud.packs[0], j, true).force;
    CHECK(on_i == -on_j);
  }
}

#ifndef PHYXEL_DOUBLE
TEST_CASE("the_energy_of_a_table_is_that_of_the_law_where_its_force_is") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    const PairLaw law = random_law(k);
    const ForceTable table = make_force_table(law);
    REQUIRE(table.degree > 0);
    for (Real u = Real(0.065); u < table.limit; u += Real(0.007)) {
      const Real r = std::sqrt(u / table.scale);
      const double energy = double(look_up_energy(table, Pack(u)).get(0));
      // The force's error of 1e-5 over an interval, and rounding of two terms that cancel.
      const double q = double(law.r0 / r);
      const double scale =
          double(law.e0) * (std::pow(q, double(law.n)) + std::pow(q, double(law.m)));
      CHECK(std::abs(energy - double(pair_term(law, r).energy)) < 1e-5 * scale * double(law.n));
    }
  }
}

TEST_CASE("a_law_too_steep_for_a_table_is_summed_from_the_law") {
  PairLaw law;
  law.n = 60;
  law.m = 30;
  CHECK(make_force_table(law).degree == 0);
}

TEST_CASE("steeper_laws_get_a_higher_degree") {
  PairLaw law;
  law.n = 8, law.m = 4;
  CHECK(make_force_table(law).degree == 4);
  law.n = 12, law.m = 6, law.cutoff = Real(2.05);
  CHECK(make_force_table(law).degree == 5);
}
#endif
