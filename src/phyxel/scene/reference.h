#pragma once

#include <string>

namespace phyxel {

/// A JSON schema of scene files for editors, made from the same descriptions that the reader uses.
std::string scene_schema();

/// The reference of the scene file as Markdown: a table for every part of it.
std::string scene_reference();

/// A commented scene to start from, with every parameter of the method in it. Throws for an unknown
/// method.
std::string scene_template(const std::string& name, const std::string& method);

}  // namespace phyxel
