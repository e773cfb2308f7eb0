#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/app/checkpoints.h"
#include "phyxel/core/error.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

using namespace phyxel;

namespace {

const std::vector<std::string> materials = {
    "law = \"liquid\"\nbulk_modulus = 1e5\nviscosity = 0.01",
    "law = \"liquid\"\nbulk_modulus = 1e5\ntransfer = \"flip\"",
    "law = \"corotated\"\nyoungs_modulus = 1e5",
    "law = \"corotated\"\nyoungs_modulus = 1e5\nintegration = \"implicit\""};

std::string scene_of(const std::string& material, const std::string& more) {
  return fmt::format(R"(
fps = 100
[material.m]
method = "mpm"
density = 1000.0
{}
{}
)",
                     material, more);
}

World world_of(const std::string& material, const std::string& more) {
  return build(parse_scene(scene_of(material, more), "test"), {});
}

/// The stream speeds up threefold in the middle of a frame.
const std::string fountain = R"(
[emitter.e]
material = "m"
shape = { type = "cylinder", radius = 0.05, height = 0.02 }
direction = [0, 1, 0]
speed = 20.0
spacing = 0.02
[[event]]
time = 0.033
set = { "emitter.e.speed" = 60.0 }
)";

/// A lid closes on matter at 50 m/s, after a slow start.
const std::string piston = R"(
[world]
domain = { min = [-0.25, 0, -0.15], max = [1, 1, 0.15] }
walls = "closed"
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.15, 0], size = [0.49, 0.29, 0.29] }
spacing = 0.03
[collider.piston]
shape = { type = "box", centre = [-0.6, 0.5, 0], size = [0.5, 1, 0.3] }
motion = { times = [0, 0.01, 0.02], positions = [[0, 0, 0], [0.1, 0, 0], [0.6, 0, 0]] }
)";

/// Falls towards a plate that is hit upwards when it arrives.
const std::string swat = R"(
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.3, 0], size = [0.3, 0.3, 0.3] }
spacing = 0.03
[collider.plate]
shape = { type = "box", centre = [0, 0.1, 0], size = [1, 0.01, 1] }
motion = { times = [0, 0.03, 0.05], positions = [[0, 0, 0], [0, 0, 0], [0, 0.6, 0]] }
)";

struct Steps {
  int taken = 0, cut = 0;
};

Steps advance_by(World& world, int frames) {
  Steps steps;
  for (int frame = 0; frame < frames; ++frame) {
    const AdvanceReport report = advance(world);
    steps.taken += report.substeps;
    steps.cut += report.cut_steps;
  }
  return steps;
}

bool is_finite(World& world) {
  for (const Vec3& x : world.methods.front()->particles().x)
    if (!phyxel::is_finite(x)) return false;
  return true;
}

/// A blob that an event throws at a wall: steps as long as a frame would let it pass many cells.
std::string long_steps(double dt) {
  return fmt::format(R"(
[time]
fixed_dt = {}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.3, 0], size = [0.3, 0.3, 0.3] }}
spacing = 0.03
velocity = [3, -20, 0]
[collider.floor]
shape = {{ type = "plane" }}
)",
                     dt);
}

std::vector<std::byte> bytes_of(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Index> order(p.x.size());
  for (Index i = 0; i < p.size(); ++i) order[p.id[i]] = i;
  std::vector<std::byte> bytes;
  for (const ColumnView& view : world.methods.front()->columns())
    for (const Index i : order) {
      const auto* from = static_cast<const std::byte*>(view.data) + i * view.element_size();
      bytes.insert(bytes.end(), from, from + view.element_size());
    }
  return bytes;
}

}  // namespace

TEST_CASE("speeds_of_emitters_pistons_and_plates_are_foreseen") {
  for (const std::string& material : materials)
    for (const std::string* more : {&fountain, &piston, &swat}) {
      CAPTURE(material);
      CAPTURE(*more);
      World world = world_of(material, *more);
      const Steps steps = advance_by(world, 7);
      CHECK(is_finite(world));
      CHECK(steps.cut * 100 <= steps.taken);
    }
}

TEST_CASE("a_step_that_would_be_too_long_is_cut_and_taken_again") {
  for (const std::string& material : materials) {
    CAPTURE(material);
    World world = world_of(material, long_steps(5e-3));
    const Steps steps = advance_by(world, 5);
    CHECK(steps.cut > 0);
    CHECK(is_finite(world));
    CHECK(world.environment.time == 5 / 100.0);
    CHECK(diagnose(world).extra.back().first == "cut_steps");
  }
}

TEST_CASE("a_step_that_was_cut_is_the_step_that_could_have_been_announced") {
  // No viscosity: that one keeps the impulse of the step that was announced.
  for (std::size_t m = 1; m < materials.size(); ++m) {
    CAPTURE(materials[m]);
    const double dt = 2e-4, announced = 4e-4, cut = 1e-4;
    std::vector<Vec3> x[2];
    for (int k = 0; k < 2; ++k) {
      World world = world_of(materials[m], long_steps(1e-4));
      Environment& environment = world.environment;
      Method& method = *world.methods.front();
      // Squeezed, so that stresses count.
      for (Index i = 0; i < method.particles().size(); ++i)
        method.particles().v[i] = method.particles().x[i] * Real(-60);
      method.begin(environment);
      environment.next_dt = k == 0 ? cut : announced;
      move_to(environment, dt);
      method.step(environment, Real(dt));
      if (k == 1) {
        move_to(environment, dt + announced);
        method.prepare(environment, Real(announced));
      }
      environment.next_dt = 0;
      move_to(environment, dt + cut);
      CHECK_FALSE(method.prepare(environment, Real(cut)).dt < cut);
      method.step(environment, Real(cut));
      const HostParticles& p = method.particles();
      x[k].resize(p.x.size());
      for (Index i = 0; i < p.size(); ++i) x[k][p.id[i]] = p.v[i];
    }
    double worst = 0, fastest = 0;
    for (std::size_t i = 0; i < x[0].size(); ++i) {
      worst = std::max(worst, double(length(x[0][i] - x[1][i])));
      fastest = std::max(fastest, double(length(x[0][i])));
    }
    CHECK(fastest > 1);
    CHECK(worst < (sizeof(Real) == 4 ? 1e-4 : 1e-11) * fastest);
  }
}

TEST_CASE("cut_steps_give_the_same_bits_on_any_threads_and_when_resumed") {
  for (const std::string& material : materials) {
    CAPTURE(material);
    std::vector<std::byte> first;
    for (int threads = 1; threads <= 3; ++threads) {
      const ThreadLimit limit(threads);
      World world = world_of(material, long_steps(5e-3));
      const Steps steps = advance_by(world, 3);
      CHECK(steps.cut > 0);
      if (threads == 1) first = bytes_of(world);
      CHECK(bytes_of(world) == first);
    }
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World world = world_of(material, long_steps(5e-3));
    advance_by(world, 2);
    save_checkpoint(output, world);
    World resumed = world_of(material, long_steps(5e-3));
    load_checkpoint(output, resumed);
    advance_by(resumed, 1);
    CHECK(bytes_of(resumed) == first);
  }
}

TEST_CASE("a_body_of_another_method_takes_the_cut_steps_too") {
  World world = build(parse_scene(scene_of(materials[2], long_steps(5e-3)) + R"(
[material.ball]
method = "lennard_jones"
youngs_modulus = 1e5
[body.ball]
material = "ball"
shape = { type = "sphere", centre = [5, 1, 0], radius = 0.2 }
spacing = 0.1
velocity = [1, 0, 0]
)",
                                  "test"),
                      {});
  CHECK(advance_by(world, 2).cut > 0);
  CHECK(world.environment.time == 2 / 100.0);
  // Nothing touches the ball: a step that one method takes and the other does not would show.
  const HostParticles& ball = world.methods.back()->particles();
  Vec3d way = Vec3d::zero(), start = Vec3d::zero();
  for (Index i = 0; i < ball.size(); ++i) way += cast<double>(ball.x[i]) / double(ball.size());
  World at_start = build(world.live, {});
  const HostParticles& first = at_start.methods.back()->particles();
  for (Index i = 0; i < first.size(); ++i) start += cast<double>(first.x[i]) / double(first.size());
  CHECK((way - start)[0] == doctest::Approx(0.02).epsilon(1e-3));
}
