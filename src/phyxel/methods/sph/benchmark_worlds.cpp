#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::sph {

namespace {

/// Water on a floor, about 33 neighbours.
std::string water(std::size_t n) {
  const double edge = cube_edge(n) * 0.01;
  return fmt::format(R"(
[material.m]
method = "sph"
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, {1}, 0], size = [{0}, {0}, {0}] }}
spacing = 0.01
[collider.floor]
shape = {{ type = "plane" }}
)",
                     edge, edge / 2);
}

/// It swirls at up to 3 m/s, a tenth of the speed of sound.
void swirl(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / (cube_edge(n) * 0.01));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{std::sin(k * p.x[i][2]), 0, -std::sin(k * p.x[i][0])} * Real(2.1);
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {
      {"sph", "sph steps of stirred water on a floor, 33 neighbours, search included", 100000, 50,
       water, swirl},
  };
}

}  // namespace phyxel::sph
