#include "phyxel/methods/sph/info.h"

#include "phyxel/methods/row_memory.h"
#include "phyxel/methods/sph/method.h"

namespace phyxel::sph {

#ifdef PHYXEL_CUDA
namespace cuda {
std::unique_ptr<Method> make_solver();
}
#endif

MethodInfo info() {
  MethodInfo info;
  info.name = "sph";
  info.summary = "smoothed particles: weakly compressible liquids with XSPH (Monaghan)";
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& p) {
    describe(fields, std::any_cast<Parameters&>(p));
  };
  info.alternatives = {{"sound_speed", "bulk_modulus"}};
  info.rest_spacing = [](const Material&, int) { return double(not_given); };
  info.resolve = resolve;
  info.report = report;
  info.has_contact_kinds = true;
  // Particles and their scratch, quads, cells, and about 80 places of a row.
  info.bytes_per_particle = [](const Material&) -> double {
    return 4 * sizeof(Vec3) + 8 * sizeof(Real) + 5 * sizeof(Quad) + 16 * sizeof(Index) +
           3 * sizeof(std::uint64_t) + 80 * sizeof(Index) + saved_bytes(2 * sizeof(Real));
  };
  info.presets = presets();
  info.benchmark_worlds = benchmark_worlds();
  info.make = make_solver;
#ifdef PHYXEL_CUDA
  info.make_cuda = cuda::make_solver;
#endif
  return info;
}

}  // namespace phyxel::sph
