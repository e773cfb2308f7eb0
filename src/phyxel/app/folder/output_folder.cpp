#include "phyxel/app/folder/output_folder.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>

#include "phyxel/app/folder/owned_folder.h"
#include "phyxel/core/file.h"
#include "phyxel/io/points.h"
#include "phyxel/scene/to_toml.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

fs::path frame_path(const fs::path& folder, int frame, const std::string& extension) {
  return folder / fmt::format("frame_{:04}.{}", frame, extension);
}

/// First line of the scene file in an output folder; tells it from a user's own.
constexpr const char* mark = "# The scene of this run, with overrides put in; written by phyxel.";

constexpr const char* subfolders[] = {"checkpoint", "particles", "surface",  "sets",
                                      "volume",     "images",    "turntable"};

}  // namespace

fs::path OutputFolder::particles(int frame, const std::string& extension) const {
  return frame_path(root / "particles", frame, extension);
}
fs::path OutputFolder::surface(int frame, const std::string& extension) const {
  return frame_path(root / "surface", frame, extension);
}
fs::path OutputFolder::set(const std::string& name, int frame, const std::string& extension) const {
  return frame_path(root / "sets" / name, frame, extension);
}
fs::path OutputFolder::surfels(const std::string& name, int frame,
                               const std::string& extension) const {
  return frame_path(root / "surface" / name, frame, extension);
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

void write_head(const OutputFolder& folder, const Scene& scene, OwnedFolder& owned) {
  owned.claim({folder.scene(), folder.stats(), folder.log()});
  write_atomically(folder.scene(), [&](FileWriter& file) {
    file.write(fmt::format("{}\n{}", mark, to_toml(scene)));
  });
  std::vector<fs::path> folders = {folder.root / "particles", folder.images(),
                                   folder.checkpoints()};
  if (!scene.surfaces.empty()) folders.push_back(folder.root / "surface");
  if (scene.output.volume) folders.push_back(folder.root / "volume");
  owned.make_folders(folders);
}

std::vector<std::string> particle_extensions(const OutputSpec& output) {
  if (output.particles == "none") return {};
  if (output.particles == "both") return {"ply", "vtp"};
  return {output.particles};
}

bool is_run_folder(const fs::path& path) {
  const fs::path file = OutputFolder{path}.scene();
  if (!why_not_readable(file).empty()) return false;
  std::ifstream scene(file);
  std::string line;
  return std::getline(scene, line) && line == mark;
}

bool is_output_name(const std::string& name) {
  const OutputFolder folder;
  for (const fs::path& file :
       {folder.video(), folder.turntable(), folder.contact_sheet(), folder.animation(),
        folder.stats(), folder.reactions(), folder.log(), folder.scene()})
    if (name == file) return true;
  const fs::path path(name);
  if (path.parent_path() == "sets" || path.parent_path().parent_path() == "sets" ||
      path.parent_path().parent_path() == "surface")
    return true;
  if (std::find(std::begin(subfolders), std::end(subfolders), name) != std::end(subfolders))
    return true;
  return path.filename().string().starts_with("frame_") &&
         std::find(std::begin(subfolders), std::end(subfolders), path.parent_path()) !=
             std::end(subfolders);
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

std::vector<std::pair<int, fs::path>> particle_frames(const OutputFolder& folder) {
  for (const std::string& format : particle_formats())
    if (auto files = frame_files(folder.root / "particles", format); !files.empty()) return files;
  return {};
}

}  // namespace phyxel
