#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// Writes the bytes of one file; throws Error when the disk is full.
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
/// A link stays, and the file that it points to is replaced. What is not a regular file (a device,
/// a pipe, /dev/stdout) is written into.
void write_atomically(const std::filesystem::path& path,
                      const std::function<void(FileWriter&)>& writer);

/// Error unless write_atomically(path) can begin; leaves no file. For checks before a long run.
void check_writable(const std::filesystem::path& path);

/// True for names that write_atomically gives to unfinished files; `target` becomes the name that
/// the file would have got.
bool is_temporary_name(const std::string& name, std::string& target);

/// A file under a temporary name beside `target`, for programs that write by name themselves. It
/// vanishes unless it is kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::filesystem::path& path() const { return path_; }
  /// Flushes it to the disk and renames it to its target.
  void keep();

 private:
  std::filesystem::path target_, path_;
  int descriptor_;
  int noted_;  // among those that abandon_temporaries() removes; -1: not
};

/// Removes what lies under temporary names now, for a program that is about to end. May be called
/// in a signal handler.
void abandon_temporaries();

/// Why a file of this name must not be opened for reading: "it is a folder", "it is a pipe" (which
/// would hang without a writer). "" for a regular file, and for none: opening it gives the error.
std::string why_not_readable(const std::filesystem::path& path);

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
