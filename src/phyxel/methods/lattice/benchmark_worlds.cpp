#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::lattice {

namespace {

/// A block of an elastic solid that flies, turns and rings in empty space, at about a tenth of the
/// speed of its waves.
std::string flying_block(std::size_t n) {
  const double edge = cube_edge(n);
  return free_cube(n, "method = \"lattice\"\nyoungs_modulus = 1e6",
                   fmt::format("velocity = [0.5, 2.5, 1.0]\nangular_velocity = [{}, {}, {}]",
                               2.8 / edge, 4.2 / edge, 1.4 / edge));
}

void ring(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / cube_edge(n));
  for (Index i = 0; i < p.size(); ++i) p.v[i][0] += Real(0.3) * std::cos(k * p.x[i][0]);
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {
      {"lattice", "lattice steps of a flying elastic block, 12 slots, search included", 100000, 50,
       flying_block, ring},
  };
}

}  // namespace phyxel::lattice
