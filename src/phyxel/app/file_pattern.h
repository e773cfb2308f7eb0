#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel {

/// The files that a pattern (points_{}.ply, points_{10..50}.ply) stands for, in the order of their
/// numbers; a name without braces stands for itself. InputError where there is none.
std::vector<std::filesystem::path> expand_pattern(const std::string& pattern);
/// Those of all patterns.
std::vector<std::filesystem::path> expand_patterns(const std::vector<std::string>& patterns);

/// InputError where two files have one name, but for folder and extension.
void refuse_equal_names(const std::vector<std::filesystem::path>& files);

}  // namespace phyxel
