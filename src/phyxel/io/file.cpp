#include "phyxel/io/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

constexpr std::size_t buffer_size = 1 << 20;

std::string remedy(int reason) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another output folder";
    case EFBIG:
      return "raise the limit on file sizes (ulimit -f) or choose another file system";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose an output folder that you may write to";
    case ENOENT:
    case ENOTDIR:
      return "the folder must exist, and its parts must be folders";
    case EISDIR:
    case ENOTEMPTY:
      return "a folder has this name: choose another name";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "check the folder and its disk";
  }
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, int reason, std::size_t written,
                                std::size_t wanted) {
  std::string message = "cannot write: " + std::string(std::strerror(reason));
  if (wanted > 0)
    message += " after " + std::to_string(written) + " bytes, at least " +
               std::to_string(written + wanted) + " are needed";
  std::error_code none;
  const auto space =
      std::filesystem::space(path.parent_path().empty() ? "." : path.parent_path(), none);
  if (!none && (reason == ENOSPC || reason == EDQUOT))
    message += " (" + std::to_string(space.available) + " bytes free)";
  throw Error(Place{path.string()}, message + "; " + remedy(reason));
}

/// A new file beside the target under a name that nobody has.
int open_temporary(const std::filesystem::path& target, int flags, std::filesystem::path& path) {
  for (int attempt = 0;; ++attempt) {
    path = target.parent_path() /
           fmt::format(".{}.{}-{}.tmp", target.filename().string(), getpid(), attempt);
    const int descriptor = open(path.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) fail_to_write(target, errno, 0, 0);
  }
}

int open_nameless(const std::filesystem::path& target) {
  std::filesystem::path path;
  const int descriptor = open_temporary(target, O_RDWR, path);
  unlink(path.c_str());
  return descriptor;
}

/// A file that vanishes unless it is renamed to its place.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target)
      : target_(target), descriptor_(open_temporary(target, O_WRONLY, path_)) {}
  ~Temporary() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int descriptor() const { return descriptor_; }

  void rename_to_target() {
    if (fsync(descriptor_) != 0) fail_to_write(target_, errno, 0, 0);
    // Network disks report a full quota only here.
    if (close(std::exchange(descriptor_, -1)) != 0) fail_to_write(target_, errno, 0, 0);
    if (rename(path_.c_str(), target_.c_str()) != 0) fail_to_write(target_, errno, 0, 0);
    path_.clear();
  }

 private:
  std::filesystem::path target_, path_;
  int descriptor_;
};

}  // namespace

FileWriter::FileWriter(int descriptor, std::filesystem::path shown)
    : descriptor_(descriptor), shown_(std::move(shown)) {
  buffer_.reserve(buffer_size);
}

void FileWriter::write(const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  if (buffer_.size() + size > buffer_size) flush();
  if (size > buffer_size) return send(from, size);
  buffer_.insert(buffer_.end(), from, from + size);
}

void FileWriter::flush() {
  send(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void FileWriter::send(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(descriptor_, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_to_write(shown_, n < 0 ? errno : ENOSPC, written_, size);
    data += n;
    size -= static_cast<std::size_t>(n);
    written_ += static_cast<std::size_t>(n);
  }
}

void write_atomically(const std::filesystem::path& path,
                      const std::function<void(FileWriter&)>& writer) {
  Temporary temporary(path);
  FileWriter file(temporary.descriptor(), path);
  writer(file);
  file.flush();
  temporary.rename_to_target();
}

ScratchFile::ScratchFile(const std::filesystem::path& beside)
    : shown_(beside), descriptor_(open_nameless(beside)), writer_(descriptor_, beside) {}

ScratchFile::~ScratchFile() {
  close(descriptor_);
}

void ScratchFile::copy(std::size_t first, std::size_t size, FileWriter& to) {
  writer_.flush();
  std::vector<char> piece(std::min(size, buffer_size));
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = pread(descriptor_, piece.data(), std::min(piece.size(), size - done),
                            static_cast<off_t>(first + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_to_write(shown_, n < 0 ? errno : EIO, 0, 0);
    to.write(piece.data(), static_cast<std::size_t>(n));
    done += static_cast<std::size_t>(n);
  }
}

void create_folders(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error(Place{folder.string()},
                "cannot make this folder: " + failed.message() + "; " + remedy(failed.value()));
}

}  // namespace phyxel
