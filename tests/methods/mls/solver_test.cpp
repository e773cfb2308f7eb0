#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "methods/mls/mls_scenes.h"
#include "phyxel/core/error.h"

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
        put(world,
            [&](const Vec3d&, ParticleId id) { return turned(start[id], (turn + 1) * M_PI / 4); });
        force = std::max(force, largest(forces(world)));
        energy = std::max(energy, elastic_energy(world));
      }
      // Places are rounded to eps of 0.2 m, four spacings, and strains by as much; forces are
      // sums of thirty neighbourhoods.
      const double strain = 4 * eps, area = flat ? 0.05 : 0.05 * 0.05;
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
      CHECK(length(after.momentum - before.momentum) < rounding * scale);
      CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale * size);
      CHECK(length(after.angular_momentum) > 0.1 * scale * size);
      // Symplectic steps do not add energy.
      CHECK(after.kinetic_energy + after.potential_energy <
            1.1 * (before.kinetic_energy + before.potential_energy));
    }
}

TEST_CASE("implicit_steps_keep_the_linear_momentum_to_rounding") {
  Block block;
  block.keys = "integration = \"implicit\"\ntolerance = 1e-4";
  block.packing = "jittered";
  World world = world_of(text_of(block));
  spin(world, {0, 0, 3}, Real(0.2));
  const Diagnostics before = look(world);
  const int steps = 1000;
  take_steps(world, 0.005, steps);
  const Diagnostics after = look(world);
  const double scale = before.mass * before.max_speed;
  CHECK(length(after.momentum - before.momentum) < 3 * eps * std::sqrt(double(steps)) * scale);
}

TEST_CASE("forces_on_a_whole_body_are_the_slope_of_its_energy") {
  for (const std::string keys : {"", "stabilisation = 1.0\npoissons_ratio = 0.45",
                                 "fibre_modulus = 4e5\nfibre = [1, 1, 0]"}) {
    CAPTURE(keys);
    Block block;
    block.keys = keys;
    block.packing = "jittered";
    World world = world_of(text_of(block));
    const std::vector<Vec3d> start = places(world);
    const auto noise = [](ParticleId id, std::uint64_t stream) {
      return cast<double>(Random{7, std::uint32_t(stream)}.uniform3(id)) - Vec3d::filled(0.5);
    };
    // Bent, stretched and shaken by a fifth of the spacing.
    const auto place = [&](ParticleId id, double along) {
      const Vec3d x = start[id];
      return Vec3d{1.1 * x[0], x[1] + x[0] * x[0], x[2]} + noise(id, 1) * 0.01 +
             noise(id, 2) * along;
    };
    const auto energy_at = [&](double along) {
      put(world, [&](const Vec3d&, ParticleId id) { return place(id, along); });
      return elastic_energy(world);
    };
    const double step = 1e-3, slope = (energy_at(step) - energy_at(-step)) / (2 * step);
    energy_at(0);
    const std::vector<Vec3d> f = forces(world);
    double work = 0;
    for (std::size_t id = 0; id < f.size(); ++id) work -= dot(f[id], noise(id, 2));
    // The third derivative times the square of the step, over a strain of a fifth.
    CHECK(work == doctest::Approx(slope).epsilon(0.01));
    CHECK(std::abs(slope) > 1);
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
    CHECK(last == doctest::Approx(first).epsilon(0.005));
  }
}

TEST_CASE("a_checkerboard_meets_resistance_by_stabilisation_alone") {
  // Cubic and without end: the gradient of a checkerboard is zero everywhere.
  for (const int dimensions : {2, 3})
    for (const bool held : {true, false}) {
      CAPTURE(dimensions);
      Block block;
      block.head = fmt::format("dimensions = {}", dimensions);
      block.packing = "cubic";
      block.size = "[0.4, 0.4, 0.4]";
      block.keys = held ? "" : "stabilisation = 0.0";
      block.world = fmt::format(
          "periodic = [true, true, {}]\n[world.domain]\nmin = [-0.2, -0.2, -0.2]\nmax = [0.2, "
          "0.2, 0.2]",
          dimensions == 3);
      World world = world_of(text_of(block));
      const double amplitude = 0.005;
      const auto sign = [&](const Vec3d& x) {
        int sum = 0;
        for (int k = 0; k < dimensions; ++k)
          sum += static_cast<int>(std::floor(x[k] / block.spacing + 0.01));
        return sum % 2 == 0 ? 1 : -1;
      };
      std::vector<int> signs(method_of(world).particles().x.size());
      put(world, [&](const Vec3d& x, ParticleId id) {
        signs[id] = sign(x);
        return x + Vec3d{amplitude * signs[id], 0, 0};
      });
      const std::vector<Vec3d> f = forces(world);
      double back = 0, most = 0;
      for (std::size_t id = 0; id < f.size(); ++id) {
        back -= f[id][0] * signs[id] / double(f.size());
        most = std::max(most, length(f[id]));
      }
      // Of a spring as long and thick as a phyxel; the strain that it would have is a fifth.
      const double spring = youngs_modulus * amplitude * (dimensions == 2 ? 1 : block.spacing);
      if (held)
        CHECK(back > 0.05 * spring);
      else
        CHECK(most < 100 * eps * youngs_modulus * block.spacing * block.spacing *
                         (dimensions == 2 ? 1 / block.spacing : 1));
    }
}

namespace {

/// A thousand steps of so many times the length that is reported: whether energy grows.
bool blows_up(const Block& block, double factor) {
  World world = world_of(text_of(block));
  spin(world, {0, 0, 0}, Real(1e-3));
  const auto energy = [&] {
    const Diagnostics d = look(world);
    return d.kinetic_energy + d.potential_energy;
  };
  const double dt = factor * stable_dt(world), before = energy();
  try {
    for (int k = 0; k < 10; ++k) {
      take_steps(world, dt, 100);
      if (!(energy() < 3 * before)) return true;
    }
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("steps_as_long_as_reported_hold_and_two_and_a_half_times_as_long_ones_do_not") {
  for (const std::string head : {"", "dimensions = 2"})
    for (const std::string packing : {"closest", "cubic", "poisson"})
      for (const std::string keys :
           {"", "support = 1.7", "stabilisation = 0.0", "stabilisation = 1.0",
            "poissons_ratio = 0.49", "poissons_ratio = 0.0", "damping = 1e-3",
            "fibre_modulus = 5e5\nfibre = [1, 0, 0]"}) {
        CAPTURE(head);
        CAPTURE(packing);
        CAPTURE(keys);
        Block block;
        block.head = head;
        block.packing = packing;
        block.keys = keys;
        CHECK_FALSE(blows_up(block, 1));
        const bool loose = keys.starts_with("fibre") || keys.starts_with("damping");
        CHECK(blows_up(block, loose ? 2.7 : 2.5));
      }
}

TEST_CASE("with_the_support_of_the_paper_steps_hold_that_are_three_times_as_long") {
  // The bound adds up neighbourhoods, which overlap more the wider they are.
  Block block;
  block.keys = "support = 3.0";
  CHECK_FALSE(blows_up(block, 1));
  CHECK(blows_up(block, 3.3));
}

TEST_CASE("short_frames_of_strongly_damped_matter_hold") {
  // Frames begin without knowledge of the step before.
  for (const double damping : {1e-3, 0.05, 1.0}) {
    CAPTURE(damping);
    Block block;
    block.keys = fmt::format("damping = {}", damping);
    World world = world_of(text_of(block));
    world.live.fps = 1000;
    spin(world, {0, 0, 0}, Real(1e-3));
    const double before = look(world).kinetic_energy;
    for (int frame = 0; frame < 20; ++frame) {
      advance(world);
      const Diagnostics d = look(world);
      CHECK(d.kinetic_energy + d.potential_energy < before);
    }
  }
}

TEST_CASE("a_body_let_go_far_from_its_shape_vibrates_and_stays_whole") {
  const std::vector<Mat3d> far = {diagonal(Vec3d{2, 1, 1}),
                                  diagonal(Vec3d{0.4, 0.4, 1}),
                                  {{{1, 1.5, 0}, {0, 1, 0}, {0, 0, 1}}},
                                  diagonal(Vec3d{0.05, 1, 1}),
                                  diagonal(Vec3d{-0.7, 1, 1})};
  for (const std::string head : {"", "dimensions = 2"})
    for (const Mat3d& f : far) {
      CAPTURE(head);
      CAPTURE(f[0][0]);
      Block block;
      block.head = head;
      block.keys = "self_contact = false";
      World world = world_of(text_of(block));
      put(world, [&](const Vec3d& x, ParticleId) { return f * x; });
      const double before = look(world).potential_energy;
      double most = 0;
      for (int frame = 0; frame < 15; ++frame) {
        advance(world);
        const Diagnostics d = look(world);
        most = std::max(most, (d.kinetic_energy + d.potential_energy) / before);
      }
      // Velocities of half a step later than positions would start with 0.81 times the energy more.
      CHECK(most < 1.1);
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
