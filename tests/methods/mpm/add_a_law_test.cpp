#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "methods/mpm/law_tar.h"
#include "phyxel/core/pack_rows.h"
#include "phyxel/methods/mpm/deform.h"

// The law that docs/add_a_law.md shows.

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(PHYXEL_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TarLaw tar() {
  TarLaw law;
  law.elastic = lame(Real(1e5), Real(0.3));
  law.relaxation_time = Real(0.5);
  return law;
}

using Stretch = Vec<double, 3>;
const Stretch sheared{1.3, 1.02, 0.9};

struct Relaxed {
  Response<double> response;
  TarLaw::Memory<double> memory{0, 0};
};
/// Held at first in that shape, for a time in equal steps.
Relaxed relax(const Stretch& first, double time, int steps) {
  Relaxed r;
  r.response.stretch = first;
  for (int k = 0; k < steps; ++k)
    r.response = respond(tar(), r.response.stretch, r.memory, time / steps);
  return r;
}

struct Solid {
  static constexpr bool has_shape = true;
};
struct Shapeless {
  static constexpr bool has_shape = false;
};

}  // namespace

TEST_CASE("the_page_shows_the_law_that_is_tested_here") {
  const std::string law = text_of("tests/methods/mpm/law_tar.h");
  REQUIRE(law.size() > 500);
  CHECK(text_of("docs/add_a_law.md").find("```cpp\n" + law + "```") != std::string::npos);
}

TEST_CASE("tar_relaxes_by_the_same_amount_however_a_time_is_cut_into_steps") {
  const double time = 0.7, left = std::exp(-time / double(tar().relaxation_time));
  const Vec<double, 3> e = logarithms_of(sheared);
  const double volume = mean(e);
  double squares = 0;
  for (int k = 0; k < 3; ++k) squares += (e[k] - volume) * (e[k] - volume);
  for (const int steps : {1, 2, 7, 1000}) {
    CAPTURE(steps);
    const Relaxed r = relax(sheared, time, steps);
    // roundings of a thousand logarithms and exponentials
    for (int k = 0; k < 3; ++k)
      CHECK(std::abs(std::log(r.response.stretch[k]) - (volume + left * (e[k] - volume))) < 1e-12);
    CHECK(r.memory.relaxed == doctest::Approx(std::sqrt(squares) * (1 - left)).epsilon(1e-10));
    CHECK(r.memory.dissipated ==
          doctest::Approx(double(tar().elastic.mu) * squares * (1 - left * left)).epsilon(1e-10));
  }
}

TEST_CASE("tar_is_elastic_for_an_instant_and_liquid_in_the_end") {
  const Relaxed now = relax(sheared, 0, 1), later = relax(sheared, 100, 1);
  const Stretch elastic = elastic_stress(tar(), sheared, TarLaw::Memory<double>{0, 0});
  for (int k = 0; k < 3; ++k) {
    CHECK(now.response.stretch[k] == doctest::Approx(sheared[k]).epsilon(1e-14));
    CHECK(now.response.stress[k] == doctest::Approx(elastic[k]).epsilon(1e-12));
    // All that is left is a pressure.
    CHECK(later.response.stress[k] == doctest::Approx(later.response.stress[0]).epsilon(1e-12));
  }
  CHECK(product(later.response.stretch) == doctest::Approx(product(sheared)).epsilon(1e-12));
}

TEST_CASE("a_law_with_a_memory_of_its_own_works_in_rows_and_packs") {
  const TarLaw law = tar();
  Row16 row{};
  store_memory<TarLaw>(TarLaw::fresh, row.c);
  row.c[row_memory] = Real(0.25), row.c[row_memory_2] = Real(3);
  TarLaw::Memory<Real> one = memory_in<TarLaw>(row.c);
  CHECK(one.relaxed == Real(0.25));
  CHECK(one.dissipated == Real(3));
  const Mat3 gradient{
      {{Real(0.3), Real(-2), Real(1)}, {Real(4), Real(0.1), 0}, {0, 1, Real(-0.5)}}};
  const Real dt = Real(0.05);
  Mat3 f = Mat3::identity();
  Real modulus;
  const Symmetric<Real> alone = deform(law, gradient, dt, f, one, modulus);
  Mat3Pack packed_gradient, packed_f;
  for (int k = 0; k < 9; ++k) {
    packed_gradient[k / 3][k % 3] = Pack(gradient[k / 3][k % 3]);
    packed_f[k / 3][k % 3] = Pack(Real(k % 4 == 0));
  }
  RowPack rows;
  for (int k = 0; k < 16; ++k) rows.c[k] = Pack(row.c[k]);
  TarLaw::Memory<Pack> many = memory_in<TarLaw>(rows.c);
  Pack packed_modulus;
  const Symmetric<Pack> packed = deform(law, packed_gradient, dt, packed_f, many, packed_modulus);
  store_memory<TarLaw>(many, rows.c);
  // quick roots of packs
  const Real most = 1000 * std::numeric_limits<float>::epsilon();
  const auto same = [&](const Pack& a, Real b, Real scale) {
    CHECK(std::abs(a.get(0) - b) < most * scale);
  };
  same(packed.xx, alone.xx, Real(1e5));
  same(packed.xy, alone.xy, Real(1e5));
  same(packed_f[0][1], f[0][1], 1);
  same(rows.c[row_memory], one.relaxed, 1);
  same(rows.c[row_memory_2], one.dissipated, Real(1e5));
  CHECK(one.relaxed > Real(0.25));
}

TEST_CASE("tar_is_as_stiff_as_what_it_is_made_of_in_an_implicit_step") {
  VonMisesLaw clay;
  clay.elastic = tar().elastic;
  Mat<double, 3> f = Mat<double, 3>::identity(), g = Mat<double, 3>::zero();
  f[0][1] = 0.2, f[1][1] = 1.1, g[0][1] = 1, g[2][2] = -0.5;
  const auto a = stress_change(stiffness_of(tar(), f, TarLaw::Memory<double>{0, 0}), g),
             b = stress_change(stiffness_of(clay, f, 0.0), g);
  for (int k = 0; k < 9; ++k)
    CHECK(a[k / 3][k % 3] == doctest::Approx(b[k / 3][k % 3]).epsilon(1e-10));
}

TEST_CASE("has_shape_means_its_value") {
  CHECK(uses_shape<Solid>());
  CHECK_FALSE(uses_shape<Shapeless>());
  CHECK(uses_shape<TarLaw>());
  CHECK_FALSE(uses_shape<LiquidLaw>());
}
