#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "phyxel/scene/world.h"

namespace phyxel {

/// stats.csv: one row per frame, as ARCHITECTURE.md lists them. All numbers but wall_seconds are
/// the same in every run.
class StatsFile {
 public:
  /// Starts anew, or keeps the rows up to `last_frame` of an earlier run.
  StatsFile(std::filesystem::path path, int last_frame);
  void add(int frame, double time, int substeps, const Diagnostics& diagnostics,
           double wall_seconds);
  /// Waits until the rows are on the disk.
  void sync();
  /// rows_hash() of what it holds.
  std::uint64_t hash() const { return hash_; }

 private:
  std::filesystem::path path_;
  std::ofstream stream_;
  std::uint64_t hash_ = 0;
  bool empty_ = true;
  std::vector<std::string> extra_;  // columns that methods have added, in the order of the header
};

/// Header and whole rows up to a frame; what a killed run left half-written is dropped.
std::string kept_rows(const std::filesystem::path& path, int last_frame);

/// Frames up to `last_frame` that have no whole row.
std::vector<int> missing_rows(const std::filesystem::path& path, int last_frame);

/// Of the header and the rows up to `last_frame`, without wall_seconds: the same in every run.
std::uint64_t rows_hash(const std::filesystem::path& path, int last_frame);

}  // namespace phyxel
