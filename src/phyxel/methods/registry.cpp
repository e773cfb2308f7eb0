#include "phyxel/methods/registry.h"

#include "phyxel/core/error.h"
#include "phyxel/methods/lattice/info.h"
#include "phyxel/methods/lennard_jones/info.h"
#include "phyxel/methods/mass_interaction/info.h"
#include "phyxel/methods/mpm/info.h"
#include "phyxel/methods/sph/info.h"
#ifdef PHYXEL_CUDA
#include "phyxel/core/device_memory.h"
#endif

namespace phyxel {

const std::vector<MethodInfo>& method_registry() {
  static const std::vector<MethodInfo> methods = {
      lennard_jones::info(), mpm::info(), sph::info(), lattice::info(), mass_interaction::info(),
  };
  return methods;
}

const MethodInfo* find_method(const std::string& name) {
  for (const MethodInfo& method : method_registry())
    if (method.name == name) return &method;
  return nullptr;
}

std::unique_ptr<Method> make_method(const MethodInfo& info, Device device) {
  if (device == Device::cpu) return info.make();
  if (const std::string problem = cuda_problem(); !problem.empty())
    throw InputError("--device cuda: " + problem);
  if (!info.make_cuda)
    throw InputError("--device cuda: the method " + info.name + " runs on the cpu only");
  return info.make_cuda();
}

#ifdef PHYXEL_CUDA
std::string cuda_problem() {
  const std::string problem = device::problem();
  return problem.empty() ? "" : problem + "; run with --device cpu";
}
std::size_t cuda_bytes_in_use() {
  return device::problem().empty() ? device::bytes_in_use() : 0;
}
#else
std::string cuda_problem() {
  return "this build has no CUDA back end; where the CUDA toolkit is installed, scripts/build cuda "
         "makes one";
}
std::size_t cuda_bytes_in_use() {
  return 0;
}
#endif

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_registry()) names.push_back(method.name);
  return names;
}

}  // namespace phyxel
