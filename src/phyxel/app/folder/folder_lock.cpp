#include "phyxel/app/folder/folder_lock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

std::string holder_of(int descriptor) {
  char text[32] = {};
  const ssize_t n = pread(descriptor, text, sizeof text - 1, 0);
  std::string digits(text, n > 0 ? static_cast<std::size_t>(n) : 0);
  digits.resize(std::min(digits.size(), digits.find_first_not_of("0123456789")));
  return digits.empty() ? "another process" : "process " + digits;
}

/// The holder removes the file when it is done: a lock on one without a name locks nothing.
bool has_its_name(int descriptor, const std::filesystem::path& path) {
  struct stat open_file, named_file;
  return fstat(descriptor, &open_file) == 0 && stat(path.c_str(), &named_file) == 0 &&
         open_file.st_ino == named_file.st_ino && open_file.st_dev == named_file.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / file_name) {
  for (;;) {
    const int descriptor =
        open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor < 0)
      throw Error(fmt::format("{}: cannot be made: {}; choose a folder that you may write to",
                              path_.string(), std::strerror(errno)));
    const bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const std::string holder = taken ? holder_of(descriptor) : "";
    if (!taken && has_its_name(descriptor, path_)) {
      descriptor_ = descriptor;
      break;
    }
    close(descriptor);
    if (taken)
      throw InputError(fmt::format(
          "{}: {} writes into this folder; wait until it ends, or choose another with --out",
          folder.string(), holder));
  }
  const std::string number = fmt::format("{}\n", getpid());
  // Only messages need the number.
  if (ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, number.data(), number.size(), 0) < 0)
    return;
}

std::string FolderLock::holder(const std::filesystem::path& folder) {
  const int descriptor =
      open((folder / file_name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return "";
  const bool taken = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const std::string holder = taken ? holder_of(descriptor) : "";
  close(descriptor);
  return holder;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  path_ = std::move(other.path_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  return *this;
}

void FolderLock::release() {
  if (descriptor_ < 0) return;
  if (has_its_name(descriptor_, path_)) unlink(path_.c_str());
  close(std::exchange(descriptor_, -1));
}

}  // namespace phyxel
