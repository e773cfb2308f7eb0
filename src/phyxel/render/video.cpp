#include "phyxel/render/video.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "phyxel/core/error.h"

extern char** environ;

namespace phyxel::render {
namespace {

struct Finished {
  int status = -1;       // of the program; -1: it could not be started or was killed
  std::string messages;  // what it wrote to its error output
};

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(descriptor, buffer, sizeof buffer);
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR)) return text;
  }
}

struct SpawnActions {
  posix_spawn_file_actions_t actions;
  SpawnActions() { posix_spawn_file_actions_init(&actions); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
};

int wait_for(pid_t process) {
  int state = 0;
  while (waitpid(process, &state, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/// Runs a program found on the PATH with exactly these arguments, no shell between.
Finished run_program(const std::vector<std::string>& arguments,
                     const std::filesystem::path& folder) {
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return {-1, std::strerror(errno)};
  SpawnActions spawn;
  posix_spawn_file_actions_addopen(&spawn.actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&spawn.actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&spawn.actions, pipe_ends[1], 2);
  posix_spawn_file_actions_addchdir_np(&spawn.actions, folder.c_str());
  pid_t process = 0;
  const int failed = posix_spawnp(&process, argv[0], &spawn.actions, nullptr, argv.data(), environ);
  close(pipe_ends[1]);
  Finished result{-1, failed ? std::strerror(failed) : read_all(pipe_ends[0])};
  close(pipe_ends[0]);
  if (!failed) result.status = wait_for(process);
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

/// A folder of links that count from 0: ffmpeg ends a film at the first missing number, and every
/// second frame is all that some runs draw.
struct LinkFolder {
  std::filesystem::path path;

  LinkFolder(const std::vector<std::filesystem::path>& pictures, const std::string& extension) {
    std::string name = (std::filesystem::temp_directory_path() / "phyxel_film_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(fmt::format("{}: cannot be made: {}", name, std::strerror(errno)));
    path = name;
    int k = 0;
    for (const std::filesystem::path& picture : pictures)
      std::filesystem::create_symlink(std::filesystem::absolute(picture),
                                      path / fmt::format("{}{}", k++, extension));
  }
  ~LinkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  LinkFolder(const LinkFolder&) = delete;
  LinkFolder& operator=(const LinkFolder&) = delete;
};

std::vector<std::string> ffmpeg_arguments(const std::string& extension, double fps,
                                          const std::string& output) {
  return {
      "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-framerate", fmt::format("{}", fps),
      "-start_number", "0", "-i", "./%d" + extension,
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
  return run_program({"ffmpeg", "-version"}, ".").status == 0;
}

void write_video(const std::filesystem::path& folder, const std::string& pattern, double fps,
                 const std::filesystem::path& output) {
  write_video(pictures_of(folder, pattern), fps, output);
}

void write_video(const std::vector<std::filesystem::path>& pictures, double fps,
                 const std::filesystem::path& output) {
  if (!(fps > 0 && fps <= 1000))
    throw InputError(fmt::format("fps = {} must lie between 0 and 1000; 24 is usual", fps));
  if (pictures.empty())
    throw InputError(fmt::format("{}: a film needs at least one picture", output.string()));
  if (!video_is_possible())
    throw Error(fmt::format("{}: ffmpeg was not found; install it, the pictures are in {}",
                            output.string(), pictures.front().parent_path().string()));
  const std::filesystem::path whole = std::filesystem::absolute(output);
  std::filesystem::path temporary = whole;
  temporary += ".tmp";
  const std::string extension = pictures.front().extension().string();
  const LinkFolder links(pictures, extension);
  const Finished ffmpeg =
      run_program(ffmpeg_arguments(extension, fps, "file:" + temporary.string()), links.path);
  std::error_code failed;
  if (ffmpeg.status == 0) std::filesystem::rename(temporary, whole, failed);
  if (ffmpeg.status == 0 && !failed) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  throw Error(fmt::format("{}: the film could not be made: {}", output.string(),
                          failed ? failed.message() : ffmpeg.messages));
}

}  // namespace phyxel::render
