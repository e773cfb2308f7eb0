#include "phyxel/app/run.h"

#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/device.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

namespace fs = std::filesystem;

namespace {

struct RunArguments : Arguments {
  bool resume = false;
  bool overwrite = false;
};

fs::path output_path(const Arguments& a, const Scene& scene) {
  return a.out.empty() ? fs::path("out") / scene.name : fs::path(a.out);
}

void print_result(const RunResult& result) {
  const std::string folder = result.folder.root.string();
  if (result.last_frame < 0) {
    say("stopped while the bodies settled, before the first frame; nothing was written\n");
    return;
  }
  if (!result.finished) {
    say("stopped after frame {}; go on with the same command and --resume\n", result.last_frame);
    return;
  }
  say("done in {}: {}\n", readable_seconds(result.wall_seconds), folder);
  if (result.pictures > 0) say("  pictures  {}\n", result.folder.images().string());
  if (result.video) say("  video     {}\n", result.folder.video().string());
  say("  stats     {}\n", result.folder.stats().string());
}

int run(const RunArguments& a) {
  exec_on(a.device);
  const ThreadLimit limit(a.threads);
  const Scene scene = load(a);
  watch_for_interrupts();
  RunOptions options;
  options.out = output_path(a, scene);
  options.frames = a.frames;
  options.trace = a.trace;
  options.resume = a.resume;
  options.overwrite = a.overwrite;
  options.render = !a.no_render;
  options.device = a.device;
  options.memory = bytes_from("--memory", a.memory);
  options.stop = &stop_requested();
  options.on_note = [&](const std::string& note) {
    if (!a.quiet) warn("{}\n", note);
  };
  check_trace(scene, options);
  return profiled(a, [&](Timers* timers) {
    Display display(a.quiet);
    options.timers = timers;
    options.on_frame = [&](const FrameReport& report) { display.show(report); };
    const RunResult result = phyxel::run(scene, options);
    display.end();
    if (!a.quiet) print_result(result);
    return result.finished ? 0 : 1;
  });
}

}  // namespace

Command add_run(CLI::App& app) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* run =
      app.add_subcommand("run", "simulate a scene, write particles, pictures, video and stats");
  add_scene(run, *a);
  add_threads(run, *a);
  run->add_option("--out", a->out, "output folder; out/<scene> by default")->type_name("DIR");
  add_frames(run, *a);
  add_device(run, *a);
  add_memory(run, *a);
  CLI::Option* resume =
      run->add_flag("--resume", a->resume,
                    "go on from the last checkpoint; gives the same files as an uninterrupted run");
  run->add_flag("--overwrite", a->overwrite,
                "replace earlier results in the folder instead of moving them to <folder>.previous")
      ->excludes(resume);
  run->add_flag("--no-render", a->no_render, "no pictures and no video");
  run->add_flag("--quiet", a->quiet, "print nothing but errors");
  add_profiling(run, *a);
  return {run, [a] { return cli::run(*a); }};
}

}  // namespace phyxel::cli
