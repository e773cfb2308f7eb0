#include "phyxel/app/run.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/app/animation.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/app/device.h"
#include "phyxel/app/folder/file_pattern.h"
#include "phyxel/app/folder/set_files.h"
#include "phyxel/app/resume.h"
#include "phyxel/app/run_state.h"
#include "phyxel/core/memory.h"
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

bool is_checkpoint_due(const RunState& s) {
  return s.world.frame % s.scene.output.checkpoint_every == 0;
}

void save(RunState& s) {
  if (s.saved_frame == s.world.frame) return;
  s.stats->sync();
  if (s.reactions) s.reactions->sync();
  s.owned->claim({s.folder.checkpoint(s.world.frame)});
  save_checkpoint(s.folder, s.world, s.stats->hash(),
                  s.reactions ? s.reactions->hash() : std::optional<std::uint64_t>(),
                  s.surfels.save());
  s.saved_frame = s.world.frame;
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

/// The first frame whose implicit steps ended at a limit is told: their result is not that of the
/// scene.
void note_unfinished_solves(RunState& s, const Diagnostics& diagnostics) {
  for (const auto& [name, count] : diagnostics.extra) {
    if (s.said_unfinished || name != "unfinished_solves" || !(count > 0)) continue;
    s.said_unfinished = true;
    note(s, fmt::format("frame {}: {:.0f} solves of implicit steps ended before they had "
                        "converged, and matter is not where its stiffness would have it: raise "
                        "`iterations` of its material, or shorten the steps by time.max_dt "
                        "(stats.csv counts unfinished_solves of every frame)",
                        s.world.frame, count));
  }
}

/// Files first, checkpoint last: everything that a checkpoint refers to is on the disk.
void write_frame(RunState& s, int substeps, double wall_seconds) {
  const TimerScope scope(s.options.timers, "write");
  const Diagnostics diagnostics = diagnose(s.world);
  Frame frame = take_frame(s.world);
  s.surfels.add_sets({s.options.timers}, frame);
  const std::vector<fs::path> particles = particle_files(s, frame.index),
                              derived = derived_files(s, frame.index);
  std::vector<fs::path> files = particles;
  files.insert(files.end(), derived.begin(), derived.end());
  for (const fs::path& file : set_files(s.folder, s.scene.output, frame))
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  make_set_folders(s, frame);
  s.owned->claim(files);
  if (is_checkpoint_due(s)) s.owned->claim({s.folder.checkpoint(frame.index)});
  for (const fs::path& file : particles) write_points(file, frame);
  write_derived(s, frame, files);
  s.owned->seal(files);
  s.stats->add(frame.index, frame.time, substeps, diagnostics, wall_seconds);
  if (s.reactions) s.reactions->add(frame.index, frame.time, reactions(s.world));
  note_inside_colliders(s, diagnostics);
  note_unfinished_solves(s, diagnostics);
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
  report.particles = particle_count(s.world);
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

/// Whether a file would be written straight into the folder.
bool lies_in(const fs::path& file, const fs::path& folder) {
  return !file.empty() && fs::weakly_canonical(fs::absolute(file).parent_path()) ==
                              fs::weakly_canonical(fs::absolute(folder));
}

FolderUse use_of(const RunOptions& options) {
  if (options.resume) return FolderUse::resume;
  return options.overwrite ? FolderUse::overwrite : FolderUse::fresh;
}

/// Makes those of the first frame.
void try_surfaces(RunState& s) {
  const Exec exec{s.options.timers};
  Frame frame = take_frame(s.world);
  s.surfels.add_sets(exec, frame);
  s.surfaces.check(exec, frame);
}

void load(RunState& s) {
  std::vector<SurfelColumns> surfels;
  s.saved_frame = load_checkpoint(s.folder, s.world, &surfels);
  s.surfels.load(surfels, take_frame(s.world));
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
             SurfelMaker(scene),
             {},
             {},
             {}};
  if (options.render && scene.render.enabled) {
    s.photographer.emplace(scene);
    s.photographer->check(take_frame(s.world));
  }
  if (resume)
    load(s);
  else
    try_surfaces(s);
  if (resume) refuse_gaps(s);
  if (resume) refuse_changes(s);
  const std::string moved = s.owned->prepare();
  write_head(s.folder, scene, *s.owned);
  if (lies_in(options.trace, options.out)) s.owned->claim({options.trace});
  s.stats.emplace(s.folder.stats(), resume ? s.world.frame : -1);
  if (s.world.counts_reactions) {
    s.owned->claim({s.folder.reactions()});
    s.reactions.emplace(s.folder.reactions(), resume ? s.world.frame : -1);
  }
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
  for (const std::string& warning : s.surfels.warnings()) note(s, "warning: " + warning);
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
