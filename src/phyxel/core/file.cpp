#include "phyxel/core/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <sys/stat.h>
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
    case ENXIO:
      return "a pipe needs a program that reads it: start that first";
    case ELOOP:
      return "its links lead in a circle";
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

/// A new file beside the target under a name that is free.
int open_temporary(const std::filesystem::path& target, int flags, std::filesystem::path& path) {
  for (int attempt = 0;; ++attempt) {
    path = target.parent_path() /
           fmt::format(".{}.{}-{}.tmp", target.filename().string(), getpid(), attempt);
    const int descriptor = open(path.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) fail_to_write(target, errno, 0, 0);
  }
}

/// A name that a signal handler may read once it is ready.
struct NotedName {
  enum State { unused, changing, ready };
  std::atomic<int> state{unused};
  char path[1024];
};

NotedName noted_names[16];  // more at once are not noted; a later run removes them

int note(const std::filesystem::path& path) {
  // A handler may run when the current folder is another.
  const std::string name = std::filesystem::absolute(path).string();
  if (name.size() >= sizeof noted_names[0].path) return -1;
  for (int k = 0; k < static_cast<int>(std::size(noted_names)); ++k) {
    int expected = NotedName::unused;
    if (!noted_names[k].state.compare_exchange_strong(expected, NotedName::changing)) continue;
    std::copy_n(name.c_str(), name.size() + 1, noted_names[k].path);
    noted_names[k].state = NotedName::ready;
    return k;
  }
  return -1;
}

void forget(int noted) {
  if (noted >= 0) noted_names[noted].state = NotedName::unused;
}

int open_nameless(const std::filesystem::path& target) {
  std::filesystem::path path;
  const int descriptor = open_temporary(target, O_RDWR, path);
  unlink(path.c_str());
  return descriptor;
}

/// The number of one of our open descriptors that a link in /proc names, or -1. Its own path leads
/// to the file, but opened anew it would have an offset of its own.
int descriptor_of(const std::filesystem::path& link) {
  std::error_code none;
  const auto folder = std::filesystem::canonical(link.parent_path(), none);
  if (none || folder != fmt::format("/proc/{}/fd", getpid())) return -1;
  const std::string digits = link.filename().string();
  int number = -1;
  const auto [end, bad] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return bad == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

/// What a path given for output means.
struct Output {
  std::filesystem::path path;  // behind all links
  int descriptor = -1;         // of ours, where the path names one
  bool regular = true;         // or not there yet: to be replaced as a whole
  mode_t mode = 0;             // rights of the file that is there; 0: none is there
};

Output find_output(const std::filesystem::path& path) {
  constexpr int most_links = 40;  // as the kernel follows
  Output output{path, -1, true, 0};
  std::error_code none;
  for (int k = 0; std::filesystem::is_symlink(output.path, none); ++k) {
    if (k == most_links) fail_to_write(path, ELOOP, 0, 0);
    output.descriptor = descriptor_of(output.path);
    if (output.descriptor >= 0) return output;
    const auto next = std::filesystem::read_symlink(output.path, none);
    if (none) fail_to_write(path, none.value(), 0, 0);
    output.path = output.path.parent_path() / next;
  }
  struct stat status;
  if (stat(output.path.c_str(), &status) != 0) return output;
  if (S_ISDIR(status.st_mode)) fail_to_write(path, EISDIR, 0, 0);
  output.regular = S_ISREG(status.st_mode);
  output.mode = status.st_mode & 07777;
  return output;
}

bool is_replaceable(const Output& output) {
  return output.descriptor < 0 && output.regular;
}

/// The file behind all links.
std::filesystem::path replaceable(const std::filesystem::path& path) {
  const Output output = find_output(path);
  if (!is_replaceable(output))
    throw Error(Place{path.string()}, "is a device or a pipe; choose the name of a file");
  return output.path;
}

/// Closed at the end of the scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

/// Of a pipe that is not read, or a device. Opening it must not wait for a reader for ever.
int open_special(const Output& output, const std::filesystem::path& shown) {
  if (output.descriptor >= 0) {
    std::fflush(nullptr);  // what was printed before comes before
    const int copy = fcntl(output.descriptor, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) fail_to_write(shown, errno, 0, 0);
    return copy;
  }
  const int descriptor = open(output.path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) fail_to_write(shown, errno, 0, 0);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

void write_into(const Output& output, const std::filesystem::path& shown,
                const std::function<void(FileWriter&)>& writer) {
  Descriptor descriptor{open_special(output, shown)};
  FileWriter file(descriptor.number, shown);
  writer(file);
  file.flush();
  if (close(std::exchange(descriptor.number, -1)) != 0) fail_to_write(shown, errno, 0, 0);
}

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

TemporaryFile::TemporaryFile(const std::filesystem::path& target)
    : target_(replaceable(target)),
      descriptor_(open_temporary(target_, O_WRONLY, path_)),
      noted_(note(path_)) {}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!path_.empty()) unlink(path_.c_str());
  forget(noted_);
}

void abandon_temporaries() {
  for (const NotedName& name : noted_names)
    if (name.state == NotedName::ready) unlink(name.path);
}

void TemporaryFile::keep() {
  if (fsync(descriptor_) != 0) fail_to_write(target_, errno, 0, 0);
  // Network disks report a full quota only here.
  if (close(std::exchange(descriptor_, -1)) != 0) fail_to_write(target_, errno, 0, 0);
  if (rename(path_.c_str(), target_.c_str()) != 0) fail_to_write(target_, errno, 0, 0);
  path_.clear();
}

void write_atomically(const std::filesystem::path& path,
                      const std::function<void(FileWriter&)>& writer) {
  const Output output = find_output(path);
  if (!is_replaceable(output)) return write_into(output, path, writer);
  TemporaryFile temporary(output.path);
  if (output.mode != 0) fchmod(temporary.descriptor(), output.mode);
  FileWriter file(temporary.descriptor(), path);
  writer(file);
  file.flush();
  temporary.keep();
}

void check_writable(const std::filesystem::path& path) {
  const Output output = find_output(path);
  if (output.descriptor >= 0) return;
  if (output.regular)
    const TemporaryFile probe(output.path);
  else if (access(output.path.c_str(), W_OK) != 0)
    fail_to_write(path, errno, 0, 0);
}

bool is_temporary_name(const std::string& name, std::string& target) {
  const std::string_view ending = ".tmp", digits = "0123456789";
  if (!name.starts_with('.') || !name.ends_with(ending)) return false;
  const std::string inner = name.substr(1, name.size() - 1 - ending.size());  // NAME.PID-K
  const std::size_t dot = inner.rfind('.'), dash = inner.rfind('-');
  if (dot == inner.npos || dot == 0 || dash == inner.npos || dash <= dot + 1) return false;
  const std::string process = inner.substr(dot + 1, dash - dot - 1), count = inner.substr(dash + 1);
  if (count.empty() || (process + count).find_first_not_of(digits) != std::string::npos)
    return false;
  target = inner.substr(0, dot);
  return true;
}

std::string why_not_readable(const std::filesystem::path& path) {
  std::error_code none;
  switch (std::filesystem::status(path, none).type()) {
    case std::filesystem::file_type::directory:
      return "it is a folder";
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block:
      return "it is a device";
    case std::filesystem::file_type::fifo:
      return "it is a pipe; save what it holds to a file and give that";
    case std::filesystem::file_type::socket:
      return "it is a socket";
    default:
      return "";
  }
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
