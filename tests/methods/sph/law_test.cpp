#include <cmath>
#include <doctest/doctest.h>
#include <initializer_list>

#include "phyxel/matter/sph_law.h"
#include "phyxel/matter/sph_wall.h"

using namespace phyxel;
using namespace phyxel::sph;

namespace {

Law water() {
  Law law;
  law.density = 1000;
  law.sound_speed = 20;
  return law;
}

}  // namespace

TEST_CASE("pressure_rises_as_the_square_of_the_speed_of_sound_says") {
  for (const Real gamma : {Real(1), Real(3.5), Real(7)}) {
    Law law = water();
    law.gamma = gamma;
    CHECK(pressure(law, 1) == 0);
    // dp/drho = c^2 at rest; a difference over a percent is off by gamma/2 percent.
    const double slope = pressure(law, Real(1.01)) / (0.01 * law.density);
    CHECK(slope == doctest::Approx(400).epsilon(0.005 * gamma).scale(0));
  }
}

TEST_CASE("stretched_liquid_has_no_pressure") {
  for (const Real ratio : {Real(0), Real(0.5), Real(0.99)}) CHECK(pressure(water(), ratio) == 0);
}

TEST_CASE("the_seventh_power_is_that_of_the_library") {
  for (const Real b : {Real(0.9), Real(1), Real(1.03)}) {
    CHECK(power(b, 7) == doctest::Approx(std::pow(b, Real(7))).scale(0));
    CHECK(power(b, 1) == b);
  }
}

TEST_CASE("the_speed_of_sound_is_the_slope_of_the_pressure") {
  const Law law = water();
  const double step = 0.01, ratio = 1.1;
  const double slope =
      (pressure(law, Real(ratio + step)) - pressure(law, Real(ratio - step))) / (2 * step * 1000);
  // The difference over two percent is off by step^2 30/6 relatively.
  CHECK(std::pow(sound_speed(law, Real(ratio)), 2) ==
        doctest::Approx(slope).epsilon(2e-3).scale(0));
}

TEST_CASE("the_energy_of_compression_is_the_work_of_the_pressure") {
  for (const Real gamma : {Real(1), Real(7)}) {
    Law law = water();
    law.gamma = gamma;
    double work = 0;
    const int steps = 2000;
    for (int k = 0; k < steps; ++k) {
      const double ratio = 1 + 0.1 * (k + 0.5) / steps;
      work += pressure(law, Real(ratio)) / (ratio * ratio) * 0.1 / steps;
    }
    CHECK(compression_energy(law, 1.1) == doctest::Approx(work).epsilon(1e-3).scale(0));
    CHECK(compression_energy(law, 0.9) == 0);
  }
}

TEST_CASE("viscosity_between_equal_liquids_is_theirs") {
  CHECK(shared_viscosity(Real(3), Real(3)) == doctest::Approx(3).scale(0));
  CHECK(shared_viscosity(Real(0), Real(3)) == 0);
  CHECK(shared_viscosity(Real(0), Real(0)) == 0);
  CHECK(shared_viscosity(Real(1), Real(3)) == doctest::Approx(1.5).scale(0));
}

TEST_CASE("pressure_pushes_apart_and_friction_slows_approach_and_parting") {
  const SmoothingKernel kernel = make_kernel(Real(0.1), 3);
  const Real r2 = Real(0.01);
  CHECK(pull(kernel, 3, Pair<Real>{r2, 0, 5, 0, 0}) < 0);
  CHECK(pull(kernel, 3, Pair<Real>{r2, 1, 0, 2, 0}) > 0);   // parting: drawn together
  CHECK(pull(kernel, 3, Pair<Real>{r2, -1, 0, 2, 0}) < 0);  // approaching: pushed apart
  CHECK(pull(kernel, 3, Pair<Real>{r2, -1, 0, 0, 2}) < 0);
  CHECK(pull(kernel, 3, Pair<Real>{r2, 1, 0, 0, 2}) == 0);  // artificial viscosity lets go
}

TEST_CASE("laminar_viscosity_is_the_laplacian_of_a_shear_flow") {
  // v = (y^2, 0, 0): the force density is viscosity times 2 along x. Triangles in the plane and
  // closest packing in space: cubic lattices see shear along their axes too little.
  for (const int dimensions : {2, 3}) {
    const bool flat = dimensions == 2;
    const Real edge = Real(0.1), stretch = flat ? std::sqrt(Real(3)) : Real(1), viscosity = 3;
    const Real volume = flat ? 2 * stretch * edge * edge : 2 * edge * edge * edge;
    const SmoothingKernel kernel =
        make_kernel(Real(1.5) * std::pow(volume, Real(1) / dimensions), dimensions);
    double force = 0;
    const int deep = flat ? 0 : 8;
    for (int i = -8; i <= 8; ++i)
      for (int j = -8; j <= 8; ++j)
        for (int k = -deep; k <= deep; ++k) {
          if ((i + j + k) % 2 != 0) continue;
          const Vec3 d{stretch * edge * i, edge * j, edge * k};
          const Pair<Real> pair{length_squared(d), d[0] * d[1] * d[1], 0, viscosity, 0};
          force += d[0] * volume * pull(kernel, dimensions, pair);
        }
    CHECK(force ==
          doctest::Approx(2 * viscosity).epsilon(0.03).scale(0));  // a sum instead of an integral
  }
}

TEST_CASE("a_wall_covers_more_of_a_nearer_particle_and_nothing_beyond_reach") {
  for (const int dimensions : {2, 3}) {
    const SmoothingKernel kernel = make_kernel(Real(0.2), dimensions);
    const WallTable table = make_wall_table(kernel, kernel.h / Real(1.2), dimensions);
    const auto covered = [&](double d) { return wall_term(table, kernel, Real(d)).covered; };
    for (double d = 0.01; d < 0.19; d += 0.01) CHECK(covered(d) > covered(d + 0.01));
    CHECK(covered(0) < 1);
    CHECK(covered(-1) == covered(0));
    CHECK(covered(0.2) == 0);  // its image is beyond reach
    CHECK(wall_term(table, kernel, Real(0.2)).push == 0);
    CHECK(wall_term(table, kernel, Real(0.2)).shear > 0);
    CHECK(wall_term(table, kernel, Real(0.4)).shear == 0);
  }
}

TEST_CASE("the_push_of_a_wall_is_the_slope_of_what_it_covers") {
  for (const int dimensions : {2, 3}) {
    const SmoothingKernel kernel = make_kernel(Real(0.2), dimensions);
    const WallTable table = make_wall_table(kernel, kernel.h / Real(1.2), dimensions);
    for (const Real d : {Real(0.05), Real(0.08), Real(0.125)}) {
      const Real step = Real(0.00625);  // two intervals: the table is linear within one
      const double slope = (wall_term(table, kernel, d - step).covered -
                            wall_term(table, kernel, d + step).covered) /
                           (2 * step);
      CHECK(wall_term(table, kernel, d).push == doctest::Approx(slope).epsilon(0.02).scale(0));
    }
  }
}

TEST_CASE("a_wall_completes_density_and_pressure_of_the_layers_beside_it") {
  // Half a cubic lattice, its first layer half a spacing from the wall, against the whole of it.
  for (const int dimensions : {2, 3})
    for (const Real h : {Real(1), Real(1.2), Real(1.5)}) {
      const SmoothingKernel kernel = make_sum_kernel(h, 1, dimensions).kernel;
      const WallTable table = make_wall_table(kernel, 1, dimensions);
      const int deep = dimensions == 2 ? 0 : 4;
      for (int layer = 0; layer < 3; ++layer) {
        double missing = 0, push = 0;
        for (int i = -4; i <= 4; ++i)
          for (int j = -5; j < -layer; ++j)
            for (int k = -deep; k <= deep; ++k) {
              const Vec3 d{Real(i), Real(j), Real(k)};
              missing += weight(kernel, length(d));
              push -= inward_slope(kernel, length(d)) * d[1];
            }
        const WallTerm term = wall_term(table, kernel, Real(0.5) + layer);
        // Sheets are smeared out, lattices are not; farther layers do not see the images of the
        // first.
        CHECK(term.covered == doctest::Approx(missing).epsilon(layer == 0 ? 0.003 : 0.03).scale(1));
        CHECK(term.push == doctest::Approx(2 * push).epsilon(layer == 0 ? 0.02 : 0.15).scale(1));
      }
    }
}

TEST_CASE("walls_that_meet_at_a_right_angle_leave_a_quarter_open") {
  WallSum sum;
  sum.add({Real(0.5), 0, 0});
  sum.add({Real(0.5), 0, 0});
  CHECK(sum.covered() == Real(0.75));
}

TEST_CASE("a_wall_pushes_by_the_pressure_and_never_draws") {
  const WallTerm term{Real(0.3), 4, 0};
  CHECK(wall_acceleration(term, 0, 1000, 1) == 0);
  CHECK(wall_acceleration(term, 500, 1000, 1) == doctest::Approx(2).scale(0));
  CHECK(wall_acceleration(term, 500, 1000, Real(0.5)) == doctest::Approx(1).scale(0));
}
