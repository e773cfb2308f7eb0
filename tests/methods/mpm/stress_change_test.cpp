#include "phyxel/methods/mpm/stress_change.h"

#include <doctest/doctest.h>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/core/random.h"
#include "phyxel/methods/mpm/law_elastic.h"
#include "phyxel/methods/mpm/law_liquid.h"
#include "phyxel/methods/mpm/law_sand.h"
#include "phyxel/methods/mpm/law_snow.h"
#include "phyxel/methods/mpm/law_von_mises.h"

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

const double modulus = 1e5;  // Pa: stiffnesses are about that
const Lame stiff = lame(Real(modulus), Real(0.3));

template <class Check>
void for_each_solid(Check check) {
  check(CorotatedLaw{stiff});
  check(NeoHookeanLaw{stiff});
  check(SnowLaw{stiff});
  check(SandLaw{stiff});
  check(VonMisesLaw{stiff});
}

Mat3d random_matrix(const Random& random, int k) {
  Mat3d m;
  for (int r = 0; r < 3; ++r)
    m[r] = (cast<double>(random.uniform3(3 * k + r)) - Vec3d::filled(0.5)) * 2.0;
  return m;
}
Mat3d random_turn(const Random& random, int k) {
  return svd(random_matrix(random, k)).u;
}
Mat3d with_stretches(const Vec3d& s, const Random& random, int k) {
  return random_turn(random, 2 * k) * diagonal(s) * transpose(random_turn(random, 2 * k + 1));
}

double size(const Mat3d& m) {
  return std::sqrt(norm_squared(m));
}
double inner(const Mat3d& a, const Mat3d& b) {
  return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}

/// tau(F), without plastic flow.
template <class Law>
Mat3d stress_at(const Law& law, const Mat3d& f, double memory) {
  const Svd<double> parts = svd(f);
  return parts.u * diagonal(elastic_stress(law, parts.sigma, memory)) * transpose(parts.u);
}

/// D by central differences: P F0^T = tau (1 + hG)^-T at F = (1 + hG) F0.
template <class Law>
Mat3d change_by_differences(const Law& law, const Mat3d& f, double memory, const Mat3d& g) {
  const double h = 1e-5;
  const auto at = [&](double step) {
    const Mat3d moved = Mat3d::identity() + g * step;
    return stress_at(law, moved * f, memory) * transpose(inverse(moved));
  };
  return (at(h) - at(-h)) * (1 / (2 * h));
}

template <class Law>
void check_against_differences(const Law& law, const Vec3d& stretch, double memory,
                               double tolerance) {
  const Random random{11, 1};
  for (int k = 0; k < 20; ++k) {
    const Mat3d f = with_stretches(stretch, random, k), g = random_matrix(random, 50 + k);
    const Mat3d expected = change_by_differences(law, f, memory, g);
    const Mat3d found = stress_change(stiffness_of(law, f, memory), g);
    CHECK(size(found - expected) < tolerance * (modulus + size(expected)));
  }
}

/// Along each of its own stretches a held stiffness is what the free one is, or none where that is
/// negative. True where there was such a one.
bool check_held(const Stiffness<double>& free) {
  const Stiffness<double> held = held_positive(free);
  const auto [values, v] =
      eigen_symmetric(Mat3d{{{free.along[0], free.across[2], free.across[1]},
                             {free.across[2], free.along[1], free.across[0]},
                             {free.across[1], free.across[0], free.along[2]}}});
  const double most = std::abs(values[0]) + std::abs(values[2]);
  for (int k = 0; k < 3; ++k) {
    const Mat3d stretch = free.frame * diagonal(transpose(v)[k]) * transpose(free.frame);
    const double found = inner(stretch, stress_change(held, stretch));
    CHECK(std::abs(found - std::max(values[k], 0.0)) <= 1e-12 * most);
  }
  return values[2] < -modulus / 100;
}

}  // namespace

TEST_CASE("the_change_of_stress_is_its_slope") {
  // Differences over 1e-5 lose 1e-10 by their step and 1e-11 by rounding, times the curvature.
  for_each_solid([](const auto& law) {
    const double memory = law.fresh;
    const Random random{12, 1};
    for (int k = 0; k < 10; ++k) {
      const Vec3d u = cast<double>(random.uniform3(k));
      check_against_differences(law, Vec3d{0.6, 0.6, 0.6} + u * 0.4, memory, 1e-8);
    }
  });
}

TEST_CASE("the_change_of_stress_is_its_slope_where_stretches_are_equal_or_nearly_so") {
  for_each_solid([](const auto& law) {
    const double memory = law.fresh;
    for (const double gap : {1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 5e-6, 7e-6, 1e-5, 1e-4, 5e-4, 1e-3}) {
      check_against_differences(law, {0.9 + gap, 0.9, 0.7}, memory, 1e-8);
      check_against_differences(law, {0.9, 0.8, 0.8 - gap}, memory, 1e-8);
      check_against_differences(law, {0.9, 0.9 - gap, 0.9 - 2 * gap}, memory, 1e-8);
    }
  });
}

TEST_CASE("the_change_of_stress_is_its_slope_under_large_compression_and_stretch") {
  const auto check = [](const auto& law, const Vec3d& s) {
    // Curvatures grow as s^-3.
    check_against_differences(law, s, law.fresh, 1e-5);
  };
  for_each_solid([&](const auto& law) {
    check(law, {0.2, 0.15, 0.12});
    check(law, {1.5, 0.3, 0.15});
  });
  for (const Vec3d& s : {Vec3d{3, 2, 0.5}, Vec3d{2, 2, 2}}) {
    check(CorotatedLaw{stiff}, s);
    check(NeoHookeanLaw{stiff}, s);
    check(VonMisesLaw{stiff}, s);
  }
  // Inside out: only a law with an energy there has a slope to compare with.
  check(CorotatedLaw{stiff}, {1.2, 0.9, -0.3});
}

TEST_CASE("packed_snow_is_stiffer_and_sand_apart_has_no_stiffness") {
  const Mat3d f = diagonal(Vec3d{0.99, 1, 0.98}), g = Mat3d::identity();
  const SnowLaw snow{stiff};
  const Mat3d fresh = stress_change(stiffness_of(snow, f, 1.0), g);
  const Mat3d packed = stress_change(stiffness_of(snow, f, 0.9), g);
  CHECK(packed[0][0] == doctest::Approx(std::exp(1.0) * fresh[0][0]).epsilon(1e-6));
  const SandLaw sand{stiff};
  CHECK(size(stress_change(stiffness_of(sand, f, 0.0), g)) > modulus);
  CHECK(size(stress_change(stiffness_of(sand, f, 0.05), g)) == 0);
}

TEST_CASE("a_liquid_resists_a_change_of_volume_where_it_is_pressed") {
  LiquidLaw law;
  law.bulk_modulus = Real(modulus);
  const double j = 0.95, h = 1e-6;
  // The volume ratio goes as j (1 + trace G), so -J0 p is the stress of the energy at fixed J0.
  const double expected =
      -j * (pressure_of(law, j * (1 + h)) - pressure_of(law, j * (1 - h))) / (2 * h);
  CHECK(volume_stiffness(law, j) == doctest::Approx(expected).epsilon(1e-6));
  CHECK(volume_stiffness(law, 1.0) == 0);
  Mat3d g = Mat3d::identity();
  g[0][1] = 3;
  const Mat3d d = stress_change(stiffness_of(law, Mat3d::identity(), j), g);
  CHECK(size(d - Mat3d::identity() * (3 * expected)) < 1e-5 * modulus);
}

TEST_CASE("no_stretch_of_a_held_stiffness_runs_away") {
  const Random random{18, 1};
  int held_back = 0;
  for_each_solid([&](const auto& law) {
    const double memory = law.fresh;
    for (int k = 0; k < 200; ++k) {
      const Vec3d s = Vec3d{0.2, 0.2, -0.2} + cast<double>(random.uniform3(k)) * 3.0;
      held_back += check_held(stiffness_of(law, with_stretches(s, random, k), memory));
    }
  });
  CHECK(held_back > 50);
  // No law behind these: signs of all kinds.
  Stiffness<double> any = stiffness_of_volume(1.0);
  for (int k = 0; k < 200; ++k) {
    const Mat3d numbers = random_matrix(random, 5000 + k) * modulus;
    any.along = numbers[0] + Vec3d::filled(modulus / 2), any.across = numbers[1];
    check_held(any);
  }
}

TEST_CASE("the_stiffness_is_symmetric_and_a_held_one_is_positive") {
  const Random random{13, 1};
  double least = 0;
  for_each_solid([&](const auto& law) {
    const double memory = law.fresh;
    for (int k = 0; k < 100; ++k) {
      const Vec3d u = cast<double>(random.uniform3(k));
      const Mat3d f = with_stretches(Vec3d{0.2, 0.2, -0.1} + u * 1.5, random, k);
      const Stiffness<double> free = stiffness_of(law, f, memory), held = held_positive(free);
      const Mat3d a = random_matrix(random, 1000 + 2 * k), b = random_matrix(random, 1001 + 2 * k);
      const double ab = inner(a, stress_change(held, b)), ba = inner(b, stress_change(held, a));
      const double most = size(stress_change(held, a)) * size(b) + modulus;
      CHECK(std::abs(ab - ba) < 1e-12 * most);
      CHECK(std::abs(inner(a, stress_change(free, b)) - inner(b, stress_change(free, a))) <
            1e-12 * (size(stress_change(free, a)) * size(b) + modulus));
      CHECK(inner(a, stress_change(held, a)) > -1e-12 * most);
      least = std::min(least, inner(a, stress_change(free, a)));
    }
  });
  CHECK(least < -modulus / 10);  // there was something to hold
}

TEST_CASE("holding_a_stiffness_positive_changes_nothing_where_it_is_so_already") {
  const Random random{14, 1};
  for_each_solid([&](const auto& law) {
    const double memory = law.fresh;
    // No stress but a little compression: all eigenvalues but the three rigid turns are positive,
    // and those are half the mean of two stresses.
    const Mat3d f = with_stretches({0.9999, 0.9998, 0.9997}, random, 1);
    const Mat3d g = random_matrix(random, 9), strain = g + transpose(g);
    const Stiffness<double> free = stiffness_of(law, f, memory);
    const Mat3d plain = stress_change(free, strain),
                held = stress_change(held_positive(free), strain);
    CHECK(size(plain - held) < 1e-3 * size(plain));
    const Stiffness<double> once = held_positive(free), twice = held_positive(once);
    CHECK(size(stress_change(once, g) - stress_change(twice, g)) < 1e-12 * size(plain));
  });
}

TEST_CASE("a_rigid_turn_turns_the_stress_and_does_nothing_else") {
  const Mat3d turn{{{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}};
  const Random random{15, 1};
  for_each_solid([&](const auto& law) {
    const double memory = law.fresh;
    const Mat3d f = with_stretches({0.95, 0.9, 0.8}, random, 2);
    const Mat3d found = stress_change(stiffness_of(law, f, memory), turn);
    CHECK(size(found - turn * stress_at(law, f, memory)) < 1e-10 * modulus);
    const Mat3d at_rest = random_turn(random, 5);
    CHECK(size(stress_change(stiffness_of(law, at_rest, memory), turn)) < 1e-9 * modulus);
  });
}

TEST_CASE("packs_of_particles_are_as_stiff_as_single_ones") {
  const Random random{16, 1};
  for_each_solid([&](const auto& law) {
    constexpr Index n = pack_size<Real>;
    std::vector<Mat3> f(n), g(n), changes(n);
    std::vector<Real> memory(n, law.fresh);
    for (Index i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) {
        g[i][k] = random.uniform3(6 * i + k) - Vec3::filled(Real(0.5));
        f[i][k] = (random.uniform3(6 * i + 3 + k) - Vec3::filled(Real(0.5))) * Real(0.1);
        f[i][k][k] += Real(0.8);
      }
    f[0] = Mat3::identity() * Real(0.9);  // equal stretches in one lane, not in the others
    f[1] = diagonal(Vec3{4, Real(0.9), Real(0.8)});  // held back in one lane, not in the others
    const Pack memories = load(memory.data());
    const Mat3Pack packed = load(f.data());
    store(stress_change(held_positive(stiffness_of(law, packed, memories)), load(g.data())),
          changes.data());
    for (Index i = 0; i < n; ++i) {
      const Mat3 alone = stress_change(held_positive(stiffness_of(law, f[i], memory[i])), g[i]);
      CHECK(std::isfinite(norm_squared(alone)));
      // Packs may take exp and log in another way; quotients over 5e-3 leave 1e-4 of the moduli.
      CHECK(std::sqrt(norm_squared(alone - changes[i])) < 3e-4 * modulus);
    }
  });
}

TEST_CASE("single_precision_gives_the_same_stiffness_as_double") {
  const Random random{17, 1};
  for_each_solid([&](const auto& law) {
    const double memory = law.fresh;
    for (const double gap : {0.0, 1e-6, 1e-4, 1e-3, 4e-3, 6e-3, 1e-2}) {
      const Mat3d f = with_stretches({0.9, 0.9 - gap, 0.8}, random, 3),
                  g = random_matrix(random, 4);
      Mat<float, 3> single_f, single_g;
      for (int k = 0; k < 3; ++k) single_f[k] = cast<float>(f[k]), single_g[k] = cast<float>(g[k]);
      const Mat3d exact = stress_change(stiffness_of(law, f, memory), g);
      const Mat<float, 3> found =
          stress_change(stiffness_of(law, single_f, float(memory)), single_g);
      // 1e-7 over gaps of 5e-3, and the square of those gaps: a few 1e-5 either way.
      for (int k = 0; k < 3; ++k) CHECK(length(cast<double>(found[k]) - exact[k]) < 3e-4 * modulus);
    }
  });
}
