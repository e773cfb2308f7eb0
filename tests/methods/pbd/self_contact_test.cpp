#include <cmath>
#include <doctest/doctest.h>

#include "methods/pbd/crossings.h"
#include "methods/pbd/pbd_scenes.h"

// Contact of sheets within whole scenes; contact_test.cpp has the parts.

using namespace phyxel;
using namespace phyxel::pbd::test;

namespace {

/// A narrow sheet falls on its end and folds.
std::string folding_sheet(const std::string& keys) {
  return fmt::format(R"(
fps = 30
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 500.0
bend_stiffness = 1e-6
{}
[body.b]
material = "m"
shape = {{ type = "sheet", width = 0.15, height = 0.6, centre = [0, 0.35, 0], rotation = [3, 0, 2] }}
spacing = 0.03
thickness = 0.001
[collider.ground]
shape = {{ type = "plane" }}
friction = 0.5
)",
                     keys);
}

/// One sheet flies against another.
std::string flying_sheets(const std::string& keys, const std::string& more) {
  return fmt::format(R"(
fps = 60
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 500.0
contact_thickness = 0.005
{}
[body.still]
material = "m"
shape = {{ type = "sheet", width = 0.6, height = 0.6 }}
spacing = 0.05
thickness = 0.001
[body.flying]
material = "m"
shape = {{ type = "sheet", width = 0.3, height = 0.3, centre = [0, 0, 0.5], rotation = [20, 30, 0] }}
spacing = 0.05
thickness = 0.001
velocity = [0, 0, -20]
{}
)",
                     keys, more);
}

/// How far the flying sheet is behind the other, m.
double depth_of(World& world) {
  const std::vector<Vec3d> x = places(world);
  const std::size_t first = world.seeds[1].first_id;
  double flying = 0, still = 0;
  for (std::size_t i = 0; i < x.size(); ++i) (i < first ? still : flying) += x[i][2];
  return still / double(first) - flying / double(x.size() - first);
}

}  // namespace

TEST_CASE("a_sheet_that_folds_on_the_ground_never_passes_through_itself") {
  for (const bool contact : {true, false}) {
    CAPTURE(contact);
    World world = world_of(folding_sheet(contact ? "" : "self_contact = false"));
    int most = 0;
    for (int frame = 0; frame < 45; ++frame) {
      advance(world);
      most = std::max(most, crossings_of(world));
    }
    CHECK((most == 0) == contact);  // without contact it does
  }
}

TEST_CASE("a_sheet_does_not_pass_another_at_20_m_per_s") {
  World world = world_of(flying_sheets("", ""));
  const Diagnostics before = look(world);
  double contacts = 0;
  for (int frame = 0; frame < 6; ++frame) {
    advance(world);
    for (const auto& [name, value] : look(world).extra)
      if (name == "contacts") contacts = std::max(contacts, value);
    CHECK(crossings_of(world) == 0);
  }
  const Diagnostics after = look(world);
  CHECK(contacts > 10);
  CHECK(depth_of(world) < 0.1);
  // The guard, which holds particles back, may take momentum; nothing adds any.
  CHECK(length(after.momentum) < 1.001 * length(before.momentum));
}

TEST_CASE("without_continuous_contact_it_passes") {
  World world = world_of(flying_sheets("continuous = false", ""));
  for (int frame = 0; frame < 6; ++frame) advance(world);
  CHECK(depth_of(world) > 0.3);
}

TEST_CASE("reactions_of_pins_and_colliders_close_the_momentum_of_sheets_that_touch") {
  World world = world_of(flying_sheets("", R"(
[pin.side]
body = "still"
shape = { type = "box", centre = [-0.3, 0, 0], size = [0.1, 1, 1] }
motion = { times = [0, 1], positions = [[0, 0, 0], [0.5, 0.2, 0]] }
[collider.ball]
shape = { type = "sphere", centre = [0.1, 0, -0.2], radius = 0.15 }
friction = 0.3
restitution = 0.3
)"));
  Diagnostics before = look(world);
  double pinned = 0, ball = 0;
  for (int frame = 0; frame < 8; ++frame) {
    advance(world);
    const Diagnostics now = look(world);
    Vec3d sum = Vec3d::zero();
    for (const Reaction& r : reactions(world)) {
      sum += r.force;
      if (r.name == "side") pinned = std::max(pinned, length(r.force));
      if (r.name == "ball") ball = std::max(ball, length(r.force));
    }
    const Vec3d change = (now.momentum - before.momentum) * 60.0;
    // Positions of up to 0.5 m round velocities by 0.5 m eps / step.
    const double rounding = std::numeric_limits<Real>::epsilon() * (0.5 * 720 + 20) * 60 * now.mass;
    CHECK(length(change - sum) < rounding);
    before = now;
  }
  CHECK(pinned > 0.1);
  CHECK(ball > 0.1);
}
