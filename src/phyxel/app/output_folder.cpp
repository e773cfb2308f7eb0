#include "phyxel/app/output_folder.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>

#include "phyxel/io/file.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

fs::path frame_path(const fs::path& folder, int frame, const std::string& extension) {
  return folder / fmt::format("frame_{:04}.{}", frame, extension);
}

/// First line of the scene file in an output folder; tells it from a user's own.
constexpr const char* mark = "# The scene of this run, with overrides put in; written by phyxel.";

bool is_temporary(const fs::directory_entry& entry) {
  return entry.is_regular_file() && entry.path().extension() == ".tmp";
}

/// Ours is a folder that is empty, or that an earlier run has marked; a run killed at its very
/// start leaves nothing but a temporary file.
bool is_ours(const OutputFolder& folder) {
  std::ifstream scene(folder.scene());
  std::string line;
  if (std::getline(scene, line)) return line == mark;
  const fs::directory_iterator entries(folder.root);
  return std::all_of(begin(entries), end(entries), is_temporary);
}

constexpr const char* subfolders[] = {"checkpoint", "particles", "surface",
                                      "volume",     "images",    "turntable"};

/// What a run that was killed left half-written.
void remove_temporaries(const OutputFolder& folder) {
  std::vector<fs::path> places = {folder.root};
  for (const char* sub : subfolders) places.push_back(folder.root / sub);
  std::error_code missing;
  for (const fs::path& place : places)
    for (const auto& entry : fs::directory_iterator(place, missing))
      if (is_temporary(entry)) fs::remove(entry.path());
}

/// Checkpoints first: what --resume finds must have its frames. The mark last.
void remove_frames(const OutputFolder& folder) {
  for (const char* sub : subfolders) fs::remove_all(folder.root / sub);
  for (const fs::path& file : {folder.video(), folder.turntable(), folder.contact_sheet(),
                               folder.animation(), folder.stats(), folder.log(), folder.scene()})
    fs::remove(file);
}

}  // namespace

fs::path OutputFolder::particles(int frame, const char* extension) const {
  return frame_path(root / "particles", frame, extension);
}
fs::path OutputFolder::surface(int frame, const std::string& extension) const {
  return frame_path(root / "surface", frame, extension);
}
fs::path OutputFolder::volume(int frame) const {
  return frame_path(root / "volume", frame, "vdb");
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
  create_folders(folder.root);
  if (!is_ours(folder))
    throw InputError(fmt::format(
        "{}: this folder holds files that are not of a phyxel run; choose another with --out",
        folder.root.string()));
  remove_temporaries(folder);
  if (!resume) remove_frames(folder);
  write_atomically(folder.scene(), [&](FileWriter& file) {
    file.write(fmt::format("{}\n{}", mark, scene.resolved));
  });
  for (const char* sub : {"particles", "images", "checkpoint"}) create_folders(folder.root / sub);
  if (!scene.surfaces.empty()) create_folders(folder.root / "surface");
  if (scene.output.volume) create_folders(folder.root / "volume");
}

std::string surface_extension(const OutputSpec& output) {
  constexpr const char* extensions[] = {"ply", "obj", "vtp", "glb", ""};
  return extensions[static_cast<int>(output.surface)];
}

bool is_run_folder(const fs::path& path) {
  const OutputFolder folder{path};
  return fs::exists(folder.scene()) && is_ours(folder);
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
    if (parsed.ec == std::errc() && *parsed.ptr == '.') files.emplace_back(frame, entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace phyxel
