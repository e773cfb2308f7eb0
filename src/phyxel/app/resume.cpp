#include "phyxel/app/resume.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/io/points.h"
#include "phyxel/io/surfels_read.h"

namespace phyxel {

namespace {

namespace fs = std::filesystem;

/// Files that are not there, or hold nothing.
std::vector<fs::path> missing_of(const std::vector<fs::path>& files) {
  std::vector<fs::path> missing;
  std::error_code none;
  for (const fs::path& file : files)
    if (!fs::exists(file, none) || fs::is_empty(file, none)) missing.push_back(file);
  return missing;
}

/// Files with content that is not what the run wrote.
std::vector<fs::path> changed_of(const RunState& s, const std::vector<fs::path>& files) {
  std::vector<fs::path> changed;
  for (const fs::path& file : files)
    if (s.owned->is_changed(file) && !fs::is_empty(file)) changed.push_back(file);
  return changed;
}

/// The particles of an earlier frame on the disk; "" for none.
fs::path particles_on_disk(const RunState& s, int frame) {
  for (const std::string& extension : particle_formats())
    if (const fs::path file = s.folder.particles(frame, extension); fs::exists(file)) return file;
  return {};
}

/// Surfels that follow from all frames before.
std::vector<fs::path> remembered_files(const RunState& s, int frame) {
  return s.surfels.remembers() ? surfel_files(s, frame) : std::vector<fs::path>{};
}

/// Files of a frame that only the run itself can make.
std::vector<fs::path> kept_files(const RunState& s, int frame) {
  std::vector<fs::path> files = particle_files(s, frame);
  for (const fs::path& file : remembered_files(s, frame)) files.push_back(file);
  return files;
}

std::string name_in(const RunState& s, const fs::path& file) {
  return file.lexically_relative(s.folder.root).string();
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  const std::size_t shown = std::min(names.size(), most);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

/// Surfels that follow from all frames before are those that the run wrote.
void read_sets(const RunState& s, Frame& frame) {
  const std::vector<std::string> names = s.surfels.names();
  const std::vector<fs::path> files = surfel_files(s, frame.index);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k >= files.size() || !fs::exists(files[k]))
      throw InputError(
          fmt::format("{}: frame {} cannot be made again without the surfels of surface.{}, which "
                      "only a new run "
                      "makes: put its files back, or run without --resume",
                      s.folder.root.string(), frame.index, names[k]));
    frame.sets.push_back(read_surfels(files[k], names[k], frame.origin));
  }
}

Frame earlier_frame(RunState& s, int number) {
  if (number == s.world.frame) {
    Frame frame = take_frame(s.world);
    s.surfels.add_sets({s.options.timers}, frame);
    return frame;
  }
  Frame frame = rebased(read_points(particles_on_disk(s, number)), s.scene.origin);
  frame.index = number;
  frame.time = number / s.scene.fps;
  add_sets(s.world, frame);
  if (s.surfels.remembers()) read_sets(s, frame);
  s.surfels.add_sets({s.options.timers}, frame);
  return frame;
}

/// Writes some of the files of a frame again.
void make_again(RunState& s, int number, const std::vector<fs::path>& files) {
  const Frame frame = earlier_frame(s, number);
  make_set_folders(s, frame);
  s.owned->claim(files);
  for (const fs::path& file : particle_files(s, number))
    if (std::find(files.begin(), files.end(), file) != files.end()) write_points(file, frame);
  write_derived(s, frame, files);
  s.owned->seal(files);
}

}  // namespace

void refuse_gaps(const RunState& s) {
  std::vector<std::string> lost;
  const auto add = [&](const fs::path& file) { lost.push_back(name_in(s, file)); };
  for (int frame = 0; frame < s.world.frame; ++frame) {
    for (const fs::path& file : missing_of(kept_files(s, frame))) add(file);
    if (!particles_on_disk(s, frame).empty()) continue;
    for (const fs::path& file : missing_of(derived_files(s, frame))) add(file);
  }
  for (int frame : missing_rows(s.folder.stats(), s.world.frame))
    lost.push_back(fmt::format("row {} of stats.csv", frame));
  // Runs of earlier versions have no such file.
  if (std::error_code none; fs::exists(s.folder.reactions(), none))
    for (int frame : missing_reactions(s.folder.reactions(), s.world.frame))
      lost.push_back(fmt::format("rows {} of reactions.csv", frame));
  if (lost.empty()) return;
  throw InputError(fmt::format(
      "{}: the checkpoint is of frame {}, but parts of earlier frames are missing: {}; only a new "
      "run makes them: put them back, change [output] and [render] to what they were, or run "
      "without --resume",
      s.folder.root.string(), s.world.frame, some_of(lost)));
}

void refuse_changes(const RunState& s) {
  std::vector<std::string> changed;
  for (int frame = 0; frame < s.world.frame; ++frame) {
    std::vector<fs::path> files = {s.folder.particles(frame, "ply"),
                                   s.folder.particles(frame, "vtp")};
    if (particles_on_disk(s, frame).empty()) files = derived_files(s, frame);
    for (const fs::path& file : remembered_files(s, frame)) files.push_back(file);
    for (const fs::path& file : changed_of(s, files)) changed.push_back(name_in(s, file));
  }
  if (changed.empty()) return;
  const bool many = changed.size() > 1;
  throw InputError(fmt::format(
      "{0}: {1} {2} changed since the run wrote {3}, and only a new run makes {3}: put "
      "{3} back, or run without --resume",
      s.folder.root.string(), some_of(changed), many ? "have" : "has", many ? "them" : "it"));
}

void fill_gaps(RunState& s) {
  std::vector<std::string> missing, changed;
  for (int number = 0; number <= s.world.frame; ++number) {
    std::vector<fs::path> files = derived_files(s, number);
    if (number == s.world.frame)
      for (const fs::path& file : kept_files(s, number)) files.push_back(file);
    const std::vector<fs::path> absent = missing_of(files), other = changed_of(s, files);
    if (absent.empty() && other.empty()) continue;
    s.has_gaps = is_stopped(s.options);
    if (s.has_gaps) break;
    std::vector<fs::path> wrong = absent;
    wrong.insert(wrong.end(), other.begin(), other.end());
    make_again(s, number, wrong);
    for (const fs::path& file : absent) missing.push_back(name_in(s, file));
    for (const fs::path& file : other) changed.push_back(name_in(s, file));
  }
  if (!missing.empty()) note(s, "missing files of earlier frames made again: " + some_of(missing));
  if (!changed.empty()) note(s, "changed files of earlier frames made again: " + some_of(changed));
}

}  // namespace phyxel
