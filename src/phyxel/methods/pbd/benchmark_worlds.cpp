#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::pbd {

namespace {

/// A square sheet of n particles, spacing 1.
std::string cloth(std::size_t n) {
  const double edge = std::round(std::sqrt(double(n))) - 1;
  return free_body(
      "method = \"pbd\"\nstretch_modulus = 1.0e3\ndensity = 1.0\n",
      fmt::format("shape = {{ type = \"sheet\", width = {0}, height = {0} }}\npacking = "
                  "\"cubic\"\n",
                  edge));
}

/// It waves at right angles to itself.
void wave(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / std::sqrt(double(n)));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{Real(0), Real(0), std::sin(k * p.x[i][0]) * std::sin(k * p.x[i][1])};
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {{"pbd_cloth", "pbd steps of a waving cloth of a million particles, one sweep each",
           1000000, 30, cloth, wave}};
}

}  // namespace phyxel::pbd
