#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// What a run has left on the disk, for comparing runs byte by byte.

namespace phyxel {

namespace fs = std::filesystem;

inline std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// stats.csv without the column that no two runs share.
inline std::string stats_without_wall_seconds(const fs::path& file) {
  std::string text;
  std::size_t wall = 0;
  for (const std::string& line : split(bytes_of(file), '\n')) {
    const std::vector<std::string> cells = split(line, ',');
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (cells[k] == "wall_seconds") wall = k;
      if (k != wall || wall == 0) text += cells[k] + ",";
    }
    text += "\n";
  }
  return text;
}

/// All files by their path in the folder.
inline std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = bytes_of(entry.path());
  return files;
}

inline std::vector<std::string> names_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files_of(folder)) names.push_back(name);
  return names;
}

/// The files that every run of a scene must write with the same bytes; run.log tells of this run
/// alone, and the film is ffmpeg's.
inline std::map<std::string, std::string> lasting_files(const fs::path& folder) {
  auto files = files_of(folder);
  files.erase("run.log");
  files.erase("video.mp4");
  files["stats.csv"] = stats_without_wall_seconds(folder / "stats.csv");
  std::vector<std::string> names = split(files["phyxel_run.txt"], '\n');
  std::sort(names.begin(), names.end());  // in the order in which they appeared
  files["phyxel_run.txt"].clear();
  for (const std::string& name : names) files["phyxel_run.txt"] += name + "\n";
  return files;
}

/// "" or the first file in which two runs differ.
inline std::string difference(const fs::path& a, const fs::path& b) {
  const auto one = lasting_files(a), other = lasting_files(b);
  for (const auto& [name, bytes] : one) {
    if (!other.contains(name)) return name + " is in the first only";
    if (other.at(name) != bytes) return name + " differs";
  }
  for (const auto& [name, bytes] : other)
    if (!one.contains(name)) return name + " is in the second only";
  return "";
}

}  // namespace phyxel
