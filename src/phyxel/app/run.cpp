#include "phyxel/app/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>

#include "phyxel/app/animation.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/app/device.h"
#include "phyxel/app/file_pattern.h"
#include "phyxel/app/owned_folder.h"
#include "phyxel/app/pictures.h"
#include "phyxel/app/stats.h"
#include "phyxel/core/memory.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/points.h"
#include "phyxel/io/vdb.h"
#include "phyxel/render/contact_sheet.h"
#include "phyxel/render/video.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/inputs.h"
#include "phyxel/scene/memory_budget.h"

namespace phyxel {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> particle_files(const OutputFolder& folder, const Scene& scene, int frame) {
  std::vector<fs::path> files;
  if (frame % scene.output.every != 0) return files;
  for (const std::string& extension : particle_extensions(scene.output))
    files.push_back(folder.particles(frame, extension));
  return files;
}

/// One run: what it was asked, what it writes to, and how far it is.
struct RunState {
  const Scene& scene;
  const RunOptions& options;
  OutputFolder folder;
  std::unique_ptr<OwnedFolder> owned;
  int last_frame;
  World world;
  SurfaceMaker surfaces;
  std::optional<Photographer> photographer;
  std::optional<StatsFile> stats;
  std::ofstream log;
  double started = now_seconds();
  bool film = false;         // pictures become a video at the end
  int first_frame = 0;       // of this run
  int saved_frame = -1;      // of the last checkpoint
  bool has_gaps = false;     // stopped before earlier frames were complete
  bool said_inside = false;  // that particles are inside colliders
};

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

/// Files of a frame that are made from its particles alone.
std::vector<fs::path> derived_files(const RunState& s, int frame) {
  std::vector<fs::path> files;
  if (wants_surface(s, frame)) files.push_back(s.folder.surface(frame, s.scene.output.surface));
  if (wants_volume(s, frame)) files.push_back(s.folder.volume(frame));
  if (wants_picture(s, frame)) files.push_back(s.folder.image(frame));
  return files;
}

/// Makes the derived files among `wanted`.
void write_derived(RunState& s, const Frame& frame, const std::vector<fs::path>& wanted) {
  const auto wants = [&](const fs::path& file) {
    return std::find(wanted.begin(), wanted.end(), file) != wanted.end();
  };
  const Exec exec{s.options.timers};
  const fs::path surface = s.folder.surface(frame.index, s.scene.output.surface),
                 volume = s.folder.volume(frame.index), image = s.folder.image(frame.index);
  if (!wants(surface) && !wants(volume) && !wants(image)) return;
  const std::vector<MatterPart> parts = s.surfaces.make(exec, frame);
  if (wants(surface)) write_surface(surface, joined(parts));
  if (wants(volume)) write_vdb(volume, s.surfaces.volumes(exec, parts));
  if (wants(image)) write_png(s.photographer->picture(exec, frame, parts), image);
}

bool is_checkpoint_due(const RunState& s) {
  return s.world.frame % s.scene.output.checkpoint_every == 0;
}

void save(RunState& s) {
  if (s.saved_frame == s.world.frame) return;
  s.stats->sync();
  s.owned->claim({s.folder.checkpoint(s.world.frame)});
  save_checkpoint(s.folder, s.world, s.stats->hash());
  s.saved_frame = s.world.frame;
}

void note(RunState& s, const std::string& text) {
  s.log << text << std::endl;
  if (s.options.on_note) s.options.on_note(text);
}

/// Said once; stats.csv has the count of every frame.
void note_inside_colliders(RunState& s, const Diagnostics& diagnostics) {
  for (const auto& [name, count] : diagnostics.extra) {
    if (s.said_inside || name != "inside_colliders" || !(count > 0)) continue;
    s.said_inside = true;
    note(s, fmt::format("frame {}: {:.0f} of {} particles are more than half a spacing inside "
                        "colliders; colliders that jump or close leave matter no way out: move "
                        "them more slowly (stats.csv has the count of every frame)",
                        s.world.frame, count, diagnostics.particles));
  }
}

/// Files first, checkpoint last: everything that a checkpoint refers to is on the disk.
void write_frame(RunState& s, int substeps, double wall_seconds) {
  const TimerScope scope(s.options.timers, "write");
  const Diagnostics diagnostics = diagnose(s.world);
  const Frame frame = take_frame(s.world);
  const std::vector<fs::path> particles = particle_files(s.folder, s.scene, frame.index),
                              derived = derived_files(s, frame.index);
  std::vector<fs::path> files = particles;
  files.insert(files.end(), derived.begin(), derived.end());
  s.owned->claim(files);
  if (is_checkpoint_due(s)) s.owned->claim({s.folder.checkpoint(frame.index)});
  for (const fs::path& file : particles) write_points(file, frame);
  write_derived(s, frame, derived);
  s.owned->seal(files);
  s.stats->add(frame.index, frame.time, substeps, diagnostics, wall_seconds);
  note_inside_colliders(s, diagnostics);
  if (is_checkpoint_due(s)) save(s);
}

/// Before emitters need more memory than there is the run ends, with a checkpoint, or they shut.
void keep_within_memory(RunState& s) {
  const std::string shortage = memory_shortage(s.world);
  if (shortage.empty()) return;
  const double time = s.world.environment.time;
  if (s.scene.world.out_of_memory == OutOfMemory::stop_emitting) {
    stop_emitting(s.world);
    note(s, fmt::format("t = {:.6g} s: all emitters shut for good: {}", time, shortage));
    return;
  }
  save(s);
  throw Error(fmt::format(
      "stopped after frame {}, t = {:.6g} s: {}; its checkpoint is kept: go on with --resume and "
      "more memory (--memory), or with world.out_of_memory = \"stop_emitting\"",
      s.world.frame, time, shortage));
}

FrameReport report_of(const RunState& s, const AdvanceReport& steps, double step_seconds,
                      double frame_seconds) {
  FrameReport report;
  report.frame = s.world.frame;
  report.last_frame = s.last_frame;
  report.time = s.world.environment.time;
  report.substeps = steps.substeps;
  report.smallest_dt = steps.smallest_dt;
  report.limit = steps.limit;
  for (const auto& method : s.world.methods) report.particles += method->particles().x.size();
  report.wall_seconds = frame_seconds;
  report.updates_per_second =
      double(report.particles) * steps.substeps / std::max(step_seconds, 1e-9);
  const double per_frame = (now_seconds() - s.started) / std::max(1, s.world.frame - s.first_frame);
  report.seconds_left = per_frame * (s.last_frame - s.world.frame);
  return report;
}

void next_frame(RunState& s) {
  const double start = now_seconds();
  AdvanceReport steps;
  {
    const TimerScope scope(s.options.timers, "advance");
    steps = advance(s.world);
  }
  if (!steps.note.empty()) note(s, steps.note);
  const double step_seconds = now_seconds() - start;
  write_frame(s, steps.substeps, step_seconds);
  const FrameReport report = report_of(s, steps, step_seconds, now_seconds() - start);
  s.log << to_line(report) << fmt::format("  dt {:.3g} s: {}", report.smallest_dt, report.limit);
  if (steps.cut_steps > 0) s.log << fmt::format("; {} cut and taken again", steps.cut_steps);
  s.log << std::endl;
  if (s.options.on_frame) s.options.on_frame(report);
}

bool is_stopped(const RunOptions& options) {
  return options.stop && *options.stop;
}

/// The world at time 0; settling is spared where a checkpoint replaces the particles anyway.
World first_world(Scene scene, const RunOptions& options, bool resume) {
  if (resume) scene.time.settle = 0;
  World world = build(
      scene, exec_on(options.device, options.timers), [&] { return is_stopped(options); },
      options.memory);
  world.inputs = fingerprint(scene);
  return world;
}

/// A missing ffmpeg is reported before the run starts, and costs nothing but the video.
void plan_film(RunState& s) {
  s.film = s.photographer && s.scene.output.video && s.last_frame > 0;
  if (!s.film || render::video_is_possible()) return;
  s.film = false;
  note(s, fmt::format("ffmpeg was not found: there will be pictures but no video; install it, then "
                      "phyxel render {} makes both",
                      s.folder.root.string()));
}

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

/// Only a run makes particles and rows of stats.csv: where those of frames before the checkpoint
/// are gone, or were not asked for then, going on would leave a gap.
void refuse_gaps(const RunState& s) {
  std::vector<std::string> lost;
  const auto add = [&](const fs::path& file) { lost.push_back(name_in(s, file)); };
  for (int frame = 0; frame < s.world.frame; ++frame) {
    for (const fs::path& file : missing_of(particle_files(s.folder, s.scene, frame))) add(file);
    if (!particles_on_disk(s, frame).empty()) continue;
    for (const fs::path& file : missing_of(derived_files(s, frame))) add(file);
  }
  for (int frame : missing_rows(s.folder.stats(), s.world.frame))
    lost.push_back(fmt::format("row {} of stats.csv", frame));
  if (lost.empty()) return;
  throw InputError(fmt::format(
      "{}: the checkpoint is of frame {}, but parts of earlier frames are missing: {}; only a new "
      "run makes them: put them back, change [output] and [render] to what they were, or run "
      "without --resume",
      s.folder.root.string(), s.world.frame, some_of(lost)));
}

/// Files before the checkpoint that only a run makes. Their hashes are compared, so that every one
/// is read once.
void refuse_changes(const RunState& s) {
  std::vector<std::string> changed;
  for (int frame = 0; frame < s.world.frame; ++frame) {
    std::vector<fs::path> files = {s.folder.particles(frame, "ply"),
                                   s.folder.particles(frame, "vtp")};
    if (particles_on_disk(s, frame).empty()) files = derived_files(s, frame);
    for (const fs::path& file : changed_of(s, files)) changed.push_back(name_in(s, file));
  }
  if (changed.empty()) return;
  const bool many = changed.size() > 1;
  throw InputError(fmt::format(
      "{0}: {1} {2} changed since the run wrote {3}, and only a new run makes {3}: put "
      "{3} back, or run without --resume",
      s.folder.root.string(), some_of(changed), many ? "have" : "has", many ? "them" : "it"));
}

Frame earlier_frame(RunState& s, int number) {
  if (number == s.world.frame) return take_frame(s.world);
  Frame frame = rebased(read_points(particles_on_disk(s, number)), s.scene.origin);
  frame.index = number;
  frame.time = number / s.scene.fps;
  return frame;
}

/// Writes some of the files of a frame again.
void make_again(RunState& s, int number, const std::vector<fs::path>& files) {
  const Frame frame = earlier_frame(s, number);
  s.owned->claim(files);
  for (const fs::path& file : particle_files(s.folder, s.scene, number))
    if (std::find(files.begin(), files.end(), file) != files.end()) write_points(file, frame);
  write_derived(s, frame, files);
  s.owned->seal(files);
}

/// Surfaces, volumes and pictures of earlier frames that are not there, or not as they were
/// written, follow from the particles; those of the checkpoint's frame are in it.
void fill_gaps(RunState& s) {
  std::vector<std::string> missing, changed;
  for (int number = 0; number <= s.world.frame; ++number) {
    std::vector<fs::path> files = derived_files(s, number);
    if (number == s.world.frame)
      for (const fs::path& file : particle_files(s.folder, s.scene, number)) files.push_back(file);
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

/// Whether a file would be written straight into the folder.
bool lies_in(const fs::path& file, const fs::path& folder) {
  return !file.empty() && fs::weakly_canonical(fs::absolute(file).parent_path()) ==
                              fs::weakly_canonical(fs::absolute(folder));
}

FolderUse use_of(const RunOptions& options) {
  if (options.resume) return FolderUse::resume;
  return options.overwrite ? FolderUse::overwrite : FolderUse::fresh;
}

/// What can be wrong with a scene is found before prepare() moves the files of an earlier run.
RunState start(const Scene& scene, const RunOptions& options) {
  if (scene.output.volume) open_volumes_module();
  check_trace(scene, options);
  auto owned = std::make_unique<OwnedFolder>(options.out, use_of(options));
  owned->protect(input_files(scene));
  const bool resume = owned->resumes();
  RunState s{scene,
             options,
             {options.out},
             std::move(owned),
             options.frames >= 0 ? options.frames : scene.frames(),
             first_world(scene, options, resume),
             SurfaceMaker(scene),
             {},
             {},
             {}};
  if (options.render && scene.render.enabled) {
    s.photographer.emplace(scene);
    s.photographer->check(take_frame(s.world));
  }
  if (!resume) s.surfaces.check({options.timers}, take_frame(s.world));
  if (resume) s.saved_frame = load_checkpoint(s.folder, s.world);
  if (resume) refuse_gaps(s);
  if (resume) refuse_changes(s);
  const std::string moved = s.owned->prepare();
  write_head(s.folder, scene, *s.owned);
  if (lies_in(options.trace, options.out)) s.owned->claim({options.trace});
  s.stats.emplace(s.folder.stats(), resume ? s.world.frame : -1);
  s.log.open(s.folder.log(), std::ios::app);
  if (!moved.empty()) note(s, moved);
  if (options.resume && !resume)
    note(s, fmt::format("{}: there is no checkpoint to resume from; the run starts anew",
                        options.out.string()));
  s.first_frame = s.world.frame;
  for (const std::string& warning : s.world.warnings) note(s, "warning: " + warning);
  plan_film(s);
  for (const std::string& text : s.world.notes) note(s, "warning: " + text);
  if (resume)
    fill_gaps(s);
  else
    write_frame(s, 0, 0);
  s.log << fmt::format("{} from frame {} to {}", scene.name, s.world.frame, s.last_frame)
        << std::endl;
  return s;
}

void finish(RunState& s, RunResult& result) {
  if (s.scene.output.usd) {
    s.owned->claim({s.folder.animation()});
    write_animation(s.folder, s.scene);
  }
  const auto images = frame_files(s.folder.images(), "png");
  result.pictures = static_cast<int>(images.size());
  if (s.scene.output.contact_sheet > 0 && s.photographer && !images.empty()) {
    std::vector<fs::path> pictures;
    for (const auto& [number, path] : images) pictures.push_back(path);
    s.owned->claim({s.folder.contact_sheet()});
    write_png(render::contact_sheet(pictures, s.scene.output.contact_sheet),
              s.folder.contact_sheet());
  }
  if (!s.film || result.pictures < 2) return;
  const TimerScope scope(s.options.timers, "video");
  s.owned->claim({s.folder.video()});
  result.video = render::write_video(s.folder.images(), "frame_%04d.png", s.scene.video_fps(),
                                     s.folder.video(), [&] { return is_stopped(s.options); });
  result.finished = result.video;
}

template <class Work>
auto with_memory(const std::string& doing, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw Error(out_of_memory(
        doing,
        "a larger spacing, a coarser surface or a smaller picture need less; --resume goes "
        "on from the last checkpoint"));
  }
}

RunResult go_through(RunState& s) {
  while (s.world.frame < s.last_frame && !is_stopped(s.options))
    with_memory(
        fmt::format("in frame {}, after t = {:.4g} s", s.world.frame + 1, s.world.environment.time),
        [&] {
          keep_within_memory(s);
          next_frame(s);
        });
  save(s);
  RunResult result;
  result.folder = s.folder;
  result.last_frame = s.world.frame;
  result.finished = s.world.frame >= s.last_frame && !s.has_gaps;
  if (result.finished) finish(s, result);
  s.owned->remove_temporaries();
  result.wall_seconds = now_seconds() - s.started;
  return result;
}

}  // namespace

void check_trace(const Scene& scene, const RunOptions& options) {
  if (options.trace.empty()) return;
  std::vector<fs::path> inputs = input_files(scene);
  inputs.push_back(scene.file);
  refuse_overwriting(inputs, {options.trace}, "--trace");
  if (!lies_in(options.trace, options.out)) return;
  if (const std::string name = options.trace.filename().string();
      is_output_name(name) || name == Manifest::file_name)
    throw InputError(fmt::format("--trace {}: is a file of the run itself; choose another name",
                                 options.trace.string()));
}

RunResult run(const Scene& scene, const RunOptions& options) {
  try {
    RunState s = with_memory("while the scene is built", [&] { return start(scene, options); });
    return go_through(s);
  } catch (const Stopped&) {
    RunResult result;
    result.folder = {options.out};
    result.last_frame = -1;
    return result;
  }
}

}  // namespace phyxel
