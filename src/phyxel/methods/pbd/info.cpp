#include "phyxel/methods/method_info.h"
#include "phyxel/methods/pbd/kinds.h"
#include "phyxel/methods/pbd/material.h"
#include "phyxel/methods/pbd/method.h"
#include "phyxel/methods/pbd/own_weight.h"
#include "phyxel/methods/row_memory.h"

namespace phyxel::pbd {

namespace {

/// Particles and their scratch, the positions of a step, vertices, and a dozen edges of a network
/// with their rows.
double bytes_per_particle(const Material&) {
  constexpr double edges = 12;
  const double vertex = sizeof(ParticleId) + sizeof(Vec3) + 2 * sizeof(Index);
  const double row = 3 * sizeof(Real) + 4 * sizeof(Index) + sizeof(Real);
  return 4 * sizeof(Vec3) + 4 * sizeof(Real) + 12 * sizeof(Index) + sizeof(Quad) + sizeof(Vec3) +
         vertex + edges * (row + sizeof(Constraint<Distance>) + sizeof(Vec<Index, 2>)) +
         saved_bytes(0);
}

}  // namespace

MethodInfo info() {
  MethodInfo info = info_of<Parameters>(
      "pbd", "cloth, ropes and solids by constraints on positions, with moduli in SI (XPBD)");
  info.resolve = resolve;
  info.tears = [](const Material& material) {
    return is_given(parameters_of<Parameters>(material).tear_strain);
  };
  info.report = report;
  info.warn_of_thin_body = warn_of_own_weight;
  info.refuses_emitter = [](const Material&) -> std::string {
    return "what comes out of a nozzle joins no body, and nothing would hold its particles "
           "together: make a body of it";
  };
  info.bytes_per_particle = bytes_per_particle;
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::pbd
