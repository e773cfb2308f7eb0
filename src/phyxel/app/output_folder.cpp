#include "phyxel/app/output_folder.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "phyxel/io/file.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

fs::path frame_path(const fs::path& folder, int frame, const char* extension) {
  return folder / fmt::format("frame_{:04}.{}", frame, extension);
}

/// Ours is a folder that is empty, or that an earlier run has marked with its scene file.
void check_ours(const OutputFolder& folder) {
  if (!fs::exists(folder.root) || fs::exists(folder.scene()) || fs::is_empty(folder.root)) return;
  throw InputError(fmt::format(
      "{}: this folder holds files that are not of a phyxel run; choose another with --out",
      folder.root.string()));
}

void remove_frames(const OutputFolder& folder) {
  for (const char* sub : {"particles", "surface", "volume", "images", "checkpoint"})
    fs::remove_all(folder.root / sub);
  for (const fs::path& file : {folder.video(), folder.stats(), folder.log(), folder.scene()})
    fs::remove(file);
}

/// What a run that was killed left half-written.
void remove_temporaries(const OutputFolder& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder.root))
    if (entry.is_regular_file() &&
        entry.path().filename().string().find(".tmp") != std::string::npos)
      fs::remove(entry.path());
}

}  // namespace

fs::path OutputFolder::particles(int frame, const char* extension) const {
  return frame_path(root / "particles", frame, extension);
}
fs::path OutputFolder::image(int frame) const {
  return frame_path(root / "images", frame, "png");
}
fs::path OutputFolder::checkpoint(int frame) const {
  return frame_path(root / "checkpoint", frame, "h5");
}

void prepare(const OutputFolder& folder, const Scene& scene, bool resume) {
  if (fs::exists(folder.root) && !fs::is_directory(folder.root))
    throw InputError(fmt::format("{}: is a file; --out needs a folder", folder.root.string()));
  check_ours(folder);
  if (!resume && fs::exists(folder.root)) remove_frames(folder);
  if (resume && fs::exists(folder.root)) remove_temporaries(folder);
  for (const char* sub : {"particles", "images", "checkpoint"}) create_folders(folder.root / sub);
  write_atomically(folder.scene(), [&](FileWriter& file) { file.write(scene.resolved); });
}

std::vector<std::pair<int, fs::path>> frame_files(const fs::path& folder,
                                                  const std::string& extension) {
  std::vector<std::pair<int, fs::path>> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("frame_") || entry.path().extension() != "." + extension) continue;
    int frame = 0;
    const auto parsed = std::from_chars(name.data() + 6, name.data() + name.size(), frame);
    if (*parsed.ptr == '.') files.emplace_back(frame, entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace phyxel
