#include "phyxel/methods/lattice/method.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/row_memory.h"

namespace phyxel::lattice {

namespace {

/// Particles and their scratch, matrices, slots twice, neighbourhoods, cells and a row of 48; where
/// matter freezes, where its bonds rest. All of it but rows and neighbourhoods is in a checkpoint.
double bytes_per_particle(const Material& material) {
  const double slots = sizeof(SlotRates) + sizeof(SlotIds);
  const double own = 3 * sizeof(Mat3) + sizeof(Vec3) + sizeof(Real) + 2 * sizeof(double) + slots;
  const double bytes = 6 * sizeof(Vec3) + 12 * sizeof(Real) + 4 * sizeof(Mat3) + 4 * slots +
                       sizeof(Row16) + 5 * sizeof(Quad) + 32 * sizeof(Index) +
                       3 * sizeof(std::uint64_t) + 48 * sizeof(Index) + saved_bytes(own);
  const bool freezes = parameters_of<Parameters>(material).freezing_rate > 0;
  return freezes ? bytes + 4 * (sizeof(SlotRests) + sizeof(Real) + sizeof(Index)) : bytes;
}

}  // namespace

MethodInfo info() {
  MethodInfo info = info_of<Parameters>(
      "lattice", "solids without stored connectivity: elastic, plastic, brittle (Wicke et al.)");
  info.resolve = resolve;
  info.report = report;
  info.refuses_sheet = [](const Material&) { return std::string(); };
  info.has_contact_kinds = true;
  info.has_thin_bodies = false;
  info.conducts_heat = info.has_phases = true;
  info.bytes_per_particle = bytes_per_particle;
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::lattice
