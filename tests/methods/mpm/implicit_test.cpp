#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "methods/mpm/beside_textbook.h"
#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

// Pressure waves cross a cell of 0.1 m in this time, s: E = 1e7 Pa, nu = 0.3, 1000 kg/m^3.
const double limit = 0.1 / std::sqrt(1e7 * 0.7 / (1.3 * 0.4) / 1000);

std::string stiff(const std::string& more) {
  return fmt::format(R"(
method = "mpm"
density = 1000.0
{}cell = 0.1
{}
)",
                     more.find("law = \"liquid\"") == more.npos
                         ? "youngs_modulus = 1e7\npoissons_ratio = 0.3\n"
                         : "",
                     more);
}

/// Two blocks that fly, turn and run into each other.
std::string meeting_blocks(const std::string& material, double dt) {
  return fmt::format(R"(
fps = {}
[world]
gravity = [0, -10, 0]
[time]
fixed_dt = {}
[material.m]
{}
[body.a]
material = "m"
shape = {{ type = "box", centre = [0.03, 0.2, 0.07], size = [0.4, 0.3, 0.3] }}
packing = "cubic"
spacing = 0.05
velocity = [1.5, 0.2, 0.1]
angular_velocity = [0, 1, 2]
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.43, 0.2, 0.07], size = [0.3, 0.3, 0.3] }}
packing = "cubic"
spacing = 0.05
velocity = [-1.5, -0.2, 0.3]
)",
                     1 / (10 * dt), dt, stiff(material));
}

void advance_by(World& world, int frames) {
  for (int k = 0; k < frames; ++k) advance(world);
}

std::vector<Vec3d> places_of(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Vec3d> places(p.x.size());
  for (Index i = 0; i < p.size(); ++i) places[p.id[i]] = cast<double>(p.x[i]);
  return places;
}
double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, length(a[i] - b[i]));
  return most;
}

/// Everything that a checkpoint holds.
std::vector<std::byte> bytes_of(World& world) {
  std::vector<std::byte> bytes;
  for (const ColumnView& view : world.methods.front()->columns()) {
    const auto* const first = static_cast<const std::byte*>(view.data);
    bytes.insert(bytes.end(), first, first + view.count * view.element_size());
  }
  return bytes;
}

/// A block between a floor and a plate that comes down, held at one side by a pin that turns.
std::string pressed_block(const std::string& transfer) {
  return fmt::format(
      R"(
fps = 50
[material.m]
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.32, 0], size = [0.8, 0.6, 0.5] }}
packing = "jittered"
spacing = 0.05
[pin.p]
body = "b"
shape = {{ type = "box", centre = [0.4, 0.3, 0], size = [0.2, 2, 2] }}
motion = {{ times = [0, 1], rotations = [[0, 0, 0], [20, 0, 0]] }}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.4
[collider.plate]
shape = {{ type = "box", centre = [-0.3, 0.85, 0], size = [0.4, 0.4, 2] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0, -0.4, 0]] }}
contact = "sticky"
)",
      stiff("law = \"corotated\"\nintegration = \"implicit\"\ntransfer = \"" + transfer + "\""));
}

}  // namespace

TEST_CASE("implicit_steps_are_those_of_the_textbook") {
  for (const std::string& law : law_names())
    for (const bool flip : {false, true}) {
      if (flip && law != "snow" && law != "neo_hookean") continue;
      const double dt = (flip ? 4 : 10) * limit;
      const std::string material = fmt::format(
          "law = \"{}\"\nintegration = \"implicit\"\ntolerance = 1e-6\niterations = 3000\n{}{}",
          law, flip ? "transfer = \"flip\"\nvolumes = \"packing\"\nflip = 0.95\n" : "",
          law == "liquid" ? "bulk_modulus = 1e7" : "");
      CAPTURE(material);
      World world = world_of(meeting_blocks(material, dt));
      Textbook book = textbook_of(world, 0.1);
      book.beta = 1;
      if (flip) book.flip = 0.95;
      advance(world);
      for (int k = 0; k < 10; ++k) book.step(dt);
      std::vector<Vec3d> expected;
      for (const TextbookParticle& q : book.particles) expected.push_back(q.x);
      const double apart = farthest(places_of(world), expected);
      // Rounding; where liquid or sand comes apart its stiffness jumps, and rounding decides when.
      CHECK(apart < (law == "liquid" || law == "sand" ? 0.1 : 1e-4) * 0.1);
    }
}

TEST_CASE("small_implicit_steps_are_explicit_ones") {
  const auto apart = [](double dt) {
    const std::string law = "law = \"corotated\"\n";
    World a = world_of(meeting_blocks(law + "integration = \"explicit\"", dt));
    World b = world_of(meeting_blocks(law + "tolerance = 1e-6\nintegration = \"implicit\"", dt));
    const int frames = int(std::lround(8 * limit / (10 * dt)));
    advance_by(a, frames);
    advance_by(b, frames);
    return farthest(places_of(a), places_of(b));
  };
  const double coarse = apart(limit / 10), fine = apart(limit / 20);
  CHECK(coarse < 1e-2 * 0.1);
  CHECK(fine < 0.65 * coarse);  // first order
}

TEST_CASE("implicit_steps_of_the_solver_keep_momentum_however_early_the_solve_ends") {
  for (const int iterations : {1, 5, 1000})
    for (const std::string transfer : {"apic", "flip"}) {
      const std::string material = fmt::format(
          "law = \"corotated\"\nintegration = \"implicit\"\niterations = {}\ntransfer = \"{}\"",
          iterations, transfer);
      World world = world_of(meeting_blocks(material, limit));
      const Diagnostics before = diagnose(world);
      advance(world);
      const Diagnostics after = diagnose(world);
      const Vec3d gained = cast<double>(world.environment.gravity) * (before.mass * 10 * limit);
      // Nodes of 60 kg at 1.5 m/s, ten steps of rounding.
      const double rounding = 100 * std::numeric_limits<Real>::epsilon() * before.mass * 1.5;
      CHECK(length(after.momentum - before.momentum - gained) < rounding);
    }
}

TEST_CASE("implicit_steps_have_the_same_bits_on_any_number_of_threads_and_after_a_resume") {
  for (const std::string transfer : {"apic", "flip"}) {
    std::vector<std::vector<std::byte>> results;
    for (const int threads : {1, 2, 3}) {
      const ThreadLimit threads_now(threads);
      World world = world_of(pressed_block(transfer));
      advance_by(world, 4);
      results.push_back(bytes_of(world));
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
    World first = world_of(pressed_block(transfer));
    advance_by(first, 2);
    World second = world_of(pressed_block(transfer));
    advance(second);  // it forgets this
    const auto from = first.methods.front()->columns(), to = second.methods.front()->columns();
    for (std::size_t k = 0; k < from.size(); ++k)
      std::memcpy(to[k].data, from[k].data, from[k].count * from[k].element_size());
    second.environment.time = first.environment.time;
    second.environment.step = first.environment.step;
    second.frame = first.frame;
    move_to(second.environment, first.environment.time);
    advance_by(second, 2);
    CHECK(bytes_of(second) == results[0]);
  }
}

TEST_CASE("a_stiff_block_falls_on_a_floor_and_rests_there_in_large_steps") {
  for (const std::string contact : {"separate", "slip", "sticky"}) {
    World world =
        world_of(fmt::format(R"(
fps = 25
[material.m]
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.5, 0], size = [0.4, 0.4, 0.4] }}
packing = "cubic"
spacing = 0.05
velocity = [0, -2, 0]
[collider.floor]
shape = {{ type = "plane" }}
contact = "{}"
)",
                             stiff("law = \"corotated\"\nintegration = \"implicit\""), contact));
    CAPTURE(contact);
    int steps = 0;
    for (int k = 0; k < 50; ++k) steps += advance(world).substeps;
    CHECK(steps < 2 / limit / 10);  // far larger than explicit ones
    const Diagnostics d = diagnose(world);
    CHECK(d.max_speed < 0.05);
    double low = 1;
    for (const Vec3& x : world.methods.front()->particles().x) low = std::min(low, double(x[1]));
    CHECK(low > -0.01);  // a tenth of a cell
    CHECK(low < 0.15);   // splines reach a cell and a half: that far from a floor it is felt
  }
}

TEST_CASE("a_block_that_bounces_leaves_the_floor") {
  World world = world_of(fmt::format(R"(
fps = 100
[world]
gravity = [0, 0, 0]
[time]
max_dt = 1e-3
[material.m]
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.33, 0], size = [0.4, 0.4, 0.4] }}
packing = "cubic"
spacing = 0.05
velocity = [0, -3, 0]
[collider.floor]
shape = {{ type = "plane" }}
)",
                                     stiff("law = \"corotated\"\nintegration = \"implicit\"")));
  advance_by(world, 20);
  // Ten wave times: backward Euler at that step damps much of the bounce, not all.
  CHECK(diagnose(world).momentum[1] > 0.1 * 64);
}

TEST_CASE("a_pinned_bar_is_stretched_by_as_much_as_its_pins_move") {
  for (const std::string integration : {"explicit", "implicit"}) {
    World world = world_of(
        fmt::format(R"(
fps = 25
[world]
gravity = [0, 0, 0]
[material.m]
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [1.6, 0.3, 0.3] }}
packing = "cubic"
spacing = 0.05
[pin.left]
body = "b"
shape = {{ type = "box", centre = [-0.8, 0, 0], size = [0.6, 1, 1] }}
[pin.right]
body = "b"
shape = {{ type = "box", centre = [0.8, 0, 0], size = [0.6, 1, 1] }}
motion = {{ times = [0, 0.3], positions = [[0, 0, 0], [0.1, 0, 0]] }}
)",
                    stiff(fmt::format("law = \"corotated\"\nintegration = \"{}\"", integration))));
    CAPTURE(integration);
    advance_by(world, 10);
    const HostParticles& p = world.methods.front()->particles();
    const Mat3* const f = column<Mat3>(world, "deformation");
    for (Index i = 0; i < p.size(); ++i) {
      // 10 %, and a little more where nodes that the pins reach move with them.
      if (std::abs(p.x[i][0] - Real(0.05)) < Real(0.1)) {
        CHECK(f[i][0][0] > Real(1.09));
        CHECK(f[i][0][0] < Real(1.13));
      }
      if (p.pin[i] >= 0 && std::abs(p.x[i][0]) > Real(0.75)) CHECK(f[i][0][0] < Real(1.005));
    }
  }
}

TEST_CASE("motion_alone_limits_an_implicit_step") {
  World world = world_of(meeting_blocks("law = \"corotated\"\nintegration = \"implicit\"", limit));
  Method& method = *world.methods.front();
  method.begin(world.environment);
  const StableStep step = method.stable_dt(world.environment);
  CHECK(std::string(step.reason) == "the fastest particle may cross three tenths of a cell");
  CHECK(step.dt < 0.03 / 1.5);
  CHECK(step.dt > 0.03 / 3);
}

TEST_CASE("all_materials_of_a_grid_step_alike") {
  const std::string other =
      "\n[material.n]\n" + stiff("integration = \"explicit\"") +
      "[body.c]\nmaterial = \"n\"\nspacing = 0.05\n"
      "shape = { type = \"box\", centre = [0, 3, 0], size = [0.2, 0.2, 0.2] }\n";
  CHECK_THROWS_AS(
      world_of(meeting_blocks("law = \"corotated\"\nintegration = \"implicit\"", limit) + other),
      const InputError&);
}
