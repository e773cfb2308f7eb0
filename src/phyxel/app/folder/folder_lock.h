#pragma once

#include <filesystem>
#include <string>

namespace phyxel {

/// While it lives no other process (and no other lock of this one) has the folder. It is the
/// kernel's lock on a file in it, so that a process that dies leaves none; the file holds the
/// number of the process, for messages.
class FolderLock {
 public:
  static constexpr const char* file_name = ".phyxel_lock";

  FolderLock() = default;  // of no folder
  /// InputError with the number of the process where another has it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock() { release(); }
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

  /// "process 123" where another has the folder, "" where none has.
  static std::string holder(const std::filesystem::path& folder);

  bool held() const { return descriptor_ >= 0; }
  /// The folder has got another name.
  void moved_to(const std::filesystem::path& folder) { path_ = folder / file_name; }
  void release();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace phyxel
