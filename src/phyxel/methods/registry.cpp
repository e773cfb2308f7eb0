#include "phyxel/methods/registry.h"

#include "phyxel/core/device.h"
#include "phyxel/core/error.h"
#include "phyxel/methods/method_info.h"

/// A line for each method, in the order in which they are listed to users. A method is a folder and
/// a namespace of this name.
#define PHYXEL_METHODS(method) \
  method(lennard_jones) method(mpm) method(sph) method(lattice) method(mass_interaction)

/// What its folder defines, in info.cpp, presets.toml, benchmark_worlds.cpp, and in method.cpp
/// where nvcc compiles it.
#define PHYXEL_DECLARE(method)                    \
  namespace method {                              \
  MethodInfo info();                              \
  const char* presets();                          \
  std::vector<BenchmarkWorld> benchmark_worlds(); \
  namespace cuda {                                \
  std::unique_ptr<Method> make_solver();          \
  }                                               \
  }

#ifdef PHYXEL_CUDA
#define PHYXEL_MAKE_CUDA(method) method::cuda::make_solver
#else
#define PHYXEL_MAKE_CUDA(method) nullptr
#endif

#define PHYXEL_ENTRY(method) \
  entry(method::info(), method::presets(), method::benchmark_worlds(), PHYXEL_MAKE_CUDA(method)),

namespace phyxel {

PHYXEL_METHODS(PHYXEL_DECLARE)

namespace {

MethodInfo entry(MethodInfo info, const char* presets, std::vector<BenchmarkWorld> worlds,
                 std::unique_ptr<Method> (*make_cuda)()) {
  info.presets = presets;
  info.benchmark_worlds = std::move(worlds);
  info.make_cuda = make_cuda;
  return info;
}

}  // namespace

const std::vector<MethodInfo>& method_registry() {
  static const std::vector<MethodInfo> methods = {PHYXEL_METHODS(PHYXEL_ENTRY)};
  return methods;
}

const MethodInfo* find_method(const std::string& name) {
  for (const MethodInfo& method : method_registry())
    if (method.name == name) return &method;
  return nullptr;
}

std::unique_ptr<Method> make_method(const MethodInfo& info, Device device) {
  if (device == Device::cpu) return info.make();
  if (const std::string problem = device::problem(); !problem.empty())
    throw InputError("--device cuda: " + problem);
  if (!info.make_cuda)
    throw InputError("--device cuda: the method " + info.name + " runs on the cpu only");
  return info.make_cuda();
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_registry()) names.push_back(method.name);
  return names;
}

}  // namespace phyxel
