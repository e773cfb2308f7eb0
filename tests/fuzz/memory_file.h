#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace phyxel::fuzz {

/// A file on the disk in memory, for readers that want a path. HDF5 refuses those without a name.
class MemoryFile {
 public:
  ~MemoryFile() { std::filesystem::remove(path); }
  MemoryFile() = default;
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void hold(std::string_view bytes) const {
    if (!std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes))) std::abort();
  }

  const std::filesystem::path path = "/dev/shm/phyxel_fuzz_" + std::to_string(getpid());
};

}  // namespace phyxel::fuzz
