#include "phyxel/methods/mpm/method.h"

namespace phyxel::mpm {

#ifdef PHYXEL_CUDA
namespace cuda {
std::unique_ptr<Method> make_solver();
}
#endif

MethodInfo info() {
  MethodInfo info;
  info.name = "mpm";
  info.summary =
      "material points on a sparse grid: snow, jelly, water, sand and clay (Umenhoffer, Stomakhin)";
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& p) {
    describe(fields, std::any_cast<Parameters&>(p));
  };
  info.rest_spacing = [](const Material&, int) { return double(not_given); };
  info.resolve = resolve;
  info.report = report;
  info.lengths = {"cell"};
  info.has_contact_kinds = true;
  info.bytes_per_particle = 400;
  info.make = make_solver;
#ifdef PHYXEL_CUDA
  info.make_cuda = cuda::make_solver;
#endif
  return info;
}

}  // namespace phyxel::mpm
