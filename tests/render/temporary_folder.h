#pragma once

#include <filesystem>
#include <stdexcept>
#include <stdlib.h>
#include <string>

/// A new folder that goes with its scope.
struct TemporaryFolder {
  std::filesystem::path path;

  explicit TemporaryFolder(const std::string& inner = "") {
    std::string name = (std::filesystem::temp_directory_path() / "phyxel_render_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    root_ = name;
    path = inner.empty() ? root_ : root_ / inner;
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

 private:
  std::filesystem::path root_;
};
