#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel {

/// The files that a pattern (points_{}.ply, points_{10..50}.ply) stands for, in the order of their
/// numbers; a name without braces stands for itself. InputError where there is none.
std::vector<std::filesystem::path> expand_pattern(const std::string& pattern);

}  // namespace phyxel
