#include "phyxel/render/video.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/render/image.h"

extern char** environ;

namespace phyxel::render {
namespace {

volatile pid_t film_process = 0;  // read by abandon_video() in a signal handler

struct Finished {
  int status = -1;       // of the program; -1: it could not be started or was killed
  std::string messages;  // what it wrote to its error output
  bool stopped = false;  // on request
};

/// The next bytes for a program's input; "" at the end.
using Feed = std::function<std::string()>;

struct SpawnActions {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnActions() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
};

/// Closed at the end of the scope, or earlier.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int number = -1) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// A program that runs, with our ends of its input and its messages. It ends with this object.
struct Child {
  pid_t process = 0;
  Descriptor input, messages;

  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  /// Exit status, or -1.
  int wait() {
    int state = 0;
    while (waitpid(process, &state, 0) < 0)
      if (errno != EINTR) break;
    forget();
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  }
  void end() {
    if (process == 0) return;
    kill(process, SIGKILL);
    wait();
  }

 private:
  void forget() { film_process = process = 0; }
};

/// Starts a program found on the PATH with exactly these arguments, no shell between. In a process
/// group of its own it does not see Ctrl-C: whether it ends is decided here. Its input is a socket,
/// as writing into one whose reader has ended raises no signal. Returns 0 or the reason.
int start(const std::vector<std::string>& arguments, Child& child) {
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  int input[2], messages[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) return errno;
  child.input.reset(input[0]);
  const Descriptor its_input(input[1]);
  if (pipe2(messages, O_CLOEXEC) != 0) return errno;
  child.messages.reset(messages[0]);
  const Descriptor its_messages(messages[1]);
  SpawnActions spawn;
  posix_spawn_file_actions_adddup2(&spawn.actions, its_input.number(), 0);
  posix_spawn_file_actions_addopen(&spawn.actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&spawn.actions, its_messages.number(), 2);
  posix_spawnattr_setflags(&spawn.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&spawn.attributes, 0);
  pid_t process = 0;
  const int failed =
      posix_spawnp(&process, argv[0], &spawn.actions, &spawn.attributes, argv.data(), environ);
  if (failed == 0) film_process = child.process = process;
  return failed;
}

/// Sends as much as the program takes now; closes its input when nothing is left.
void send_more(Child& child, const Feed& next, std::string& waiting) {
  if (waiting.empty()) waiting = next();
  if (waiting.empty()) return child.input.reset();
  const ssize_t n =
      send(child.input.number(), waiting.data(), waiting.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n > 0)
    waiting.erase(0, static_cast<std::size_t>(n));
  else if (errno != EAGAIN && errno != EINTR)
    child.input.reset();  // it reads no more and will say why
}

/// False at the end of the messages.
bool read_more(Child& child, std::string& messages) {
  char buffer[4096];
  const ssize_t n = read(child.messages.number(), buffer, sizeof buffer);
  if (n > 0) messages.append(buffer, static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

Finished run_program(const std::vector<std::string>& arguments, const Feed& next,
                     const std::function<bool()>& stopped) {
  constexpr int patience = 100;  // ms between two questions to `stopped`
  Child child;
  Finished result;
  if (const int failed = start(arguments, child); failed != 0) return {-1, std::strerror(failed)};
  for (std::string waiting;;) {
    pollfd ends[2] = {{child.messages.number(), POLLIN, 0}, {child.input.number(), POLLOUT, 0}};
    poll(ends, child.input.number() >= 0 ? 2 : 1, patience);
    if (stopped && stopped()) {
      child.end();
      result.stopped = true;
      return result;
    }
    if (ends[1].revents != 0) send_more(child, next, waiting);
    if (ends[0].revents != 0 && !read_more(child, result.messages)) break;
  }
  result.status = child.wait();
  return result;
}

/// The number in a file's name, when the name is the pattern with a number for its %d.
std::optional<int> frame_number(const std::string& pattern, const std::string& name) {
  const std::size_t percent = pattern.find('%'), d = pattern.find('d', percent);
  if (percent == std::string::npos || d == std::string::npos) return std::nullopt;
  const std::string before = pattern.substr(0, percent), after = pattern.substr(d + 1);
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) ||
      !name.ends_with(after))
    return std::nullopt;
  const char* first = name.data() + before.size();
  const char* last = name.data() + name.size() - after.size();
  int number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

/// Pictures in order of their numbers.
std::vector<std::filesystem::path> pictures_of(const std::filesystem::path& folder,
                                               const std::string& pattern) {
  std::map<int, std::filesystem::path> pictures;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (const auto number = frame_number(pattern, entry.path().filename().string()))
      pictures[*number] = std::filesystem::absolute(entry.path());
  if (pictures.empty())
    throw InputError(
        fmt::format("{}: no pictures named like '{}' to make a film of", folder.string(), pattern));
  std::vector<std::filesystem::path> in_order;
  for (const auto& [number, path] : pictures) in_order.push_back(path);
  return in_order;
}

std::string bytes_of(const std::filesystem::path& picture) {
  std::ifstream file(picture, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  // What is not whole would be passed over in silence.
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n") || bytes.find("IEND", bytes.size() - 8) == bytes.npos)
    throw Error(
        fmt::format("{}: the film could not be made: this is not a whole PNG picture; make it "
                    "again with phyxel render",
                    picture.string()));
  return bytes;
}

/// H.264 knows no alpha: what is clear is laid on the light grey of contact sheets.
std::string laid_on_grey(const std::filesystem::path& picture) {
  constexpr Colour grey{0.9f, 0.9f, 0.9f};
  Image image = read_png(picture);
  for (std::size_t i = 0; i < image.alpha.size(); ++i)
    image.pixels[i] = mix(grey, image.pixels[i], image.alpha[i]);
  image.alpha.clear();
  return png_bytes(image);
}

/// Pictures come through ffmpeg's input, so that nothing on the disk has to be named for it: it
/// ends a film at the first missing number, and every second frame is all that some runs draw.
std::vector<std::string> ffmpeg_arguments(double fps, const std::string& output) {
  return {
      "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-xerror", "-f", "image2pipe", "-c:v",
      "png", "-framerate", fmt::format("{}", fps), "-i", "pipe:0",
      // H.264 stores colour at half the resolution and wants even sizes; the matrix is named, as
      // players guess it from the size otherwise.
      "-vf",
      "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd",
      "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-preset", "medium", "-colorspace",
      "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-movflags", "+faststart", "-f",
      "mp4", output};
}

}  // namespace

bool video_is_possible() {
  return run_program({"ffmpeg", "-version"}, [] { return std::string(); }, {}).status == 0;
}

void abandon_video() {
  if (film_process != 0) kill(film_process, SIGKILL);
}

bool write_video(const std::filesystem::path& folder, const std::string& pattern, double fps,
                 const std::filesystem::path& output, const std::function<bool()>& stopped) {
  return write_video(pictures_of(folder, pattern), fps, output, stopped);
}

bool write_video(const std::vector<std::filesystem::path>& pictures, double fps,
                 const std::filesystem::path& output, const std::function<bool()>& stopped) {
  if (!(fps > 0 && fps <= 1000))
    throw InputError(fmt::format("fps = {} must lie between 0 and 1000; 24 is usual", fps));
  if (pictures.empty())
    throw InputError(fmt::format("{}: a film needs at least one picture", output.string()));
  if (!video_is_possible())
    throw Error(fmt::format("{}: ffmpeg was not found; install it, the pictures are in {}",
                            output.string(), pictures.front().parent_path().string()));
  TemporaryFile film(std::filesystem::absolute(output));
  std::size_t sent = 0;
  const Feed next = [&] {
    if (sent == pictures.size()) return std::string();
    const std::filesystem::path& picture = pictures[sent++];
    return has_alpha(picture) ? laid_on_grey(picture) : bytes_of(picture);
  };
  const Finished ffmpeg =
      run_program(ffmpeg_arguments(fps, "file:" + film.path().string()), next, stopped);
  if (ffmpeg.stopped) return false;
  if (ffmpeg.status != 0)
    throw Error(
        fmt::format("{}: the film could not be made: {}", output.string(), ffmpeg.messages));
  film.keep();
  return true;
}

}  // namespace phyxel::render
