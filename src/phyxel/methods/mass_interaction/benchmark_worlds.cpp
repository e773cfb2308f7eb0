#include <cmath>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::mass_interaction {

namespace {

/// A block of masses in closest packing, about 54 neighbours within reach.
std::string masses(std::size_t n, const std::string& law) {
  return free_cube(n, R"(
method = "mass_interaction"
particle_mass = 1.0
stiffness = 100.0
pair_viscosity = 1.0
)" + law);
}

std::string thresholds(std::size_t n) {
  return masses(n, "viscous_distance = 2.0");
}
std::string automata(std::size_t n) {
  return masses(n, "automaton = \"cohesive\"\npull_distance = 2.0");
}

void swirl(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / cube_edge(n));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{std::sin(k * p.x[i][2]), 0, -std::sin(k * p.x[i][0])};
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {
      {"mass_interaction",
       "masses that are stirred, two thresholds, 54 neighbours, search included", 256000, 50,
       thresholds, swirl},
      {"mass_interaction_states", "the same with bonds that form and tear: pairs have states",
       256000, 50, automata, swirl},
  };
}

}  // namespace phyxel::mass_interaction
