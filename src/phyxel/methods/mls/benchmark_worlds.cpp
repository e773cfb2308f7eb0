#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::mls {

namespace {

const char* const material = "method = \"mls\"\nyoungs_modulus = 1.0e4\ndensity = 1.0\n";

std::string elastic_cube(std::size_t n) {
  // A cube of cubic packing with spacing 1.
  const double edge = std::round(std::cbrt(double(n)));
  return free_body(std::string(material) + "support = 1.7\n",
                   fmt::format("shape = {{ type = \"box\", size = [{0}, {0}, {0}] }}\npacking = "
                               "\"cubic\"\n",
                               edge));
}
std::string implicit_cube(std::size_t n) {
  return "[time]\nfixed_dt = 0.05\n" +
         free_cube(n, std::string(material) + "integration = \"implicit\"\n");
}
std::string printed_support(std::size_t n) {
  return free_cube(n, std::string(material) + "support = 3.0\n");
}

/// It bends and twists at up to a hundredth of the speed of sound.
void twist(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(M_PI / std::cbrt(double(n)));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{std::sin(k * p.x[i][1]), Real(0), std::cos(k * p.x[i][0])};
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {{"mls", "mls steps of an elastic cube that vibrates, 26 neighbours", 100000, 50,
           elastic_cube, twist},
          {"mls_wide", "the same with the support of the paper, 3: about 150 neighbours", 100000,
           20, printed_support, twist},
          {"mls_implicit", "implicit mls steps fifteen times as long, each with its solves", 100000,
           4, implicit_cube, twist}};
}

}  // namespace phyxel::mls
