#include "phyxel/methods/registry.h"

#include "phyxel/core/device.h"
#include "phyxel/core/error.h"
#include "phyxel/methods/method_info.h"

/// A line for each method, in the order in which they are listed to users. A method is a folder and
/// a namespace of this name.
#define PHYXEL_METHODS(method)                                                           \
  method(lennard_jones) method(mpm) method(sph) method(lattice) method(mass_interaction) \
      method(mls) method(pbd)

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

std::vector<MethodInfo> methods_of_library() {
  return {PHYXEL_METHODS(PHYXEL_ENTRY)};
}

/// Methods until the list is used for the first time; it never changes afterwards, so that presets,
/// references and pointers to it stay valid.
struct Additions {
  std::vector<MethodInfo> methods = methods_of_library();
  bool closed = false;
};
Additions& additions() {
  static Additions all;
  return all;
}

/// "" or the part that every method needs and this one lacks.
std::string missing_part(const MethodInfo& info) {
  if (info.name.empty()) return "name";
  if (!info.default_parameters || !info.describe) return "parameters: start with info_of<...>()";
  if (!info.bytes_per_particle) return "bytes_per_particle";
  return info.make ? "" : "make";
}

}  // namespace

const std::vector<MethodInfo>& method_registry() {
  static const std::vector<MethodInfo>& methods = [&]() -> const std::vector<MethodInfo>& {
    additions().closed = true;
    return additions().methods;
  }();
  return methods;
}

void add_method(MethodInfo info) {
  const std::string call = "add_method(\"" + info.name + "\")";
  if (additions().closed)
    throw Error(call + ": the methods are in use already; add it before the first scene is read");
  if (const std::string part = missing_part(info); !part.empty())
    throw Error(call + ": MethodInfo lacks " + part);
  for (const MethodInfo& other : additions().methods)
    if (other.name == info.name)
      throw Error(call + ": there is a method of this name; choose another one");
  additions().methods.push_back(std::move(info));
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
