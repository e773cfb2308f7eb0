#include "phyxel/app/folder/file_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>

#include "phyxel/core/error.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

/// A name with one number in it.
struct NamePattern {
  fs::path folder;
  std::string before, after;
  long first = 0, last = std::numeric_limits<long>::max();
};

[[noreturn]] void refuse_pattern(const std::string& text) {
  throw InputError(fmt::format(
      "{}: a pattern has one {{}} or {{first..last}} for the number, in the name of the file",
      text));
}

long number_from(const std::string& digits, const std::string& text) {
  if (digits.empty() || digits.size() > 9 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    refuse_pattern(text);
  return std::stol(digits);
}

NamePattern parse_pattern(const std::string& text) {
  const fs::path path(text);
  const std::string name = path.filename().string();
  const auto open = name.find('{'), close = name.find('}');
  if (open == std::string::npos || close == std::string::npos || close < open) refuse_pattern(text);
  NamePattern pattern{path.parent_path(), name.substr(0, open), name.substr(close + 1)};
  if (pattern.after.find_first_of("{}") != std::string::npos) refuse_pattern(text);
  const std::string range = name.substr(open + 1, close - open - 1);
  if (range.empty()) return pattern;
  const auto dots = range.find("..");
  if (dots == std::string::npos) refuse_pattern(text);
  pattern.first = number_from(range.substr(0, dots), text);
  pattern.last = number_from(range.substr(dots + 2), text);
  return pattern;
}

/// The number in a file name, where it fits the pattern.
std::optional<long> number_in(const NamePattern& pattern, const std::string& name) {
  const std::size_t fixed = pattern.before.size() + pattern.after.size();
  if (name.size() <= fixed || !name.starts_with(pattern.before) || !name.ends_with(pattern.after))
    return {};
  const std::string digits = name.substr(pattern.before.size(), name.size() - fixed);
  if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  const long number = std::stol(digits);
  if (number < pattern.first || number > pattern.last) return {};
  return number;
}

}  // namespace

std::vector<fs::path> expand_pattern(const std::string& text) {
  if (text.find_first_of("{}") == std::string::npos) {
    if (!fs::exists(text)) throw InputError(fmt::format("{}: no such file", text));
    return {text};
  }
  const NamePattern pattern = parse_pattern(text);
  const fs::path folder = pattern.folder.empty() ? "." : pattern.folder;
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("{}: no such folder: {}", text, folder.string()));
  std::vector<std::pair<long, fs::path>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (const auto number = number_in(pattern, name))
      found.emplace_back(*number, pattern.folder / name);
  }
  if (found.empty()) throw InputError(fmt::format("{}: no file fits", text));
  std::sort(found.begin(), found.end());
  std::vector<fs::path> files;
  for (const auto& [number, path] : found) files.push_back(path);
  return files;
}

std::vector<std::filesystem::path> expand_patterns(const std::vector<std::string>& patterns) {
  std::vector<std::filesystem::path> files;
  for (const std::string& pattern : patterns)
    for (const std::filesystem::path& file : expand_pattern(pattern)) files.push_back(file);
  return files;
}

void refuse_equal_names(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names;
  for (const std::filesystem::path& file : files) names.push_back(file.stem().string());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw InputError(fmt::format(
        "two inputs are called {}: what is made of them would have one name; write to two folders",
        *twice));
}

void refuse_overwriting(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs,
                        const std::string& option) {
  std::set<fs::path> read;
  for (const fs::path& input : inputs) read.insert(fs::weakly_canonical(fs::absolute(input)));
  for (const fs::path& output : outputs)
    if (read.contains(fs::weakly_canonical(fs::absolute(output))))
      throw InputError(fmt::format("{}: is an input and would be replaced; choose another {}",
                                   output.string(), option));
}

}  // namespace phyxel
