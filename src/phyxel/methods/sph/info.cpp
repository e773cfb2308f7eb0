#include "phyxel/methods/method_info.h"
#include "phyxel/methods/row_memory.h"
#include "phyxel/methods/sph/method.h"

namespace phyxel::sph {

MethodInfo info() {
  MethodInfo info = info_of<Parameters>(
      "sph", "smoothed particles: weakly compressible liquids with XSPH (Monaghan)");
  info.alternatives = {{"sound_speed", "bulk_modulus"}};
  info.resolve = resolve;
  info.report = report;
  info.has_contact_kinds = true;
  info.has_thin_bodies = false;
  info.keeps_neighbours = false;
  info.conducts_heat = true;
  // Particles and their scratch, quads, cells, and about 80 places of a row.
  info.bytes_per_particle = [](const Material& material) -> double {
    return 4 * sizeof(Vec3) + 8 * sizeof(Real) + 5 * sizeof(Quad) + 16 * sizeof(Index) +
           3 * sizeof(std::uint64_t) + 80 * sizeof(Index) + saved_bytes(2 * sizeof(Real)) +
           heat_bytes(parameters_of<Parameters>(material).thermal);
  };
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::sph
