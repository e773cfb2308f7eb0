#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}

std::vector<Real> pressures(World& world) {
  Method& method = *world.methods.front();
  method.diagnostics(world.environment);
  for (const ColumnView& view : method.columns())
    if (view.name == "pressure") {
      const Real* const values = static_cast<const Real*>(view.data);
      return {values, values + view.count};
    }
  return {};
}

/// Water in a tank of planes, `depth` deep and 0.2 m wide.
std::string tank(int dimensions, double depth, double spacing) {
  return fmt::format(R"(
dimensions = {0}
fps = 20
[material.m]
method = "sph"
density = 1000.0
sound_speed = 15.0
artificial_viscosity = 1.0
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, {2}, 0], size = [0.2, {1}, 0.2] }}
spacing = {3}
packing = "cubic"
[collider.ground]
shape = {{ type = "plane" }}
[collider.left]
shape = {{ type = "plane", point = [-0.1, 0, 0], normal = [1, 0, 0] }}
[collider.right]
shape = {{ type = "plane", point = [0.1, 0, 0], normal = [-1, 0, 0] }}
[collider.front]
shape = {{ type = "plane", point = [0, 0, 0.1], normal = [0, 0, -1] }}
[collider.back]
shape = {{ type = "plane", point = [0, 0, -0.1], normal = [0, 0, 1] }}
)",
                     dimensions, depth, depth / 2, spacing);
}

}  // namespace

TEST_CASE("pressure_in_a_column_at_rest_is_that_of_the_weight_above") {
  for (const int dimensions : {2, 3}) {
    CAPTURE(dimensions);
    const double depth = 0.2, spacing = dimensions == 2 ? 0.01 : 0.02;
    World world = world_of(tank(dimensions, depth, spacing));
    for (int frame = 0; frame < 12; ++frame) advance(world);
    // A line through the pressures of all but the uppermost layers, over some time.
    double n = 0, sy = 0, sp = 0, syy = 0, syp = 0, top = 0;
    for (int frame = 0; frame < 4; ++frame) {
      advance(world);
      const std::vector<Real> p = pressures(world);
      const HostParticles& particles = world.methods.front()->particles();
      for (Index i = 0; i < particles.size(); ++i) {
        const double y = particles.x[i][1];
        top = std::max(top, y);
        if (y < depth - 3 * spacing) n += 1, sy += y, sp += p[i], syy += y * y, syp += y * p[i];
      }
    }
    const double slope = (n * syp - sy * sp) / (n * syy - sy * sy), base = (sp - slope * sy) / n;
    CHECK(slope == doctest::Approx(-9810).epsilon(0.05).scale(0));
    CHECK(base == doctest::Approx(9810 * depth).epsilon(0.05).scale(0));
    CHECK(top + spacing / 2 == doctest::Approx(depth).epsilon(0.05).scale(0));
    const Diagnostics d = world.methods.front()->diagnostics(world.environment);
    CHECK(d.kinetic_energy < 1e-3 * d.mass * 9.81 * depth);  // walls do not stir
  }
}

namespace {

struct Front {
  double t, z;
};

/// Martin and Moyce 1952, table 2.
std::vector<Front> measured_front() {
  std::ifstream file(std::string(PHYXEL_VALIDATION_DIR) + "/sph/dam_break_martin_moyce_front.csv");
  std::vector<Front> front;
  for (std::string line; std::getline(file, line);) {
    Front f{};
    char comma = 0;
    if (std::istringstream(line) >> f.t >> comma >> f.z) front.push_back(f);
  }
  return front;
}

}  // namespace

TEST_CASE("the_front_of_a_broken_dam_runs_as_martin_and_moyce_measured") {
  const double a = 0.05715, g = 9.81, spacing = a / 20, fps = 500;
  World world = world_of(fmt::format(R"(
dimensions = 2
fps = {1}
[material.m]
method = "sph"
density = 1000.0
sound_speed = 15.0
[body.b]
material = "m"
shape = {{ type = "box", centre = [{2}, {0}, 0], size = [{0}, {3}, 1] }}
spacing = {4}
packing = "cubic"
[collider.ground]
shape = {{ type = "plane" }}
friction = 0.0
[collider.left]
shape = {{ type = "plane", point = [0, 0, 0], normal = [1, 0, 0] }}
friction = 0.0
)",
                                     a, fps, a / 2, 2 * a, spacing));
  const auto front_now = [&] {
    double far = 0;
    for (const Vec3& x : world.methods.front()->particles().x)
      if (x[1] < 0.3 * a) far = std::max(far, world.environment.origin[0] + double(x[0]));
    return (far + spacing / 2) / a;
  };
  const double unit = std::sqrt(a / (2 * g));
  std::vector<Front> ours{{0, front_now()}};
  while (ours.back().t < 3.3) {
    advance(world);
    ours.push_back({world.environment.time / unit, front_now()});
  }
  const std::vector<Front> measured = measured_front();
  REQUIRE(measured.size() > 10);
  double squares = 0;
  for (const Front& m : measured) {
    const double t = m.t - 0.175;  // the gate takes its time
    std::size_t k = 1;
    while (k + 1 < ours.size() && ours[k].t < t) ++k;
    const Front &p = ours[k - 1], &q = ours[k];
    const double z = p.z + (q.z - p.z) * (t - p.t) / (q.t - p.t);
    squares += (z / m.z - 1) * (z / m.z - 1);
  }
  CHECK(std::sqrt(squares / measured.size()) < 0.1);
}
