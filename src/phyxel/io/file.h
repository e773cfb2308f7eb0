#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// Takes the bytes of one file; throws Error when the disk takes no more.
class FileWriter {
 public:
  FileWriter(int descriptor, std::filesystem::path shown);  // `shown` is the path in messages
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void flush();
  std::size_t bytes() const { return written_ + buffer_.size(); }

 private:
  void send(const char* data, std::size_t size);

  int descriptor_;
  std::filesystem::path shown_;
  std::vector<char> buffer_;
  std::size_t written_ = 0;
};

/// Writes a file so that `path` holds either all of it or what it held before, whatever happens:
/// under a temporary name in the same folder, flushed to the disk, then renamed. Error with path,
/// bytes written, reason and remedy when that fails; the temporary file is removed.
void write_atomically(const std::filesystem::path& path,
                      const std::function<void(FileWriter&)>& writer);

/// Bytes that are needed until the file `beside` is written. It lies in the same folder, on a disk
/// that has room for the result, but has no name: nothing is left of it, whatever happens.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& beside);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  FileWriter& writer() { return writer_; }
  /// Bytes first .. first + size of what was written, added to another file.
  void copy(std::size_t first, std::size_t size, FileWriter& to);

 private:
  std::filesystem::path shown_;
  int descriptor_;
  FileWriter writer_;
};

/// Makes a folder and those above it; Error with the reason when that fails.
void create_folders(const std::filesystem::path& folder);

}  // namespace phyxel
