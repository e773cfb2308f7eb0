#include "commands.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "numbers.h"
#include "phyxel/app/bench.h"
#include "phyxel/app/device.h"
#include "phyxel/app/render_frames.h"
#include "phyxel/app/report.h"
#include "phyxel/app/run.h"
#include "phyxel/app/scenes.h"
#include "phyxel/core/file.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/reference.h"
#include "phyxel/scene/template.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

namespace fs = std::filesystem;

namespace {

Scene load(const Arguments& a) {
  std::vector<Override> overrides;
  for (const std::string& text : a.set) overrides.push_back(parse_override(text));
  if (a.seed >= 0) overrides.push_back({"seed", std::to_string(a.seed)});
  return read_scene(find_scene(a.scene), overrides);
}

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

}  // namespace

int run(const Arguments& a) {
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

int check(const Arguments& a) {
  const ThreadLimit limit(a.threads);
  const Scene scene = load(a);
  say("{}", check_report(scene, bytes_from("--memory", a.memory)));
  if (!a.diagram.empty())
    for (const std::filesystem::path& file : write_diagrams(scene, a.diagram))
      say("diagram   {}\n", file.string());
  return 0;
}

int render(const Arguments& a) {
  const ThreadLimit limit(a.threads);
  RenderJob job;
  job.places = a.files;
  job.out = a.out;
  for (const std::string& text : a.set) job.overrides.push_back(parse_override(text));
  if (a.samples > 0) job.overrides.push_back({"render.samples", std::to_string(a.samples)});
  if (a.samples > 0 && a.seconds == 0) job.overrides.push_back({"render.seconds", "0"});
  if (a.seconds > 0) job.overrides.push_back({"render.seconds", fmt::format("{}", a.seconds)});
  job.method = a.field;
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
      for (const fs::path& file : result.files) say("{}\n", file.string());
    if (result.failed > 0)
      warn("{} picture{} could not be made\n", result.failed, result.failed == 1 ? "" : "s");
    if (result.stopped) warn("stopped after {} of the pictures\n", result.pictures);
    return result.failed > 0 || result.stopped ? 1 : 0;
  });
}

int list(const Arguments& a) {
  if (a.what == "scenes")
    for (const BundledScene& s : bundled_scenes()) say("{:<20} {}\n", s.name, s.description);
  else if (a.what == "methods")
    for (const MethodInfo& m : method_registry()) say("{:<20} {}\n", m.name, m.summary);
  else if (a.what == "materials")
    for (const KnownMaterial& p : known_materials())
      say("{:<20} {:<16} {}; {}\n", p.name, p.method, p.summary, scale_of(p));
  else
    for (const BenchInfo& b : benchmarks())
      say("{:<20} {} ({} particles)\n", b.name, b.summary, b.particles.back());
  return 0;
}

int new_scene(const Arguments& a) {
  const std::string stem = a.name.ends_with(".toml") ? a.name.substr(0, a.name.size() - 5) : a.name;
  const fs::path file = stem + ".toml";
  if (fs::exists(file))
    throw InputError(fmt::format("{}: exists already; choose another name", file.string()));
  const std::string text = scene_template(fs::path(stem).filename().string(), a.method);
  write_atomically(file, [&](FileWriter& writer) { writer.write(text); });
  say("{}: edit it, then phyxel run {}\n", file.string(), file.string());
  return 0;
}

int schema() {
  say("{}", scene_schema());
  return 0;
}

int reference() {
  say("{}", scene_reference());
  return 0;
}

int completion(const std::string& shell) {
  static const char* const script = R"bash(_phyxel() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  local commands="run check surface analyse render list new bench schema reference completion"
  local options="--out --frames --threads --device --seed --set --resume --overwrite --no-render --quiet --timings --trace --samples --json --particles --sizes --repeats --plot --method --radius --spacing --blobbiness --iso --cell --smooth --format --fps --together --check-mesh --keep-going --decimate --look --seconds --turntable --contact-sheet --alpha --longest-edge --border --relative-to --most-edges --diagram --memory --help"
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "$commands --help --version" -- "$word")); return; fi
  case "$word" in -*) COMPREPLY=($(compgen -W "$options" -- "$word")); return;; esac
  case "$command" in
    run|check) COMPREPLY=($(compgen -W "$(phyxel list scenes | cut -d' ' -f1)" -- "$word") $(compgen -f -X '!*.toml' -- "$word"));;
    surface|render) COMPREPLY=($(compgen -f -- "$word"));;
    analyse) COMPREPLY=($(compgen -W "flow" -- "$word") $(compgen -f -- "$word"));;
    list) COMPREPLY=($(compgen -W "scenes methods materials benchmarks" -- "$word"));;
    bench) COMPREPLY=($(compgen -W "$(phyxel list benchmarks | cut -d' ' -f1)" -- "$word"));;
    completion) COMPREPLY=($(compgen -W "bash zsh" -- "$word"));;
    esac
}
complete -F _phyxel phyxel
)bash";
  if (shell == "zsh") say("autoload -U +X bashcompinit && bashcompinit\n");
  say("{}", script);
  return 0;
}

}  // namespace phyxel::cli
