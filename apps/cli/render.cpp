#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/pictures/render_frames.h"
#include "phyxel/app/progress.h"
#include "phyxel/core/threads.h"
#include "phyxel/render/looks.h"
#include "phyxel/surfaces/surface_parameters.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

namespace {

struct RenderArguments : Arguments {
  std::string method, look;  // "": the default
  int samples = 0;           // 0: the scene's
  double seconds = 0;        // 0: as many as the samples take
  int turntable = 0, contact_sheet = 0;
};

int render(const RenderArguments& a) {
  const ThreadLimit limit(a.threads);
  RenderJob job;
  job.places = a.files;
  job.out = a.out;
  for (const std::string& text : a.set) job.overrides.push_back(parse_override(text));
  if (a.samples > 0) job.overrides.push_back({"render.samples", std::to_string(a.samples)});
  if (a.samples > 0 && a.seconds == 0) job.overrides.push_back({"render.seconds", "0"});
  if (a.seconds > 0) job.overrides.push_back({"render.seconds", fmt::format("{}", a.seconds)});
  job.method = a.method;
  job.look = a.look;
  job.last_frame = a.frames;
  job.turntable = a.turntable;
  job.contact_sheet = a.contact_sheet;
  job.keep_going = a.keep_going;
  job.stopped = [] { return stop_requested().load(); };
  watch_for_interrupts();
  return profiled(a, [&](Timers* timers) {
    const double begin = now_seconds();
    const RenderResult result = render_frames({timers}, job, [&](const RenderProgress& p) {
      if (!p.problem.empty()) {
        warn("{}\n", p.problem);
      } else if (!a.quiet) {
        const double left = (now_seconds() - begin) / double(p.done) * double(p.of - p.done);
        say("{:>4}/{}  {}  {:.2f} s{}\n", p.done, p.of, p.picture.string(), p.seconds,
            p.done < p.of ? "  " + readable_seconds(left) + " left" : "");
        std::fflush(stdout);
      }
    });
    if (!result.note.empty()) warn("{}\n", result.note);
    if (!a.quiet)
      for (const std::filesystem::path& file : result.files) say("{}\n", file.string());
    if (result.failed > 0)
      warn("{} picture{} could not be made\n", result.failed, result.failed == 1 ? "" : "s");
    if (result.stopped) warn("stopped after {} of the pictures\n", result.pictures);
    return result.failed > 0 || result.stopped ? 1 : 0;
  });
}

void add_drawing(CLI::App* render, RenderArguments& a) {
  render
      ->add_option("--method", a.method,
                   "surface around the points of other programs: as in `surface`, or particles")
      ->check(CLI::IsMember(surface_methods()));
  render->add_option("--look", a.look, "of the surfaces of other programs")
      ->check(CLI::IsMember(render::look_names()));
  render->add_option("--samples", a.samples, "rays per pixel")->check(CLI::Range(1, 65536));
  render->add_option("--seconds", a.seconds, "time for each picture, filled with rays")
      ->check(between(0.001, 1e6));
  render
      ->add_option("--turntable", a.turntable,
                   "so many views around the last frame, in the folder turntable")
      ->check(CLI::Range(1, 100000));
  render->add_option("--contact-sheet", a.contact_sheet, "so many of the pictures on one sheet")
      ->check(CLI::Range(1, 400));
}

}  // namespace

Command add_render(CLI::App& app) {
  auto a = std::make_shared<RenderArguments>();
  CLI::App* render =
      app.add_subcommand("render", "make pictures and video of frames that are on the disk");
  render
      ->add_option("files", a->files,
                   "output folder of a run; or folders, files and patterns of particles or "
                   "surfaces from any program")
      ->type_name("FILE")
      ->required();
  render->add_option("--out", a->out, "folder for the pictures; that of the run, or out/<name>")
      ->type_name("DIR");
  add_drawing(render, *a);
  add_frames(render, *a);
  add_set(render, *a);
  render->add_flag("--keep-going", a->keep_going,
                   "draw the other frames although one cannot be drawn; status 1 at the end");
  render->add_flag("--quiet", a->quiet, "print nothing but errors");
  add_threads(render, *a);
  add_profiling(render, *a);
  return {render, [a] { return cli::render(*a); }};
}

}  // namespace phyxel::cli
