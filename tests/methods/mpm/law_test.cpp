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

using Stretch = Vec<double, 3>;

const Lame stiff = lame(Real(1e5), Real(0.3));

SnowLaw snow() {
  SnowLaw law;
  law.elastic = stiff;
  return law;
}
SandLaw sand() {
  SandLaw law;
  law.elastic = stiff;
  law.friction_angle = 35;
  return law;
}
VonMisesLaw clay() {
  VonMisesLaw law;
  law.elastic = stiff;
  law.yield_stress = 2000;
  return law;
}

template <class Law>
Response<double> answer(const Law& law, const Stretch& trial, double memory = Law::fresh) {
  return respond(law, trial, memory, 0);
}

/// s dW/ds by differences: what the principal Kirchhoff stress of an energy W must be.
template <class Energy>
Stretch stress_of(Energy energy, const Stretch& s) {
  Stretch stress;
  const double h = 1e-6;
  for (int k = 0; k < 3; ++k) {
    Stretch more = s, less = s;
    more[k] += h, less[k] -= h;
    stress[k] = s[k] * (energy(more) - energy(less)) / (2 * h);
  }
  return stress;
}

Stretch some_stretch(const Random& random, int k, double range) {
  const Vec3 u = random.uniform3(k);
  Stretch s;
  for (int i = 0; i < 3; ++i) s[i] = 1 + range * (2 * double(u[i]) - 1);
  return s;
}

double deviator(const Stretch& t) {
  const double m = mean(t);
  return std::sqrt((t[0] - m) * (t[0] - m) + (t[1] - m) * (t[1] - m) + (t[2] - m) * (t[2] - m));
}

void check_close(const Stretch& a, const Stretch& b, double scale, double tolerance) {
  for (int k = 0; k < 3; ++k) CHECK(std::abs(a[k] - b[k]) < tolerance * scale);
}

}  // namespace

TEST_CASE("elastic_stresses_are_the_slopes_of_their_energies") {
  const double mu = stiff.mu, lambda = stiff.lambda;
  const auto corotated = [&](const Stretch& s) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += mu * (s[k] - 1) * (s[k] - 1);
    return sum + lambda / 2 * (product(s) - 1) * (product(s) - 1);
  };
  const auto neo_hookean = [&](const Stretch& s) {
    const double log_j = std::log(product(s));
    return mu / 2 * (dot(s, s) - 3) - mu * log_j + lambda / 2 * log_j * log_j;
  };
  const Random random{3, 1};
  for (int k = 0; k < 100; ++k) {
    const Stretch s = some_stretch(random, k, 0.6);
    // Differences of energies around 1e5 J/m^3 with h = 1e-6 are good to about 1e-4 of that.
    check_close(answer(CorotatedLaw{stiff}, s).stress, stress_of(corotated, s), 1e5, 1e-4);
    check_close(answer(NeoHookeanLaw{stiff}, s).stress, stress_of(neo_hookean, s), 1e5, 1e-4);
  }
}

TEST_CASE("all_solids_follow_hooke_where_strains_are_small") {
  const double e = 1e-4;
  const Stretch s{1 + e, 1, 1};
  const double along = (double(stiff.lambda) + 2 * stiff.mu) * e, across = stiff.lambda * e;
  const auto check = [&](const auto& law) {
    const Stretch t = answer(law, s).stress;
    CHECK(t[0] == doctest::Approx(along).epsilon(1e-3));
    CHECK(t[1] == doctest::Approx(across).epsilon(1e-3));
    CHECK(t[2] == doctest::Approx(across).epsilon(1e-3));
  };
  check(CorotatedLaw{stiff});
  check(NeoHookeanLaw{stiff});
  check(snow());
  check(clay());
}

TEST_CASE("elastic_matter_that_is_inside_out_is_pushed_back") {
  for (const double s : {0.05, 0.0, -0.2, -1.0}) {
    const Stretch flat{1, 1, s};
    // Work of the stress per stretch, t / s, must be negative: it opens the body again. At s = 0
    // the Kirchhoff stress itself vanishes for the corotated law, as t = s dW/ds.
    const double corotated = answer(CorotatedLaw{stiff}, flat).stress[2];
    if (s != 0) CHECK(corotated / s < 0);
    const double neo = answer(NeoHookeanLaw{stiff}, flat).stress[2];
    CHECK(std::isfinite(neo));
    CHECK(neo < 0);
  }
}

TEST_CASE("snow_yields_beyond_its_limits_and_hardens_where_packed") {
  const SnowLaw law = snow();
  double plastic = 1;
  const Stretch pressed{0.9, 1.0, 1.002};
  const Response<double> r = respond(law, pressed, plastic, 0);
  CHECK(r.stretch[0] == doctest::Approx(1 - double(law.critical_compression)));
  CHECK(r.stretch[1] == 1);
  CHECK(r.stretch[2] == 1.002);
  // Elastic and plastic volume together are what was asked for.
  CHECK(product(r.stretch) * plastic == doctest::Approx(product(pressed)).epsilon(1e-6));
  const double once = r.stress[0];
  const double again = respond(law, Stretch{0.9, 1.0, 1.0}, plastic, 0).stress[0];
  CHECK(again < 1.5 * once);  // more compressive, as exp(xi (1 - J_P)) has grown
  double drawn = 1;
  respond(law, Stretch{1.2, 1, 1}, drawn, 0);
  CHECK(drawn > 1);
  const double weak = respond(law, Stretch{1.2, 1, 1}, drawn, 0).stress[0];
  CHECK(weak < 0.5 * answer(law, Stretch{1, 1, 1.007}).stress[2]);
  double gone = 1;
  for (int k = 0; k < 100; ++k) respond(law, Stretch{0.5, 0.5, 0.5}, gone, 0);
  CHECK(std::isfinite(gone));
  CHECK(gone > 0);
}

TEST_CASE("sand_stays_within_its_cone_and_does_not_pull") {
  const SandLaw law = sand();
  const double mu = law.elastic.mu, lambda = law.elastic.lambda,
               alpha = cone_of(law.friction_angle);
  const Random random{4, 1};
  for (int k = 0; k < 200; ++k) {
    const Response<double> r = answer(law, some_stretch(random, k, 0.2));
    const double pressure = -mean(r.stress);
    CHECK(pressure >= -1e-6 * mu);
    // |dev t| <= 2 mu (3 lambda + 2 mu)/(2 mu) alpha |tr e| = alpha |tr t|, as tr t = (3 lambda + 2
    // mu) tr e.
    CHECK(deviator(r.stress) <= alpha * 3 * pressure * (1 + 1e-6) + 1e-6 * mu);
    CHECK(lambda > 0);
  }
  const Response<double> apart = answer(law, {1.1, 1.05, 1.2});
  for (int i = 0; i < 3; ++i) CHECK(std::abs(apart.stress[i]) < 1e-6 * mu);
}

TEST_CASE("sand_that_was_drawn_apart_must_close_before_it_resists") {
  const SandLaw law = sand();
  double gained = 0;
  const Stretch left = respond(law, Stretch{1.1, 1.0, 1.0}, gained, 0).stretch;
  CHECK(gained == doctest::Approx(std::log(1.1)).epsilon(1e-6));
  const Stretch half = left * 1.0;
  const Response<double> closing =
      respond(law, Stretch{half[0] / 1.05, half[1], half[2]}, gained, 0);
  CHECK(std::abs(closing.stress[0]) < 1e-3 * law.elastic.mu);
  const Response<double> closed = respond(
      law, Stretch{closing.stretch[0] / 1.07, closing.stretch[1], closing.stretch[2]}, gained, 0);
  CHECK(closed.stress[0] < -1e-3 * law.elastic.mu);
}

TEST_CASE("clay_flows_at_its_yield_stress_and_keeps_its_volume") {
  const VonMisesLaw law = clay();
  double flowed = 0;
  const Stretch pulled{1.2, 0.95, 0.95};
  const Response<double> r = respond(law, pulled, flowed, 0);
  CHECK(deviator(r.stress) == doctest::Approx(std::sqrt(2.0 / 3) * law.yield_stress).epsilon(1e-5));
  CHECK(product(r.stretch) == doctest::Approx(product(pulled)).epsilon(1e-6));
  CHECK(flowed > 0);
  const double before = flowed;
  respond(law, r.stretch, flowed, 0);
  CHECK(flowed == doctest::Approx(before).epsilon(1e-6));
}

TEST_CASE("a_liquid_pushes_when_pressed_and_resists_shear_by_viscosity_only") {
  LiquidLaw law;
  law.bulk_modulus = 1e5;
  law.viscosity = 2;
  CHECK(pressure_of(law, 1.0) == 0);
  // Linear for small compression: p = K (1 - J).
  CHECK(pressure_of(law, 0.9999) == doctest::Approx(10).epsilon(1e-2));
  CHECK(pressure_of(law, 1.1) == 0);
  Mat3d shear = Mat3d::zero();
  shear[0][1] = 3;
  double j = 1;
  const Mat3d t = liquid_stress(law, shear, 0.001, j);
  CHECK(j == 1);
  CHECK(t[0][1] == doctest::Approx(6));
  CHECK(t[1][0] == doctest::Approx(6));
  CHECK(std::abs(trace(t)) < 1e-12);
  Mat3d press = Mat3d::identity() * -1.0;
  liquid_stress(law, press, 0.001, j);
  CHECK(j == doctest::Approx(0.997));
}

TEST_CASE("a_turned_body_has_its_stress_turned") {
  const Mat3d turn = rotation(normalized(Vec3d{1, 2, 3}), 0.7);
  Mat3d f = Mat3d::identity();
  f[0][1] = 0.01, f[1][1] = 0.985, f[2][0] = -0.004;
  const auto check = [&](const auto& law) {
    using Law = std::decay_t<decltype(law)>;
    Mat3d plain = f, turned = turn * f;
    double a = Law::fresh, b = Law::fresh;
    const Mat3d stress = respond(law, plain, a, 0), other = respond(law, turned, b, 0);
    const Mat3d expected = turn * stress * transpose(turn);
    // Stresses are about 1e3 Pa here.
    CHECK(std::sqrt(norm_squared(other - expected)) < 1e-6 * 1e3);
    CHECK(std::sqrt(norm_squared(turned - turn * plain)) < 1e-9);
    CHECK(a == doctest::Approx(b).epsilon(1e-9));
  };
  check(CorotatedLaw{stiff});
  check(NeoHookeanLaw{stiff});
  check(snow());
  check(sand());
  check(clay());
}

TEST_CASE("packs_of_particles_answer_as_single_ones") {
  const Random random{6, 1};
  const auto check = [&](const auto& law) {
    using Law = std::decay_t<decltype(law)>;
    constexpr Index n = pack_size<Real>;
    std::vector<Mat3> f(n);
    std::vector<Real> memory(n, Law::fresh);
    for (Index i = 0; i < n; ++i) {
      f[i] = Mat3::identity();
      for (int k = 0; k < 3; ++k)
        f[i][k] += (random.uniform3(3 * i + k) - Vec3::filled(Real(0.5))) * Real(0.1);
    }
    Mat3Pack packed = load(f.data());
    Pack packed_memory = load(memory.data());
    const Mat3Pack stress = respond(law, packed, packed_memory, 0);
    std::vector<Mat3> stresses(n);
    store(stress, stresses.data());
    for (Index i = 0; i < n; ++i) {
      const Mat3 alone = respond(law, f[i], memory[i], 0);
      // Packs may take exp and log in another way; float keeps 1e-6 of moduli of 1e5 Pa.
      CHECK(std::sqrt(norm_squared(alone - stresses[i])) < 2e-6 * 1e5 * 50);
    }
  };
  check(CorotatedLaw{stiff});
  check(NeoHookeanLaw{stiff});
  check(snow());
  check(sand());
  check(clay());
}
