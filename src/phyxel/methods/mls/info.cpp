#include "phyxel/methods/method_info.h"
#include "phyxel/methods/mls/method.h"
#include "phyxel/methods/row_memory.h"

namespace phyxel::mls {

namespace {

/// Particles and their scratch, own columns with theirs, rows of sixteen numbers, cells twice, rows
/// of the reference shape and of contact.
double bytes_per_particle(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  const double own = sizeof(Vec3) + sizeof(Mat3) + 2 * sizeof(Real) + sizeof(Index) +
                     (yields(p) ? sizeof(Symmetric<Real>) : 0) +
                     (p.damping > 0 ? sizeof(Symmetric<Real>) : 0);
  const double places = sizeof(Moving) + 2 * sizeof(Row16) + 2 * sizeof(Quad) +
                        sizeof(Symmetric<Real>) + sizeof(Mat3) + 3 * sizeof(Vec3);
  return 4 * sizeof(Vec3) + 4 * sizeof(Real) + 12 * sizeof(Index) + 2 * own + places +
         6 * sizeof(std::uint64_t) + row_bytes(Real(1.05) * p.support, material.dimensions) +
         row_bytes(1.5, material.dimensions) + saved_bytes(own + sizeof(Mat3)) +
         heat_bytes(p.thermal);
}

}  // namespace

MethodInfo info() {
  MethodInfo info = info_of<Parameters>(
      "mls",
      "a reference shape by moving least squares: elastic, plastic, melting (Mueller et al.)");
  info.resolve = resolve;
  info.report = report;
  info.refuses_sheet = [](const Material&) { return std::string(); };
  info.refuses_emitter = [](const Material& material) -> std::string {
    if (parameters_of<Parameters>(material).flows) return "";
    return "what comes out of a nozzle has no shape to remember: give the material flows = true, "
           "or "
           "make a body of it";
  };
  info.conducts_heat = info.has_reference_shape = true;
  info.bytes_per_particle = bytes_per_particle;
  info.make = make_solver;
  return info;
}

}  // namespace phyxel::mls
