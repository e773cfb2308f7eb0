#include "phyxel/surfaces/surface_parameters.h"

namespace phyxel {

const std::vector<std::string>& surface_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = field_names();
    all.insert(all.end(), {"flow", "skin", "particles"});
    return all;
  }();
  return names;
}

SurfaceOptions surface_options(const SurfaceParameters& parameters) {
  SurfaceOptions options = parameters.options;
  options.field.kind = field_kind(parameters.method);
  return options;
}

}  // namespace phyxel
