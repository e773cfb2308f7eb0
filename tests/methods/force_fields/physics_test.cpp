#include <cmath>
#include <doctest/doctest.h>

#include "methods/force_fields/field_scenes.h"

// Force fields move matter of every method by the textbook.

using namespace phyxel;

namespace {

const std::string field = "[field.f]\ntype = ";

}  // namespace

TEST_CASE("a_free_particle_takes_on_the_velocity_of_the_wind") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    World world = world_of(field_scene(method, one_particle("[0, 0, 0]", "[0, 0, 0]"),
                                       field + "\"wind\"\nvelocity = [2, 1, 0]\nrate = 3.0\n"));
    REQUIRE(particles_of(world).size() == 1);
    advance_to(world, 0.5);
    // v' = rate (u - v), which each step solves exactly: rounding is left.
    const double share = 1 - std::exp(-3.0 * 0.5);
    const Vec3 v = particles_of(world).v[0];
    CHECK(v[0] == doctest::Approx(2 * share).epsilon(1e-4));
    CHECK(v[1] == doctest::Approx(share).epsilon(1e-4));
  }
}

TEST_CASE("a_fall_in_still_air_ends_at_the_terminal_velocity") {
  for (const PushedMethod& method : pushed_methods())
    for (const std::string law : {"linear = 5.0", "quadratic = 2.0"}) {
      CAPTURE(method.name);
      CAPTURE(law);
      World world = world_of(field_scene(method, one_particle("[0, 0, 0]", "[0, 0, 0]"),
                                         field + "\"drag\"\n" + law + "\n[time]\nmax_dt = 0.01",
                                         "[0, -10, 0]"));
      advance_to(world, 3);
      const double terminal = law[0] == 'l' ? 10.0 / 5 : std::sqrt(10.0 / 2);
      // Half of the field before gravity and half after: off by (rate dt)^2 / 24 = 1e-4 for the
      // linear law; the quadratic one is no exact solution together with gravity.
      CHECK(particles_of(world).v[0][1] == doctest::Approx(-terminal).epsilon(0.002));
    }
}

TEST_CASE("drag_of_any_strength_is_stable") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    World world = world_of(field_scene(method, one_particle("[0, 0, 0]", "[1, 0, 0]"),
                                       field + "\"drag\"\nlinear = 1e8\nquadratic = 1e6\n"));
    advance(world);
    // All of it is gone in a step; no velocity changes its sign.
    CHECK(std::abs(particles_of(world).v[0][0]) < 1e-6);
    CHECK(particles_of(world).v[0][0] >= 0);
  }
}

TEST_CASE("a_particle_goes_around_an_attractor_in_the_time_of_kepler") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    // At the apocentre of an ellipse with the axes 1 and 0.8 times 2 m around a mass with G M = 4;
    // nearest 0.8 m, farthest 3.2 m: a = 2 m, T = 2 pi sqrt(a^3 / G M).
    const double a = 2, gm = 4, apocentre = 2.6, period = 2 * M_PI * std::sqrt(a * a * a / gm);
    const double speed = std::sqrt(gm * (2 / apocentre - 1 / a));
    World world = world_of(field_scene(
        method,
        one_particle(fmt::format("[{}, 0, 0]", apocentre), fmt::format("[0, {}, 0]", speed)),
        field + fmt::format("\"attractor\"\nstrength = {}\nsoftening = 0.001\n", gm) +
            "[time]\nmax_dt = 0.005",
        "[0, 0, 0]", fmt::format("fps = {}", 1 / period)));
    const double energy = diagnose(world).kinetic_energy + diagnose(world).potential_energy;
    const double mass = particles_of(world).mass[0];
    CHECK(energy / mass == doctest::Approx(-gm / (2 * a)).epsilon(1e-4));
    advance(world);
    // Back after one period. Second order of dt: phase off by (w dt)^2 / 24 of some revolutions;
    // symplectic Euler of mpm by w dt / 2 of the orbit's width.
    // Positions are relative to the origin of the scene.
    const Vec3d x = world.environment.origin + cast<double>(particles_of(world).x[0]);
    CHECK(length(x - Vec3d{apocentre, 0, 0}) < (method.name == "mpm" ? 0.03 : 0.003));
    const Diagnostics after = diagnose(world);
    CHECK(after.kinetic_energy + after.potential_energy ==
          doctest::Approx(energy).epsilon(method.name == "mpm" ? 0.01 : 1e-3));
  }
}

TEST_CASE("a_vortex_gives_matter_the_angular_momentum_of_its_torque") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    // Within the core all matter gets the same angular acceleration, strength / radius = 0.5: it
    // begins to turn as a whole, and no stress acts.
    World world = world_of(field_scene(
        method, "shape = { type = \"box\", size = [0.8, 0.8, 0.8] }\nspacing = 0.1\n",
        field + "\"vortex\"\nstrength = 1.0\nradius = 2.0\n", "[0, 0, 0]", "fps = 100"));
    double inertia = 0;
    const HostParticles& p = particles_of(world);
    for (Index i = 0; i < p.size(); ++i)
      inertia +=
          double(p.mass[i]) * (double(p.x[i][0]) * p.x[i][0] + double(p.x[i][1]) * p.x[i][1]);
    advance_to(world, 0.02);
    const Diagnostics d = diagnose(world);
    const double momentum = d.angular_momentum[2];
    CHECK(length(d.momentum) < 1e-4 * 512);
    CHECK(momentum == doctest::Approx(inertia * 0.5 * 0.02).epsilon(0.01));
  }
}

TEST_CASE("momentum_changes_by_the_impulse_of_the_fields_and_no_more") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    World world = world_of(field_scene(
        method,
        "shape = { type = \"box\", size = [0.5, 0.4, 0.3] }\nspacing = 0.1\nvelocity = [0, 1, 0]\n",
        field + "\"wind\"\nvelocity = [3, 0, 1]\nrate = 2.0\nquadratic = 0.5\nturbulence = "
                "1.0\neddy_size = 0.5\nregion = { type = \"sphere\", radius = 0.4 }\nedge = 0.1\n"
                "[field.pull]\ntype = \"attractor\"\npoint = [0, 1, 0]\nsoftening = 0.2\n",
        "[0, -1, 0]", "fps = 50"));
    const Diagnostics before = diagnose(world);
    advance_to(world, 0.2);
    const Diagnostics after = diagnose(world);
    const Vec3d change = after.momentum - before.momentum;
    const Vec3d impulse = after.field_impulse + Vec3d{0, -1, 0} * (after.mass * 0.2);
    CHECK(length(impulse) > 0.1 * after.mass);  // something happens
    // Rounding of float in each of some hundred steps.
    for (int k = 0; k < 3; ++k)
      CHECK(std::abs(change[k] - impulse[k]) < 2e-5 * length(impulse) + 1e-5 * after.mass);
  }
}

TEST_CASE("work_of_fields_is_in_the_balance_of_energy") {
  World world = world_of(field_scene(
      {"lennard_jones", "youngs_modulus = 1e5\ndamping = 1.0\n"},
      "shape = { type = \"box\", size = [0.5, 0.4, 0.3] }\nspacing = 0.1\n",
      field + "\"wind\"\nvelocity = [3, 0, 1]\nrate = 2.0\n[field.pull]\ntype = \"attractor\"\n"
              "point = [0, 1, 0]\nsoftening = 0.2\n[time]\nmax_dt = 1e-4\n",
      "[0, -1, 0]", "fps = 50"));
  const double before = extra_of(diagnose(world), "energy_balance");
  advance_to(world, 0.2);
  const Diagnostics after = diagnose(world);
  // The error of Verlet's method itself: 1e-4 at this step without any field, and it falls with it.
  CHECK(extra_of(after, "external_work") > 0.5 * after.kinetic_energy);
  CHECK(std::abs(extra_of(after, "energy_balance") - before) < 3e-4 * after.kinetic_energy);
}

TEST_CASE("a_field_acts_in_its_region_and_on_its_materials_only") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    const std::string wind = field + "\"wind\"\nvelocity = [1, 0, 0]\nrate = 10.0\n";
    const std::string body = one_particle("[0, 0, 0]", "[0, 0, 0]");
    World outside = world_of(field_scene(
        method, body, wind + "region = { type = \"box\", centre = [3, 0, 0], size = [1, 1, 1] }"));
    advance(outside);
    CHECK(particles_of(outside).v[0] == Vec3::zero());
    World other = world_of(field_scene(
        method, body,
        wind + "material = [\"other\"]\n[material.other]\nmethod = \"" +
            (method.name == "sph" ? "lennard_jones\"\nyoungs_modulus = 1e4\n" : "sph\"\n")));
    advance(other);
    CHECK(particles_of(other).v[0] == Vec3::zero());
    World off = world_of(field_scene(method, body, wind + "active = false"));
    advance(off);
    CHECK(particles_of(off).v[0] == Vec3::zero());
  }
}

TEST_CASE("events_and_keyframes_change_fields") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    World world = world_of(field_scene(
        method, one_particle("[0, 0, 0]", "[0, 0, 0]"),
        field + "\"wind\"\nvelocity = [1, 0, 0]\nrate = 1e6\n[[event]]\ntime = 0.3\nset = { "
                "\"field.f.velocity\" = [0, 2, 0] }\n[[event]]\ntime = 0.5\nset = { "
                "\"field.f.active\" = false }\n"));
    advance_to(world, 0.3);
    CHECK(particles_of(world).v[0][0] == doctest::Approx(1));
    advance_to(world, 0.5);
    CHECK(particles_of(world).v[0][0] == doctest::Approx(0).epsilon(1e-5));
    CHECK(particles_of(world).v[0][1] == doctest::Approx(2));
    World keyed = world_of(field_scene(
        method, one_particle("[0, 0, 0]", "[0, 0, 0]"),
        field + "\"wind\"\nrate = 1e6\n[[keyframe]]\npath = \"field.f.velocity\"\ntimes = [0, 1]\n"
                "values = [[0, 0, 0], [1, 0, 0]]\n"));
    advance_to(keyed, 0.5);
    // The value at the start of the last step.
    CHECK(particles_of(keyed).v[0][0] == doctest::Approx(0.5).epsilon(0.02));
  }
}

TEST_CASE("a_scene_with_fields_that_is_moved_far_away_does_the_same") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    std::vector<Vec3> first;
    for (const int far : {0, 1000}) {
      World world = world_of(field_scene(
          method,
          fmt::format("shape = {{ type = \"box\", centre = [{}, 0, 0], size = [0.4, 0.4, 0.4] "
                      "}}\nspacing = 0.1\n",
                      far),
          fmt::format("[field.pull]\ntype = \"attractor\"\npoint = [{0}.5, 0, 0]\nsoftening = "
                      "0.5\n[field.turn]\ntype = \"vortex\"\npoint = [{0}, 0, 0]\nregion = {{ type "
                      "= \"sphere\", centre = [{0}, 0, 0], radius = 0.2 }}\nedge = 0.1\n"
                      "[field.air]\ntype = \"wind\"\nvelocity = [1, 2, 0]\nturbulence = 1.0\n",
                      far)));
      advance(world);
      std::vector<Vec3> state(particles_of(world).x.size());
      for (Index i = 0; i < particles_of(world).size(); ++i)
        state[particles_of(world).id[i]] = particles_of(world).x[i];
      if (far == 0) first = state;
      CHECK(state == first);
      CHECK(world.environment.origin[0] == far);
    }
  }
}
