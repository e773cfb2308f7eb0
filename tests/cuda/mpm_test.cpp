#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cuda/both_devices.h"
#include "methods/mpm/beside_textbook.h"
#include "phyxel/core/error.h"

using namespace phyxel;
using namespace phyxel::test;
using namespace phyxel::mpm;

namespace {

/// A block that flies, turns and falls; it drifts over several cells and is sorted anew many times.
std::string flying_block(const std::string& material) {
  return fmt::format(R"(
fps = 100
[world]
gravity = [0, -10, 0]
[time]
fixed_dt = 2e-4
[material.m]
method = "mpm"
density = 400.0
cell = 0.1
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.03, 0.2, 0.07], size = [0.6, 0.4, 0.5] }}
packing = "cubic"
spacing = 0.05
velocity = [9, -13, 6]
angular_velocity = [500, 900, 1400]
)",
                     material);
}

/// Snow and water fall on a floor, past a ball that sticks and turns; a corner is held.
constexpr const char* busy_scene = R"(
fps = 50
[world]
gravity = [0, -10, 0]
[material.snow]
method = "mpm"
density = 400.0
cell = 0.1
[material.water]
method = "mpm"
law = "liquid"
[material.jelly]
method = "mpm"
law = "neo_hookean"
youngs_modulus = 2e4
[body.a]
material = "snow"
shape = { type = "box", centre = [0, 0.5, 0], size = [0.8, 0.6, 0.8] }
packing = "cubic"
spacing = 0.05
velocity = [1, -3, 0]
[body.b]
material = "water"
shape = { type = "box", centre = [0.9, 0.5, 0], size = [0.8, 0.6, 0.8] }
packing = "cubic"
spacing = 0.05
velocity = [-1, -3, 0]
[body.c]
material = "jelly"
shape = { type = "box", centre = [0.4, 1.2, 0], size = [0.6, 0.4, 0.6] }
packing = "cubic"
spacing = 0.05
[collider.floor]
shape = { type = "plane", point = [0, 0, 0], normal = [0, 1, 0] }
friction = 0.4
[collider.ball]
shape = { type = "sphere", centre = [0.4, 0.1, 0], radius = 0.2 }
contact = "sticky"
)";

}  // namespace

TEST_CASE("the_gpu_does_what_the_textbook_says") {
  for (const std::string law :
       {"snow", "corotated", "neo_hookean", "liquid", "sand", "von_mises"}) {
    CAPTURE(law);
    World world = world_of(flying_block("law = \"" + law + "\""), on_gpu);
    Textbook book = textbook_of(world, 0.1);
    for (int frame = 0; frame < 2; ++frame) {
      advance(world);
      for (int k = 0; k < 50; ++k) book.step(2e-4);
    }
    const Difference d = compare(world, book);
    MESSAGE(law << ": x " << d.x << " F " << d.f << " memory " << d.memory);
    // A hundred steps of rounding errors in float, which a law's corners and the stiffness
    // multiply.
    CHECK(d.x < 1e-3);
    CHECK(d.f < 1e-3);
    CHECK(d.memory < 1e-3);
  }
}

TEST_CASE("several_laws_between_colliders_end_where_the_cpu_leaves_them") {
  World cpu = world_of(busy_scene), gpu = world_of(busy_scene, on_gpu);
  for (int frame = 0; frame < 5; ++frame) advance(cpu), advance(gpu);
  const double difference = largest_difference(positions_by_id(cpu), positions_by_id(gpu)) / 0.1;
  MESSAGE("largest difference of positions: " << difference << " cells");
  // Water is chaotic: a particle that touches the ball a rounding error earlier leaves elsewhere.
  CHECK(difference < 0.05);
  // The GPU chooses steps by what was known one step earlier.
  CHECK(diagnose(gpu).kinetic_energy ==
        doctest::Approx(diagnose(cpu).kinetic_energy).epsilon(0.01));
}

TEST_CASE("the_same_run_on_the_gpu_has_the_same_bits") {
  std::vector<std::vector<Vec3>> results;
  for (int k = 0; k < 2; ++k) {
    World world = world_of(busy_scene, on_gpu);
    for (int frame = 0; frame < 5; ++frame) advance(world);
    results.push_back(positions_by_id(world));
  }
  CHECK(results[0] == results[1]);
}

TEST_CASE("looking_at_particles_between_frames_changes_nothing_on_the_gpu") {
  World seen = world_of(busy_scene, on_gpu), unseen = world_of(busy_scene, on_gpu);
  for (int frame = 0; frame < 3; ++frame) {
    advance(seen);
    seen.methods.front()->columns();
    advance(unseen);
  }
  CHECK(positions_by_id(seen) == positions_by_id(unseen));
}

/// That of the velocities, and of the affine part (Jiang et al. 2015): m dx^2/4 times the axis of
/// C.
Vec3d angular_momentum(World& world, double dx) {
  Vec3d sum = diagnose(world).angular_momentum;
  const Mat3* const c = column<Mat3>(world, "velocity_gradient");
  const HostParticles& p = world.methods.front()->particles();
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3d axis{c[i][2][1] - c[i][1][2], c[i][0][2] - c[i][2][0], c[i][1][0] - c[i][0][1]};
    sum += axis * (p.mass[i] * dx * dx / 4);
  }
  return sum;
}

TEST_CASE("mass_and_momenta_stay_on_the_gpu") {
  std::string text = flying_block("law = \"corotated\"");
  text.replace(text.find("-10"), 3, "  0");
  World world = world_of(text, on_gpu);
  advance(world);  // from then on particles have affine velocities
  const Diagnostics before = diagnose(world);
  const Vec3d turning = angular_momentum(world, 0.1);
  for (int frame = 0; frame < 4; ++frame) advance(world);
  const Diagnostics after = diagnose(world);
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-12));
  // 200 steps of sums in float
  CHECK(length(after.momentum - before.momentum) < 1e-5 * length(before.momentum));
  CHECK(length(angular_momentum(world, 0.1) - turning) < 1e-4 * length(turning));
}

TEST_CASE("flip_on_the_gpu_is_refused_in_words") {
  CHECK_THROWS_WITH_AS(world_of(flying_block("transfer = \"flip\""), on_gpu),
                       doctest::Contains("use --device cpu"), InputError);
}

namespace {

/// A block that hits a plate of a twentieth of a cell.
std::string onto_plate(const std::string& law, double speed, const std::string& more) {
  return fmt::format(R"(
fps = 200
[material.m]
method = "mpm"
density = 1000.0
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.25, 0], size = [0.3, 0.3, 0.3] }}
spacing = 0.04
velocity = [0, {}, 0]
[collider.plate]
shape = {{ type = "box", centre = [0, 0.035, 0], size = [3, 0.004, 3] }}
{}
)",
                     law, -speed, more);
}

int below(World& world, Real y) {
  const HostParticles& p = world.methods.front()->particles();
  const Real level = y - static_cast<Real>(world.environment.origin[1]);
  return static_cast<int>(
      std::count_if(p.x.begin(), p.x.end(), [&](const Vec3& x) { return !(x[1] > level); }));
}

}  // namespace

TEST_CASE("no_particle_passes_a_thin_plate_on_the_gpu") {
  const std::string rises =
      "motion = { times = [0, 0.02, 0.03], positions = [[0, 0, 0], [0, 0, 0], [0, 0.3, 0]] }";
  for (const std::string law : {"law = \"corotated\"\nyoungs_modulus = 1e5",
                                "law = \"liquid\"\nbulk_modulus = 1e5", "law = \"snow\""})
    for (const double speed : {10.0, 50.0}) {
      CAPTURE(law);
      CAPTURE(speed);
      World still = world_of(onto_plate(law, speed, ""), on_gpu);
      for (int frame = 0; frame < 8; ++frame) advance(still);
      CHECK(below(still, Real(0.035)) == 0);
      World moving = world_of(onto_plate(law, speed, rises), on_gpu);
      for (int frame = 0; frame < 8; ++frame) advance(moving);
      CHECK(below(moving, Real(0.335)) == 0);
    }
}

TEST_CASE("steps_that_are_too_long_are_cut_on_the_gpu") {
  // Fast matter is looked at before the step; what springs loose from rest only afterwards.
  for (const std::string law :
       {"law = \"corotated\"\nyoungs_modulus = 1e5", "law = \"liquid\"\nbulk_modulus = 1e5"}) {
    CAPTURE(law);
    World fast = world_of(onto_plate(law, 20, "[time]\nfixed_dt = 5e-3"), on_gpu);
    int cut = 0;
    for (int frame = 0; frame < 8; ++frame) cut += advance(fast).cut_steps;
    CHECK(cut > 0);
    CHECK(below(fast, Real(0.035)) == 0);
    World sudden = world_of(onto_plate(law, 0, "[time]\nfixed_dt = 2e-3"), on_gpu);
    HostParticles& p = sudden.methods.front()->particles();
    for (Index i = 0; i < p.size(); ++i) p.v[i] = (p.x[i] - Vec3{0, Real(0.25), 0}) * Real(-250);
    for (int frame = 0; frame < 8; ++frame) advance(sudden);
    for (const Vec3& x : sudden.methods.front()->particles().x) CHECK(is_finite(x));
  }
}

TEST_CASE("a_stream_that_an_event_speeds_up_flows_on_the_gpu") {
  World world = world_of(R"(
fps = 100
[material.m]
method = "mpm"
law = "liquid"
density = 1000.0
bulk_modulus = 1e5
[emitter.e]
material = "m"
shape = { type = "cylinder", radius = 0.05, height = 0.02 }
direction = [0, 1, 0]
speed = 20.0
spacing = 0.02
[[event]]
time = 0.033
set = { "emitter.e.speed" = 60.0 }
)",
                         on_gpu);
  int taken = 0, cut = 0;
  for (int frame = 0; frame < 7; ++frame) {
    const AdvanceReport report = advance(world);
    taken += report.substeps, cut += report.cut_steps;
  }
  CHECK(cut * 100 <= taken);
}

namespace {

/// A block of oil so thick that its viscosity limits the step.
constexpr const char* thick_oil = R"(
fps = 50
[world]
gravity = [0, -10, 0]
[material.m]
method = "mpm"
law = "liquid"
density = 1000.0
bulk_modulus = 1e5
viscosity = 2000.0
cell = 0.1
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.4, 0], size = [0.6, 0.6, 0.6] }
packing = "cubic"
spacing = 0.05
angular_velocity = [0, 0, 8]
)";

/// A bar between two pins; one moves away and turns. All steps are equal on both devices.
std::string pinned_bar(const std::string& motion) {
  return fmt::format(R"(
fps = 50
[world]
gravity = [0, -10, 0]
[time]
fixed_dt = 2.5e-4
[material.m]
method = "mpm"
law = "corotated"
density = 1000.0
youngs_modulus = 1e6
cell = 0.1
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0, 0], size = [2, 0.4, 0.4] }}
packing = "cubic"
spacing = 0.05
[pin.left]
body = "b"
shape = {{ type = "box", centre = [-0.8, 0, 0], size = [0.6, 1, 1] }}
[pin.right]
body = "b"
shape = {{ type = "box", centre = [0.8, 0, 0], size = [0.6, 1, 1] }}
motion = {{ times = [0, 0.2], {} }}
)",
                     motion);
}

Index index_of(const HostParticles& p, ParticleId id) {
  return static_cast<Index>(std::find(p.id.begin(), p.id.end(), id) - p.id.begin());
}

}  // namespace

TEST_CASE("viscosity_limits_steps_on_the_gpu_as_on_the_cpu") {
  World cpu = world_of(thick_oil), gpu = world_of(thick_oil, on_gpu);
  for (World* const world : {&cpu, &gpu}) world->methods.front()->begin(world->environment);
  const StableStep expected = cpu.methods.front()->stable_dt(cpu.environment),
                   found = gpu.methods.front()->stable_dt(gpu.environment);
  REQUIRE(expected.by == StepLimit::viscosity);
  CHECK(found.by == StepLimit::viscosity);
  CHECK(found.dt == doctest::Approx(expected.dt).epsilon(1e-6));
  for (int frame = 0; frame < 5; ++frame) advance(cpu), advance(gpu);
  // Twice as long a step would multiply velocities in each of a hundred steps.
  CHECK(diagnose(gpu).kinetic_energy ==
        doctest::Approx(diagnose(cpu).kinetic_energy).epsilon(1e-3));
}

TEST_CASE("nodes_around_pinned_particles_move_with_their_pin_on_the_gpu") {
  for (const std::string motion :
       {"positions = [[0, 0, 0], [0.1, 0, 0]]", "rotations = [[0, 0, 0], [30, 0, 0]]"}) {
    CAPTURE(motion);
    World cpu = world_of(pinned_bar(motion)), gpu = world_of(pinned_bar(motion), on_gpu);
    for (int frame = 0; frame < 10; ++frame) advance(cpu), advance(gpu);
    const double difference = largest_difference(positions_by_id(cpu), positions_by_id(gpu)) / 0.1;
    MESSAGE("largest difference of positions: " << difference << " cells");
    // 800 equal steps of rounding errors. Where nodes near a pin follow the forces on them, matter
    // creeps by a part of a cell.
    CHECK(difference < 5e-3);
    // Far inside of a pin all nodes are held, and matter keeps its shape.
    const Mat3* const f = column<Mat3>(gpu, "deformation");
    const HostParticles& p = gpu.methods.front()->particles();
    for (Index i = 0; i < p.size(); ++i)
      if (p.pin[i] == 0 && p.x[i][0] < Real(-0.75))
        CHECK(norm_squared(f[i] - Mat3::identity()) < Real(1e-6));
  }
}

TEST_CASE("errors_on_the_gpu_name_the_particle_and_what_is_not_finite") {
  const std::string text = flying_block("law = \"corotated\"");
  const Real bad = std::numeric_limits<Real>::quiet_NaN();
  World placed = world_of(text, on_gpu);
  HostParticles& p = placed.methods.front()->particles();
  p.x[index_of(p, 17)][1] = bad;
  CHECK_THROWS_WITH_AS(advance(placed), doctest::Contains("particle 17 has a non-finite position"),
                       Error);
  World moving = world_of(text, on_gpu);
  HostParticles& q = moving.methods.front()->particles();
  q.v[index_of(q, 42)][0] = std::numeric_limits<Real>::infinity();
  CHECK_THROWS_WITH_AS(advance(moving), doctest::Contains("particle 42 has a non-finite velocity"),
                       Error);
  // It spreads from particle to particle: one of those is named, in this frame or the next.
  World deformed = world_of(text, on_gpu);
  column<Mat3>(deformed, "deformation")[0][0][0] = bad;
  const auto two_frames = [&] { advance(deformed), advance(deformed); };
  CHECK_THROWS_WITH_AS(two_frames(), doctest::Contains("has a non-finite"), Error);
}

TEST_CASE("particles_too_far_away_are_refused_on_the_gpu_in_the_words_of_the_cpu") {
  std::string messages[2];
  for (const bool gpu : {false, true}) {
    World world = world_of(flying_block("law = \"corotated\""), gpu ? on_gpu : Exec{});
    HostParticles& p = world.methods.front()->particles();
    p.x[index_of(p, 5)] = {Real(1e12), 0, 0};
    try {
      advance(world);
    } catch (const Error& error) {
      messages[gpu] = error.what();
    }
  }
  CHECK(messages[0].find("local origin") != std::string::npos);
  CHECK(messages[0] == messages[1]);
}
