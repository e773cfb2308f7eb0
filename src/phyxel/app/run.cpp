#include "phyxel/app/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <optional>

#include "phyxel/app/animation.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/app/device.h"
#include "phyxel/app/pictures.h"
#include "phyxel/app/stats.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/vdb.h"
#include "phyxel/io/vtk.h"
#include "phyxel/render/contact_sheet.h"
#include "phyxel/render/video.h"
#include "phyxel/scene/build.h"

namespace phyxel {

namespace {

void write_particles(const OutputFolder& folder, const Scene& scene, const Frame& frame) {
  const ParticleFormat format = scene.output.particles;
  if (frame.index % scene.output.every != 0) return;
  if (format == ParticleFormat::ply || format == ParticleFormat::both)
    write_ply(folder.particles(frame.index, "ply"), frame);
  if (format == ParticleFormat::vtp || format == ParticleFormat::both)
    write_vtp(folder.particles(frame.index, "vtp"), frame);
}

/// One run: what it was asked, what it writes to, and how far it is.
struct RunState {
  const Scene& scene;
  const RunOptions& options;
  OutputFolder folder;
  int last_frame;
  World world;
  SurfaceMaker surfaces;
  std::optional<Photographer> photographer;
  std::optional<StatsFile> stats;
  std::ofstream log;
  double started = now_seconds();
  bool film = false;     // pictures become a video at the end
  int first_frame = 0;   // of this run
  int saved_frame = -1;  // of the last checkpoint
};

bool wants_picture(const RunState& s, int frame) {
  return s.photographer && frame % s.scene.render.every == 0;
}
bool wants_surface(const RunState& s, int frame) {
  return s.surfaces.writes() && frame % s.scene.output.every == 0 &&
         s.scene.output.surface != SurfaceFormat::none;
}

void write_surfaces_and_picture(RunState& s, const Frame& frame) {
  const bool picture = wants_picture(s, frame.index), surface = wants_surface(s, frame.index),
             volume = s.scene.output.volume && frame.index % s.scene.output.every == 0;
  if (!picture && !surface && !volume) return;
  const Exec exec{s.options.timers};
  const std::vector<MatterPart> parts = s.surfaces.make(exec, frame);
  if (surface)
    write_surface(s.folder.surface(frame.index, surface_extension(s.scene.output)), joined(parts));
  if (volume) write_vdb(s.folder.volume(frame.index), s.surfaces.volumes(exec, parts));
  if (picture) write_png(s.photographer->picture(exec, frame, parts), s.folder.image(frame.index));
}

void save(RunState& s) {
  if (s.saved_frame == s.world.frame) return;
  save_checkpoint(s.folder, s.world);
  s.saved_frame = s.world.frame;
}

/// Files first, checkpoint last: whatever a checkpoint knows is on the disk.
void write_frame(RunState& s, int substeps, double wall_seconds) {
  const TimerScope scope(s.options.timers, "write");
  const Diagnostics diagnostics = diagnose(s.world);
  const Frame frame = take_frame(s.world);
  write_particles(s.folder, s.scene, frame);
  write_surfaces_and_picture(s, frame);
  s.stats->add(frame.index, frame.time, substeps, diagnostics, wall_seconds);
  if (frame.index % s.scene.output.checkpoint_every == 0) save(s);
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
  const double step_seconds = now_seconds() - start;
  write_frame(s, steps.substeps, step_seconds);
  const FrameReport report = report_of(s, steps, step_seconds, now_seconds() - start);
  s.log << to_line(report) << fmt::format("  dt {:.3g} s: {}", report.smallest_dt, report.limit)
        << std::endl;
  if (s.options.on_frame) s.options.on_frame(report);
}

/// The world at time 0; settling is spared where a checkpoint replaces the particles anyway.
World first_world(Scene scene, const RunOptions& options, bool resume) {
  if (resume) scene.time.settle = 0;
  return build(scene, exec_on(options.device, options.timers));
}

void note(RunState& s, const std::string& text) {
  s.log << text << std::endl;
  if (s.options.on_note) s.options.on_note(text);
}

/// A missing ffmpeg is told before the hours of work, and costs nothing but the video.
void plan_film(RunState& s) {
  s.film = s.photographer && s.scene.output.video && s.last_frame > 0;
  if (!s.film || render::video_is_possible()) return;
  s.film = false;
  note(s, fmt::format("ffmpeg was not found: there will be pictures but no video; install it, then "
                      "phyxel render {} makes both",
                      s.folder.root.string()));
}

/// What can be wrong with a scene is found before prepare() costs an earlier run its files.
RunState start(const Scene& scene, const RunOptions& options) {
  const bool resume =
      options.resume && !frame_files(OutputFolder{options.out}.root / "checkpoint", "h5").empty();
  RunState s{scene,
             options,
             {options.out},
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
  if (resume) s.saved_frame = load_checkpoint(s.folder, s.world);
  prepare(s.folder, scene, resume);
  s.stats.emplace(s.folder.stats(), resume ? s.world.frame : -1);
  s.log.open(s.folder.log(), std::ios::app);
  s.first_frame = s.world.frame;
  plan_film(s);
  if (!resume) write_frame(s, 0, 0);
  s.log << fmt::format("{} from frame {} to {}", scene.name, s.world.frame, s.last_frame)
        << std::endl;
  return s;
}

void finish(RunState& s, RunResult& result) {
  if (s.scene.output.usd) write_animation(s.folder, s.scene);
  const auto images = frame_files(s.folder.images(), "png");
  result.pictures = static_cast<int>(images.size());
  if (s.scene.output.contact_sheet > 0 && s.photographer && !images.empty()) {
    std::vector<std::filesystem::path> pictures;
    for (const auto& [number, path] : images) pictures.push_back(path);
    write_png(render::contact_sheet(pictures, s.scene.output.contact_sheet),
              s.folder.contact_sheet());
  }
  result.video = s.film && result.pictures > 1;
  if (!result.video) return;
  const TimerScope scope(s.options.timers, "video");
  render::write_video(s.folder.images(), "frame_%04d.png", s.scene.video_fps(), s.folder.video());
}

}  // namespace

RunResult run(const Scene& scene, const RunOptions& options) {
  RunState s = start(scene, options);
  const auto stopped = [&] { return options.stop && *options.stop; };
  while (s.world.frame < s.last_frame && !stopped()) next_frame(s);
  save(s);
  RunResult result;
  result.folder = s.folder;
  result.last_frame = s.world.frame;
  result.finished = s.world.frame >= s.last_frame;
  if (result.finished) finish(s, result);
  result.wall_seconds = now_seconds() - s.started;
  return result;
}

}  // namespace phyxel
