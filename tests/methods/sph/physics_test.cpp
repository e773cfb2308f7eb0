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
sound_speed = 20.0
artificial_viscosity = 0.2
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
    const double depth = 0.4, spacing = dimensions == 2 ? 0.01 : 0.02;
    World world = world_of(tank(dimensions, depth, spacing));
    for (int frame = 0; frame < 30; ++frame) {
      advance(world);
      if (frame % 5 == 4) {
        const auto d = world.methods.front()->diagnostics(world.environment);
        MESSAGE(frame, ' ', d.kinetic_energy, ' ', d.max_speed, ' ', d.centre()[1]);
      }
    }
    const std::vector<Real> p = pressures(world);
    const HostParticles& particles = world.methods.front()->particles();
    // A line through the pressures of all but the two uppermost layers.
    double n = 0, sy = 0, sp = 0, syy = 0, syp = 0, top = 0;
    for (Index i = 0; i < particles.size(); ++i) {
      const double y = particles.x[i][1];
      CHECK(y > 0);
      CHECK(std::abs(particles.x[i][0]) < 0.1);
      top = std::max(top, y);
      if (y > depth - 3 * spacing) continue;
      n += 1, sy += y, sp += p[i], syy += y * y, syp += y * p[i];
    }
    const double slope = (n * syp - sy * sp) / (n * syy - sy * sy), base = (sp - slope * sy) / n;
    MESSAGE("slope ", slope, " base ", base, " top ", top, " speed ",
            world.methods.front()->diagnostics(world.environment).max_speed);
    CHECK(slope == doctest::Approx(-9810).epsilon(0.05));
    CHECK(base == doctest::Approx(9810 * depth).epsilon(0.05));
    CHECK(top + spacing / 2 == doctest::Approx(depth).epsilon(0.05));
  }
}
