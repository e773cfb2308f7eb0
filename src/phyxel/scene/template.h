#pragma once

#include <string>

namespace phyxel {

/// A commented scene to start from, with every parameter of the method in it. Throws for an unknown
/// method.
std::string scene_template(const std::string& name, const std::string& method);

}  // namespace phyxel
