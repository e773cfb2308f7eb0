#include "phyxel/app/run_state.h"

#include <algorithm>

#include "phyxel/app/folder/set_files.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/vdb.h"

namespace phyxel {

namespace fs = std::filesystem;

bool is_stopped(const RunOptions& options) {
  return options.stop && *options.stop;
}

void note(RunState& s, const std::string& text) {
  s.log << text << std::endl;
  if (s.options.on_note) s.options.on_note(text);
}

std::vector<fs::path> particle_files(const RunState& s, int frame) {
  std::vector<fs::path> files;
  if (frame % s.scene.output.every != 0) return files;
  for (const std::string& extension : particle_extensions(s.scene.output))
    files.push_back(s.folder.particles(frame, extension));
  return files;
}

namespace {

bool wants_picture(const RunState& s, int frame) {
  return s.photographer && frame % s.scene.render.every == 0;
}
bool wants_surface(const RunState& s, int frame) {
  return s.surfaces.writes() && frame % s.scene.output.every == 0 &&
         s.scene.output.surface != "none";
}
bool wants_volume(const RunState& s, int frame) {
  return s.scene.output.volume && frame % s.scene.output.every == 0;
}

}  // namespace

std::vector<fs::path> derived_files(const RunState& s, int frame) {
  std::vector<fs::path> files;
  if (wants_surface(s, frame)) files.push_back(s.folder.surface(frame, s.scene.output.surface));
  if (wants_volume(s, frame)) files.push_back(s.folder.volume(frame));
  if (wants_picture(s, frame)) files.push_back(s.folder.image(frame));
  for (const fs::path& file : mesh_files(s.folder, s.scene.output, s.world, frame))
    files.push_back(file);
  if (!s.surfels.remembers())
    for (const fs::path& file : surfel_files(s, frame)) files.push_back(file);
  return files;
}

std::vector<fs::path> surfel_files(const RunState& s, int frame) {
  return surfel_files(s.folder, s.scene.output, s.surfels.names(), frame);
}

void make_set_folders(const RunState& s, const Frame& frame) {
  for (const fs::path& file : set_files(s.folder, s.scene.output, frame))
    s.owned->make_folders({file.parent_path().parent_path(), file.parent_path()});
}

void write_derived(RunState& s, const Frame& frame, const std::vector<fs::path>& wanted) {
  const auto wants = [&](const fs::path& file) {
    return std::find(wanted.begin(), wanted.end(), file) != wanted.end();
  };
  write_sets(s.folder, s.scene.output, frame, wanted);
  const Exec exec{s.options.timers};
  const fs::path surface = s.folder.surface(frame.index, s.scene.output.surface),
                 volume = s.folder.volume(frame.index), image = s.folder.image(frame.index);
  if (!wants(surface) && !wants(volume) && !wants(image)) return;
  const std::vector<MatterPart> parts = s.surfaces.make(exec, frame);
  if (wants(surface)) write_surface(surface, joined(parts));
  if (wants(volume)) write_vdb(volume, s.surfaces.volumes(exec, parts));
  if (wants(image)) write_png(s.photographer->picture(exec, frame, parts), image);
}

}  // namespace phyxel
