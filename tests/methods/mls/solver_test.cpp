#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "methods/mls/mls_scenes.h"

using namespace phyxel;
using namespace phyxel::mls::test;

namespace {

constexpr double eps = std::numeric_limits<Real>::epsilon();
constexpr double youngs_modulus = 1e5;

Vec3d turned(const Vec3d& x, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
}

}  // namespace

TEST_CASE("a_body_turned_sixty_times_feels_no_force") {
  for (const std::string plane : {"", "strain", "stress"})
    for (const std::string packing : {"closest", "jittered"}) {
      CAPTURE(plane);
      CAPTURE(packing);
      Block block;
      block.packing = packing;
      const bool flat = !plane.empty();
      if (flat) block.head = "dimensions = 2", block.world = fmt::format("plane = \"{}\"", plane);
      World world = world_of(text_of(block));
      const std::vector<Vec3d> start = places(world);
      double force = 0, energy = 0;
      for (int turn = 0; turn < 60 * 8; ++turn) {
        put(world, [&](const Vec3d&, ParticleId id) {
          return turned(start[id], (turn + 1) * M_PI / 4);
        });
        force = std::max(force, largest(forces(world)));
        energy = std::max(energy, elastic_energy(world));
      }
      // Places are rounded to eps of 0.2 m, four spacings, and strains by as much; forces are
      // sums of thirty neighbourhoods.
      const double strain = 4 * eps, area = flat ? 0.05 : 0.05 * 0.05;
      MESSAGE("", force / (youngs_modulus * area) / eps, " eps; energy ", energy);
      CHECK(force < 10 * strain * youngs_modulus * area);
      CHECK(energy < 10 * strain * strain * youngs_modulus);
    }
}

TEST_CASE("a_free_body_keeps_both_momenta_to_rounding_for_ten_thousand_steps") {
  for (const std::string head : {"", "dimensions = 2"})
    for (const std::string keys : {"", "damping = 1e-4", "yield_strain = 0.01\ncreep = 10.0",
                             "fibre_modulus = 4e5\nfibre = [1, 1, 0]"}) {
      CAPTURE(head);
      CAPTURE(keys);
      Block block;
      block.head = head;
      block.keys = keys;
      block.packing = "jittered";
      World world = world_of(text_of(block));
      spin(world, {0, 0, 3}, Real(0.5));
      const Diagnostics before = look(world);
      take_steps(world, 0.5 * stable_dt(world), 10000);
      const Diagnostics after = look(world);
      const double scale = before.mass * before.max_speed, size = 0.2;
      // Each step rounds every velocity at random, and forces, sums of thirty terms larger than
      // what they leave, a few times as much.
      const double rounding = 3 * eps * std::sqrt(10000.0);
      MESSAGE("", length(after.momentum - before.momentum) / scale / eps, " and ",
              length(after.angular_momentum - before.angular_momentum) / scale / size / eps,
              " eps");
      CHECK(length(after.momentum - before.momentum) < rounding * scale);
      CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale * size);
      CHECK(length(after.angular_momentum) > 0.1 * scale * size);
      // Symplectic steps do not add energy.
      CHECK(after.kinetic_energy + after.potential_energy <
            1.1 * (before.kinetic_energy + before.potential_energy));
    }
}

TEST_CASE("leapfrog_neither_loses_nor_wins_energy") {
  for (const std::string head : {"", "dimensions = 2"}) {
    CAPTURE(head);
    Block block;
    block.head = head;
    World world = world_of(text_of(block));
    spin(world, {0, 0, 1}, Real(0.2));
    const double dt = 0.3 * stable_dt(world);
    const auto mean_energy = [&] {
      double sum = 0;
      for (int k = 0; k < 100; ++k) {
        take_steps(world, dt, 10);
        const Diagnostics d = look(world);
        sum += (d.kinetic_energy + d.potential_energy) / 100;
      }
      return sum;
    };
    const double first = mean_energy();
    take_steps(world, dt, 8000);
    const double last = mean_energy();
    MESSAGE("", last / first - 1);
    CHECK(last == doctest::Approx(first).epsilon(0.005));
  }
}

TEST_CASE("masses_add_up_to_density_times_volume") {
  for (const std::string packing : {"closest", "cubic", "jittered", "poisson", "random"})
    for (const int dimensions : {2, 3}) {
      CAPTURE(packing);
      CAPTURE(dimensions);
      Block block;
      block.packing = packing;
      block.head = fmt::format("dimensions = {}", dimensions);
      World world = world_of(text_of(block));
      method_of(world).begin(world.environment);
      const HostParticles& p = method_of(world).particles();
      const Packing kind = world.live.bodies[0].packing;
      const double each = volume_per_point(kind, block.spacing, dimensions);
      // As of all methods: points times the volume that one stands for deep inside.
      const double rounding = 10 * eps;
      CHECK(look(world).mass == doctest::Approx(1000 * each * p.size()).epsilon(rounding));
      const double shape = dimensions == 2 ? 0.4 * 0.2 : 0.4 * 0.2 * 0.2;
      if (packing == "cubic" || packing == "jittered")
        CHECK(look(world).mass == doctest::Approx(1000 * shape).epsilon(rounding));
      const Real* const volume = column<Real>(world, "volume");
      for (Index i = 0; i < p.size(); ++i)
        CHECK(p.mass[i] == doctest::Approx(1000 * volume[i]).epsilon(rounding));
    }
}

TEST_CASE("phyxels_of_irregular_samples_are_as_large_as_the_room_around_them") {
  for (const std::string packing : {"closest", "cubic", "poisson"}) {
    Block block;
    block.packing = packing;
    World world = world_of(text_of(block));
    method_of(world).begin(world.environment);
    const Real* const volume = column<Real>(world, "volume");
    const Real* const support = column<Real>(world, "support");
    const Index n = method_of(world).particles().size();
    const auto [least, most] = std::minmax_element(volume, volume + n);
    CHECK((*least == *most) == (packing != "poisson"));
    // v = V r^3 / sum r^3, with h = 2 r.
    const double share = double(volume[0]) / std::pow(double(support[0]), 3);
    for (Index i = 0; i < n; ++i)
      CHECK(volume[i] / std::pow(double(support[i]), 3) ==
            doctest::Approx(share).epsilon(20 * eps));
  }
}
