#include "phyxel/methods/lennard_jones/crystal.h"
#include "phyxel/methods/lennard_jones/method.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/row_memory.h"

namespace phyxel::lennard_jones {

MethodInfo info() {
  MethodInfo info = info_of<Parameters>(
      "lennard_jones",
      "particle volumes: solids that flex, break, melt and flow by a pair potential (Tonnesen)");
  info.alternatives = {{"dissociation_energy", "youngs_modulus"},
                       {"obstacle_alpha", "obstacle_beta"}};
  info.lengths = {"equilibrium_distance", "obstacle_range"};
  info.of_one_particle = {"dissociation_energy", "obstacle_alpha", "obstacle_beta"};
  info.rest_spacing = [](const Material& material, int dimensions) {
    const Parameters& p = parameters_of<Parameters>(material);
    if (!is_given(p.equilibrium_distance)) return double(not_given);
    return relaxed_spacing(unit_energy_law(p), dimensions);
  };
  info.conducts_heat = true;
  info.resolve = resolve;
  info.report = report;
  // Particles and their scratch, quads, forces, contacts, cells, and a row with its skin. Rows are
  // made before frames are taken, and their scratch is larger.
  info.bytes_per_particle = [](const Material& material) -> double {
    return 9 * sizeof(Vec3) + 13 * sizeof(Real) + 8 * sizeof(Real) + 16 * sizeof(Index) +
           3 * sizeof(std::uint64_t) +
           row_bytes(1.2 * parameters_of<Parameters>(material).cutoff, material.dimensions) +
           heat_bytes(parameters_of<Parameters>(material).thermal);
  };
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::lennard_jones
