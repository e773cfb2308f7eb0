#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/methods/lattice/assignment.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}

/// A free block, or whatever `more` makes of it.
std::string block(const std::string& keys = "", const std::string& more = "",
                  const std::string& head = "") {
  return fmt::format(R"(
fps = 50
{}
[world]
gravity = [0, 0, 0]
[material.m]
method = "lattice"
density = 1000.0
youngs_modulus = 1e5
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [0.4, 0.2, 0.2] }}
spacing = 0.05
{}
)",
                     head, keys, more);
}

Method& method_of(World& world) {
  return *world.methods.front();
}
Diagnostics look(World& world) {
  return method_of(world).diagnostics(world.environment);
}

void spin(World& world, const Vec3& omega, Real noise) {
  HostParticles& p = method_of(world).particles();
  const bool flat = world.environment.dimensions == 2;
  for (Index i = 0; i < p.size(); ++i) {
    p.v[i] +=
        cross(omega, p.x[i]) + (Random{3, 0}.uniform3(p.id[i]) - Vec3::filled(Real(0.5))) * noise;
    if (flat) p.v[i][2] = 0;
  }
  method_of(world).begin(world.environment);
}

/// All particles get ids that are larger by so much.
void shift_ids(World& world, ParticleId by) {
  for (ParticleId& id : method_of(world).particles().id) id += by;
  method_of(world).begin(world.environment);
}

/// Positions in the order of ids.
std::vector<Vec3> places_of(World& world) {
  const HostParticles& p = method_of(world).particles();
  std::map<ParticleId, Vec3> places;
  for (Index i = 0; i < p.size(); ++i) places[p.id[i]] = p.x[i];
  std::vector<Vec3> result;
  for (const auto& [id, x] : places) result.push_back(x);
  return result;
}

/// Frames until so many steps are done.
void take_steps(World& world, std::uint64_t steps) {
  while (world.environment.step < steps) advance(world);
}

}  // namespace

TEST_CASE("a_free_spinning_vibrating_body_keeps_both_momenta_to_rounding") {
  for (const char* head : {"", "dimensions = 2"})
    for (const char* keys : {"law = \"hookean\"", "law = \"stiffness\"\nshells = 2",
                             "damping = 20.0", "docking_rate = 200.0\nstrength = 2e3"}) {
      CAPTURE(head);
      CAPTURE(keys);
      World world = world_of(block(keys, "", head));
      spin(world, {0, 0, 3}, Real(0.5));
      const Diagnostics before = look(world);
      take_steps(world, 2000);
      const Diagnostics after = look(world);
      const double scale = before.mass * before.max_speed, size = 0.2;
      // Each step rounds every velocity and place at random, by the roots of 2000 steps and 400
      // particles; forces are larger than what they leave, which costs a digit.
      const double rounding = 100 * std::numeric_limits<Real>::epsilon();
      CHECK(length(after.momentum - before.momentum) < rounding * scale);
      CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale * size);
      CHECK(length(after.angular_momentum) > 0.1 * scale * size);
      // Symplectic steps do not add energy; where bonds form or break some is lost or won.
      CHECK(after.kinetic_energy + after.potential_energy <
            1.1 * (before.kinetic_energy + before.potential_energy));
    }
}

TEST_CASE("a_body_at_rest_feels_no_force_however_it_lies") {
  for (const char* turn : {"", ", rotation = [20, 30, 50]"}) {
    std::string text = block();
    text.insert(text.find(" }\nspacing"), turn);
    World world = world_of(text);
    CHECK(look(world).potential_energy < 1e-9);
    for (int frame = 0; frame < 2; ++frame) advance(world);
    // Lattice points are rounded: strains of 1e-6.
    CHECK(look(world).max_speed < 1e-4);
  }
}

TEST_CASE("a_rigidly_rotating_lattice_feels_no_force") {
  for (const char* head : {"", "dimensions = 2"}) {
    World world = world_of(block("", "", head));
    // 60 revolutions; what a spin of this speed strains, rho omega^2 L^2 / 8 E, is 2e-5.
    const Real omega = Real(0.3);
    spin(world, {0, 0, omega}, 0);
    const Diagnostics before = look(world);
    HostParticles& p = method_of(world).particles();
    std::vector<Vec3> start(p.x.size());
    for (Index i = 0; i < p.size(); ++i) start[p.id[i]] = p.x[i];
    // The method is told that the body has turned by another way: all particles at once.
    for (int turn = 0; turn < 60 * 24; ++turn) {
      const double angle = (turn + 1) * 2 * 3.14159265358979 / 24;
      const Real c = Real(std::cos(angle)), s = Real(std::sin(angle));
      HostParticles& q = method_of(world).particles();
      for (Index i = 0; i < q.size(); ++i) {
        const Vec3 x = start[q.id[i]];
        q.x[i] = {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
        q.v[i] = Vec3{-q.x[i][1], q.x[i][0], 0} * omega;
      }
      method_of(world).begin(world.environment);
      method_of(world).step(world.environment, Real(1e-6));
    }
    const Diagnostics after = look(world);
    CHECK(after.potential_energy < 1e-6 * before.kinetic_energy + 1e-8);
    CHECK(after.kinetic_energy == doctest::Approx(before.kinetic_energy).epsilon(1e-4));
  }
}

TEST_CASE("a_flat_body_stays_flat") {
  World world = world_of(block("", "velocity = [1, 2, 0]", "dimensions = 2"));
  for (int frame = 0; frame < 2; ++frame) advance(world);
  for (const Vec3& x : method_of(world).particles().x) CHECK(x[2] == 0);
}

TEST_CASE("bodies_that_rub_keep_both_momenta_to_rounding") {
  for (const char* head : {"", "dimensions = 2"}) {
    World world = world_of(block("friction = 0.5", R"(velocity = [1, 0, 0]
[body.c]
material = "m"
shape = { type = "box", centre = [0.5, 0.1, 0], size = [0.4, 0.2, 0.2] }
spacing = 0.05
velocity = [-1, 0, 0])",
                                 head));
    const Diagnostics before = look(world);
    for (int frame = 0; frame < 15; ++frame) advance(world);
    const Diagnostics after = look(world);
    const double scale = before.mass * before.max_speed;
    // As above; the last torques are handed over while the bodies are apart.
    const double rounding = 100 * std::numeric_limits<Real>::epsilon();
    CHECK(length(after.momentum - before.momentum) < rounding * scale);
    CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale * 0.5);
    CHECK(after.kinetic_energy < 0.98 * before.kinetic_energy);
  }
}

TEST_CASE("two_bodies_bounce_off_each_other_and_do_not_join") {
  World world = world_of(block("contact_damping = 0.0\nfriction = 0.0", R"(velocity = [1, 0, 0]
[body.c]
material = "m"
shape = { type = "box", centre = [0.5, 0, 0], size = [0.4, 0.2, 0.2] }
spacing = 0.05
velocity = [-1, 0, 0])"));
  const Diagnostics before = look(world);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  const HostParticles& p = method_of(world).particles();
  Vec3 v[2] = {Vec3::zero(), Vec3::zero()};
  Real n = 0;
  for (Index i = 0; i < p.size(); ++i) v[p.body[i]] += p.v[i], n += Real(0.5);
  CHECK(v[0][0] / n < Real(-0.5));
  CHECK(v[1][0] / n > Real(0.5));
  const Diagnostics after = look(world);
  CHECK(after.kinetic_energy + after.potential_energy ==
        doctest::Approx(before.kinetic_energy + before.potential_energy).epsilon(0.03));
}

TEST_CASE("a_block_comes_to_rest_on_a_floor_and_does_not_leak") {
  World world = world_of(R"(
fps = 50
[material.m]
method = "lattice"
youngs_modulus = 1e5
damping = 200.0
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.15, 0], size = [0.3, 0.2, 0.3] }
spacing = 0.05
[collider.floor]
shape = { type = "plane" }
friction = 0.5
)");
  for (int frame = 0; frame < 60; ++frame) advance(world);
  const Diagnostics d = look(world);
  CHECK(d.max_speed < 0.02);
  CHECK(d.centre()[1] == doctest::Approx(0.1).epsilon(0.1));
  for (const Vec3& x : method_of(world).particles().x) CHECK(x[1] > Real(0.02));
}

TEST_CASE("blocks_stacked_on_each_other_stay_there_and_win_no_energy") {
  World world = world_of(R"(
fps = 50
[material.m]
method = "lattice"
youngs_modulus = 1e5
damping = 300.0
contact_damping = 1.0
friction = 0.5
[body.a]
material = "m"
shape = { type = "box", centre = [0, 0.101, 0], size = [0.2, 0.2, 0.2] }
spacing = 0.04
[body.b]
material = "m"
shape = { type = "box", centre = [0.01, 0.36, 0.01], size = [0.2, 0.2, 0.2], rotation = [0, 20, 0] }
spacing = 0.04
[collider.floor]
shape = { type = "plane" }
friction = 0.5
)");
  const Diagnostics before = look(world);
  for (int frame = 0; frame < 120; ++frame) {
    advance(world);
    const Diagnostics d = look(world);
    CHECK(d.kinetic_energy + d.potential_energy < 1.001 * before.potential_energy);
  }
  const Diagnostics after = look(world);
  // They fell by 4 J, and sway on.
  CHECK(after.kinetic_energy < 0.1);
  CHECK(after.centre()[1] > 0.18);
}

TEST_CASE("a_change_of_docking_without_a_rate_is_refused") {
  CHECK_THROWS_AS(world_of(block("docking_change = 10.0")), Error);
}

TEST_CASE("ids_of_any_size_are_told_apart_in_slots") {
  std::vector<Vec3> first;
  // Zero, beyond 32 bits, and with names that begin anew among the particles.
  for (const ParticleId by : {ParticleId{0}, ParticleId{1} << 40, lattice::slot_id_count - 100}) {
    CAPTURE(by);
    World world = world_of(block());
    spin(world, {0, 0, 3}, Real(0.5));
    shift_ids(world, by);
    take_steps(world, 300);
    if (by == 0) first = places_of(world);
    CHECK(places_of(world) == first);
  }
}

TEST_CASE("ids_that_slots_cannot_tell_apart_are_refused") {
  World world = world_of(block());
  ParticleId& last = *std::ranges::max_element(method_of(world).particles().id);
  last = lattice::slot_id_count - 1;
  CHECK_NOTHROW(method_of(world).begin(world.environment));
  *std::ranges::max_element(method_of(world).particles().id) = lattice::slot_id_count;
  CHECK_THROWS_WITH_AS(
      method_of(world).begin(world.environment),
      doctest::Contains("go from 0 to 4294967294, and those at one time have to lie within "
                        "4294967294 to be told apart; remove old particles sooner"),
      Error);
}
