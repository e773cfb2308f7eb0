#include <cmath>
#include <doctest/doctest.h>

#include "methods/pbd/pbd_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/methods/pbd/air.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::pbd::test;

namespace {

/// A rope of two particles, the upper one pinned; E and the mass are chosen for an extension of
/// compliance m g = 0.01 m.
World hanging_mass(int iterations, int substeps) {
  const double modulus = 9.81 * 0.1 * 0.2 / (M_PI / 4 * 0.01 * 0.01) / 0.02;
  return world_of(fmt::format(R"(
duration = 100
fps = 60
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 3000.0
youngs_modulus = {}
damping = 0.02
iterations = {}
substeps = {}
[body.b]
material = "m"
shape = {{ type = "polyline", points = [[0, 0, 0], [0, -0.2, 0]] }}
spacing = 0.2
thickness = 0.01
[pin.top]
body = "b"
shape = {{ type = "sphere", radius = 0.05 }}
)",
                              modulus, iterations, substeps));
}

/// A sheet that flies free, waves and spins.
const char* const free_sheet = R"(
fps = 100
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
density = 200.0
stretch_modulus = 200.0
iterations = 3
damping = 1e-3
[body.b]
material = "m"
shape = { type = "sheet", width = 1, height = 0.8 }
spacing = 0.05
thickness = 0.001
)";

void wave_and_spin(World& world) {
  HostParticles& p = method_of(world).particles();
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3 x = p.x[i];
    p.v[i] = cross(Vec3{0, 1, 2}, x) + Vec3{1, 0, Real(0.5) * std::sin(6 * x[0])};
  }
}

/// Two sheets, one held by a moving pin, fall on a floor and are met by a wall.
std::string busy_scene(const std::string& keys) {
  return fmt::format(R"(
fps = 100
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 300.0
{}
[body.a]
material = "m"
shape = {{ type = "sheet", width = 0.6, height = 0.5, centre = [0, 0.05, 0], rotation = [80, 0, 0] }}
spacing = 0.04
thickness = 0.001
velocity = [0, -2, 0]
[body.b]
material = "m"
shape = {{ type = "sheet", width = 0.3, height = 0.3, centre = [0, 0.5, 0] }}
spacing = 0.04
thickness = 0.001
[pin.p]
body = "b"
shape = {{ type = "box", centre = [0, 0.65, 0], size = [1, 0.05, 1] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0, -3, 1]] }}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.4
[collider.wall]
shape = {{ type = "box", centre = [-0.8, 0.5, 0], size = [1, 2, 2] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [4, 0, 0]] }}
)",
                     keys);
}
const std::vector<std::string> kinds = {"bend_stiffness = 1e-4\nlong_range_strain = 0.02",
                                        "iterations = 4\ndamping = 1e-3",
                                        "projection = \"stiffness\"\nstiffness = 0.7"};

}  // namespace

TEST_CASE("a_hanging_mass_stretches_its_rope_by_compliance_times_weight") {
  for (const int iterations : {1, 10, 100})
    for (const int substeps : {4, 12, 40}) {
      CAPTURE(iterations);
      CAPTURE(substeps);
      World world = hanging_mass(iterations, substeps);
      const HostParticles& p = method_of(world).particles();
      // Half of the length and of its mass hang at the end.
      const double area = M_PI / 4 * 0.01 * 0.01, mass = p.mass[1];
      const double modulus = 9.81 * 0.1 * 0.2 / area / 0.02;
      const double expected = mass * 9.81 * 0.2 / (modulus * area);
      for (int frame = 0; frame < 240; ++frame) advance(world);
      const double extension = -places(world)[1][1] - 0.2;
      CHECK(extension == doctest::Approx(expected).epsilon(0.01));
    }
}

TEST_CASE("a_free_sheet_keeps_both_momenta_to_rounding") {
  World world = world_of(free_sheet);
  wave_and_spin(world);
  const Diagnostics before = look(world);
  for (int frame = 0; frame < 50; ++frame) advance(world);
  const Diagnostics after = look(world);
  // 360 steps round each position, of up to 1 m, and divide it by the step.
  const double rounding = std::numeric_limits<Real>::epsilon() * 720 * std::sqrt(360.0);
  const double scale = before.mass;
  CHECK(length(after.momentum - before.momentum) < rounding * scale);
  // Without what constraints/spin.h gives back it would be 7e-4 in all.
  CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale);
  CHECK(length(before.momentum) > 0.9 * before.mass);
  CHECK(length(after.angular_momentum) > 0.01 * before.mass);
  for (const auto& [name, value] : after.extra)
    if (name == "distance_energy") CHECK(value > 0);  // springs did act
}

TEST_CASE("a_body_that_moves_rigidly_is_not_projected") {
  World world = world_of(free_sheet);
  HostParticles& p = method_of(world).particles();
  for (Vec3& v : p.v) v = Vec3{1, 2, 3};
  const std::vector<Vec3d> start = places(world);
  for (int frame = 0; frame < 10; ++frame) advance(world);
  const std::vector<Vec3d> end = places(world);
  double error = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    error = std::max(error, length(end[i] - start[i] - Vec3d{1, 2, 3} * 0.1));
  CHECK(error < 100 * std::numeric_limits<Real>::epsilon());
}

TEST_CASE("pbd_gives_the_same_bits_on_one_to_four_threads") {
  for (const std::string& keys : kinds) {
    CAPTURE(keys);
    std::vector<std::byte> first;
    for (int threads = 1; threads <= 4; ++threads) {
      const ThreadLimit limit(threads);
      World world = world_of(busy_scene(keys));
      for (int frame = 0; frame < 8; ++frame) advance(world);
      if (threads == 1) first = bytes_of(world);
      CHECK(bytes_of(world) == first);
    }
  }
}

TEST_CASE("a_pbd_run_that_is_resumed_goes_on_with_the_same_bits") {
  for (const std::string& keys : kinds)
    for (const int stop : {1, 4}) {
      CAPTURE(keys);
      CAPTURE(stop);
      const TemporaryFolder folder;
      const OutputFolder output{folder.path};
      std::filesystem::create_directories(output.root / "checkpoint");
      World world = world_of(busy_scene(keys));
      for (int frame = 0; frame < stop; ++frame) advance(world);
      save_checkpoint(output, world);
      World resumed = world_of(busy_scene(keys));
      CHECK(load_checkpoint(output, resumed) == stop);
      for (World* w : {&world, &resumed})
        for (int frame = 0; frame < 3; ++frame) advance(*w);
      CHECK(bytes_of(resumed) == bytes_of(world));
    }
}

TEST_CASE("the_energy_of_a_sheet_bent_to_a_cylinder_is_that_of_its_bend_stiffness") {
  for (const auto& [packing, bending] : {std::pair{"closest", "angle"},
                                         {"cubic", "angle"},
                                         {"closest", "isometric"},
                                         {"cubic", "isometric"}}) {
    CAPTURE(packing);
    CAPTURE(bending);
    World world = world_of(fmt::format(R"(
[material.m]
method = "pbd"
density = 200.0
stretch_modulus = 200.0
bend_stiffness = 0.01
bending = "{}"
[body.b]
material = "m"
shape = {{ type = "sheet", width = 2, height = 1 }}
packing = "{}"
spacing = 0.02
thickness = 0.001
)",
                                       bending, packing));
    const double radius = 0.5;
    HostParticles& p = method_of(world).particles();
    double left = 0, right = 0;
    for (Vec3& x : p.x) {
      const double angle = double(x[0]) / radius;
      left = std::min(left, double(x[0])), right = std::max(right, double(x[0]));
      x = Vec3{static_cast<Real>(radius * std::sin(angle)), x[1],
               static_cast<Real>(radius * (1 - std::cos(angle)))};
    }
    method_of(world).begin(world.environment);
    const double area = p.mass[0] / 200.0 / 0.001 * double(p.size());
    double energy = 0;
    for (const auto& [name, value] : look(world).extra)
      if (name == "bending_energy" || name == "isometric_bend_energy") energy = value;
    // Rows of hinges at the sides are missing, and those along them: 1 of 100 and 1 of 50.
    CHECK(energy == doctest::Approx(0.01 / 2 / (radius * radius) * area).epsilon(0.035));
    CHECK(right - left > 1.9);
  }
}

TEST_CASE("a_hung_sheet_with_ties_does_not_stretch_and_its_weight_hangs_from_the_pin") {
  for (const bool tied : {true, false}) {
    CAPTURE(tied);
    World world = world_of(fmt::format(R"(
fps = 60
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 2e4
substeps = 2
self_contact = false
{}
[body.b]
material = "m"
shape = {{ type = "sheet", width = 0.4, height = 1 }}
spacing = 0.02
thickness = 0.001
[pin.top]
body = "b"
shape = {{ type = "box", centre = [0, 0.5, 0], size = [1, 0.02, 1] }}
)",
                                       tied ? "long_range_strain = 0.01" : ""));
    Vec3d force = Vec3d::zero();
    double longest = 0;
    for (int frame = 0; frame < 120; ++frame) {
      advance(world);
      for (const Vec3d& x : places(world)) longest = std::max(longest, 0.5 - x[1]);
      if (frame >= 60)
        for (const Reaction& r : reactions(world))
          if (r.name == "top") force += r.force * (1.0 / 60);
    }
    // One sweep of two steps does not carry the weight through 57 rows of edges.
    if (tied)
      CHECK(longest < 1.03);
    else
      CHECK(longest > 1.1);
    const double weight = look(world).mass * 9.81;
    if (tied) CHECK(force[1] == doctest::Approx(weight).epsilon(0.02));
  }
}

TEST_CASE("a_rope_between_two_pins_hangs_in_a_catenary") {
  // Of length 2 between points 1.5 apart: 2 a sinh(0.75 / a) = 2 has the root a = 0.6.., by
  // halving.
  World world = world_of(R"(
fps = 60
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 1000.0
youngs_modulus = 1e8
substeps = 160
iterations = 4
self_contact = false
[body.b]
material = "m"
shape = { type = "polyline", points = [[-0.75, 0, 0], [0, -0.6614378, 0], [0.75, 0, 0]] }
spacing = 0.04
thickness = 0.02
[pin.left]
body = "b"
shape = { type = "sphere", centre = [-0.75, 0, 0], radius = 0.01 }
[pin.right]
body = "b"
shape = { type = "sphere", centre = [0.75, 0, 0], radius = 0.01 }
[field.air]
type = "wind"
rate = 2.0
)");
  for (int frame = 0; frame < 360; ++frame) advance(world);
  double low = 0.1, high = 10;
  for (int k = 0; k < 100; ++k) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(0.75 / a) > 2 ? low : high) = a;
  }
  const double sag = low * (std::cosh(0.75 / low) - 1);
  double worst = 0;
  for (const Vec3d& x : places(world))
    worst = std::max(worst, std::abs(x[1] - (low * (std::cosh(x[0] / low)) - low - sag)));
  CHECK(worst < 0.01 * sag);
  CHECK(sag > 0.5);
}

TEST_CASE("a_plate_across_the_wind_has_drag_alone_and_one_along_it_nothing") {
  const pbd::AirLaw law{Real(1.2), Real(0.8), Real(1.2)};
  const Vec3 across = pbd::plate_stress(law, {10, 0, 0}, {-1, 0, 0});
  // C rho u^2 / 2 = 1.2 * 1.2 * 50.
  CHECK(across[0] == doctest::Approx(72).epsilon(1e-5));
  CHECK(length(across - Vec3{across[0], 0, 0}) < Real(1e-4));
  CHECK(length(pbd::plate_stress(law, {10, 0, 0}, {0, 1, 0})) < Real(1e-4));
  const Real r = std::sqrt(Real(0.5));
  const Vec3 slanted = pbd::plate_stress(law, {10, 0, 0}, {r, r, 0});
  CHECK(slanted[0] == doctest::Approx(72 * r).epsilon(1e-5));
  CHECK(slanted[1] == doctest::Approx(48 * r * r).epsilon(1e-5));
}

TEST_CASE("wind_pushes_a_sheet_by_its_area_and_is_counted_with_what_the_pin_holds") {
  World world = world_of(R"(
fps = 600
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 2e3
drag_coefficient = 1.2
lift_coefficient = 0.8
self_contact = false
[body.b]
material = "m"
shape = { type = "sheet", width = 0.5, height = 0.4 }
packing = "cubic"
spacing = 0.02
thickness = 0.001
[pin.edge]
body = "b"
shape = { type = "box", centre = [-0.25, 0, 0], size = [0.03, 1, 1] }
[field.wind]
type = "wind"
velocity = [0, 0, 5]
rate = 0.0
)");
  Diagnostics before = look(world);
  for (int frame = 0; frame < 3; ++frame) {
    advance(world);
    const Diagnostics now = look(world);
    Vec3d sum = Vec3d::zero();
    double wind = 0;
    for (const Reaction& r : reactions(world)) {
      sum += r.force;
      if (r.name == "fields") wind = r.force[2];
    }
    // The plate of 0.5 m x 0.4 m; it moves a little with the wind.
    if (frame == 0) CHECK(wind == doctest::Approx(1.2 * 0.6 * 25 * 0.2).epsilon(0.05));
    const Vec3d change = (now.momentum - before.momentum) * 600.0;
    CHECK(length(change - sum) <
          std::numeric_limits<Real>::epsilon() * (0.3 * 720 + 5) * 600 * now.mass);
    before = now;
  }
}
