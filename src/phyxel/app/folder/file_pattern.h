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

/// InputError where one of the files to be made is one of those it would be made from. `option`
/// names the outputs.
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs,
                        const std::vector<std::filesystem::path>& outputs,
                        const std::string& option = "--out");

}  // namespace phyxel
