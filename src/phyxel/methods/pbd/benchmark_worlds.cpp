#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::pbd {

namespace {

const char* const material =
    "method = \"pbd\"\nstretch_modulus = 1.0e3\ndensity = 1.0\nself_contact = false\n";

/// A square sheet of n particles, spacing 1.
std::string sheet(std::size_t n, const std::string& keys) {
  const double edge = std::round(std::sqrt(double(n))) - 1;
  return free_body(material + keys,
                   fmt::format("shape = {{ type = \"sheet\", width = {0}, height = {0} }}\n"
                               "packing = \"cubic\"\n",
                               edge));
}
std::string cloth(std::size_t n) {
  return sheet(n, "");
}
std::string bending_cloth(std::size_t n) {
  return sheet(n, "bend_stiffness = 1.0\n");
}

/// It waves at right angles to itself.
void wave(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / std::sqrt(double(n)));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{Real(0), Real(0), std::sin(k * p.x[i][0]) * std::sin(k * p.x[i][1])};
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {{"pbd_cloth", "pbd steps of a waving cloth, a sweep of 3 distances per particle each",
           1000000, 30, cloth, wave},
          {"pbd_bending", "the same of 300 x 300 with 3 bending angles per particle too", 90000,
           100, bending_cloth, wave}};
}

}  // namespace phyxel::pbd
