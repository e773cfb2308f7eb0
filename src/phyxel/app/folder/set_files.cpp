#include "phyxel/app/folder/set_files.h"

#include <algorithm>

#include "phyxel/io/points.h"
#include "phyxel/io/set_write.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

fs::path file_of(const OutputFolder& folder, const OutputSpec& output, const FrameSet& set,
                 int frame) {
  const std::vector<std::string> particles = particle_extensions(output);
  const std::string extension =
      set_extension(set, output.surface, particles.empty() ? "" : particles.front());
  return set.kind == SetKind::surfels ? folder.surfels(set.name, frame, extension)
                                      : folder.set(set.name, frame, extension);
}

bool is_due(const OutputSpec& output, SetKind kind, int frame) {
  return frame % output.every == 0 &&
         (kind == SetKind::surfels ? output.surface != "none" : output.sets);
}

}  // namespace

std::vector<fs::path> set_files(const OutputFolder& folder, const OutputSpec& output,
                                const Frame& frame) {
  std::vector<fs::path> files;
  for (const FrameSet& set : frame.sets)
    if (is_due(output, set.kind, frame.index))
      files.push_back(file_of(folder, output, set, frame.index));
  return files;
}

std::vector<fs::path> mesh_files(const OutputFolder& folder, const OutputSpec& output,
                                 const World& world, int frame) {
  std::vector<fs::path> files;
  if (!is_due(output, SetKind::mesh, frame)) return files;
  for (const BodySeed& seed : world.seeds) {
    FrameSet set;
    set.name = seed.name;
    set.kind = SetKind::mesh;
    if (seed.kind == BodyKind::sheet) set.triangles.resize(1);  // no line
    files.push_back(file_of(folder, output, set, frame));
  }
  return files;
}

fs::path surfels_on_disk(const OutputFolder& folder, const std::string& name, int frame) {
  for (const std::string& format : particle_formats())
    if (const fs::path file = folder.surfels(name, frame, format); fs::exists(file)) return file;
  return {};
}

fs::path mesh_on_disk(const OutputFolder& folder, const std::string& name, int frame) {
  for (const char* const format : {"ply", "obj", "stl"})
    if (const fs::path file = folder.set(name, frame, format); fs::exists(file)) return file;
  return {};
}

std::vector<fs::path> surfel_files(const OutputFolder& folder, const OutputSpec& output,
                                   const std::vector<std::string>& names, int frame) {
  std::vector<fs::path> files;
  if (!is_due(output, SetKind::surfels, frame)) return files;
  for (const std::string& name : names)
    files.push_back(file_of(folder, output, {name, SetKind::surfels}, frame));
  return files;
}

void write_sets(const OutputFolder& folder, const OutputSpec& output, const Frame& frame,
                const std::vector<fs::path>& wanted) {
  for (const FrameSet& set : frame.sets) {
    if (!is_due(output, set.kind, frame.index)) continue;
    const fs::path file = file_of(folder, output, set, frame.index);
    if (std::ranges::find(wanted, file) != wanted.end()) write_set(file, set, frame);
  }
}

}  // namespace phyxel
