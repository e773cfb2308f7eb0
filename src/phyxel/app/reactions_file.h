#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "phyxel/scene/world.h"

namespace phyxel {

/// reactions.csv: a row for each collider, pin and the like of each frame, from frame 1 on. All
/// numbers are the same in every run.
class ReactionsFile {
 public:
  /// Starts anew, or keeps the rows up to `last_frame` of an earlier run.
  ReactionsFile(std::filesystem::path path, int last_frame);
  void add(int frame, double time, const std::vector<Reaction>& reactions);
  /// Waits until the rows are on the disk.
  void sync();
  /// Of all that it holds.
  std::uint64_t hash() const { return hash_; }

 private:
  void write(const std::string& text);

  std::filesystem::path path_;
  std::ofstream stream_;
  std::uint64_t hash_ = 0;
};

/// Frames from 1 to `last_frame` that have no whole row.
std::vector<int> missing_reactions(const std::filesystem::path& path, int last_frame);

/// Of the header and the rows up to `last_frame`.
std::uint64_t reactions_hash(const std::filesystem::path& path, int last_frame);

}  // namespace phyxel
