#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// The columns of one method, in its order.
struct CheckpointGroup {
  std::string name;
  std::vector<FrameColumn> columns;
};

/// All that a run needs to continue with the same bits.
struct Checkpoint {
  std::map<std::string, double> numbers;     // integers are exact up to 2^53
  std::map<std::string, std::string> texts;  // any length
  std::vector<CheckpointGroup> groups;
};

/// An HDF5 file, written atomically: attributes of /numbers, strings in /texts, and
/// /groups/<group>/<column> of shape (count, components) with its unit. The first 512 bytes (the
/// "user block", which HDF5 readers skip) hold the length and a hash of the rest as text.
/// The HDF5 library works on one file at a time: do not call these two from several threads.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// InputError when the file is damaged, cut off, of another version or not a checkpoint: length and
/// hash are compared before HDF5 sees a byte of it.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace phyxel
