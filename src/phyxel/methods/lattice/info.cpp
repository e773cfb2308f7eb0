#include "phyxel/methods/lattice/method.h"

namespace phyxel::lattice {

#ifdef PHYXEL_CUDA
namespace cuda {
std::unique_ptr<Method> make_solver();
}
#endif

MethodInfo info() {
  MethodInfo info;
  info.name = "lattice";
  info.summary = "solids without stored connectivity: elastic, plastic, brittle (Wicke et al.)";
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& p) {
    describe(fields, std::any_cast<Parameters&>(p));
  };
  info.rest_spacing = [](const Material&, int) { return double(not_given); };
  info.resolve = resolve;
  info.report = report;
  info.has_contact_kinds = true;
  info.conducts_heat = info.has_phases = true;
  // Particles and their scratch, lattices, slots twice, neighbourhoods, cells and a row of 32.
  info.bytes_per_particle = 4 * sizeof(Vec3) + 8 * sizeof(Real) + 2 * sizeof(Mat3) +
                            2 * sizeof(SlotRates) + 2 * sizeof(SlotHolders) + sizeof(Row16) +
                            5 * sizeof(Quad) + sizeof(Vec3) + 40 * sizeof(Index) +
                            3 * sizeof(std::uint64_t) + 32 * sizeof(Index);
  info.make = make_solver;
#ifdef PHYXEL_CUDA
  info.make_cuda = cuda::make_solver;
#endif
  return info;
}

}  // namespace phyxel::lattice
