#include "phyxel/methods/registry.h"

#include "phyxel/methods/lennard_jones/method.h"

namespace phyxel {

const std::vector<MethodInfo>& method_registry() {
  static const std::vector<MethodInfo> methods = {
      lennard_jones::info(),
  };
  return methods;
}

const MethodInfo* find_method(const std::string& name) {
  for (const MethodInfo& method : method_registry())
    if (method.name == name) return &method;
  return nullptr;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_registry()) names.push_back(method.name);
  return names;
}

}  // namespace phyxel
