#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/surfaces/flow_analysis.h"
#include "phyxel/core/error.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

namespace {

void print_scale(const FlowScale& scale, const FlowOptions& flow) {
  if (flow.longest_edge == 0) {
    const MeanDistance& d = scale.mean_distance;
    say("mean distance L_m  {:.6g} m, ", d.mean);
    if (d.is_exact)
      say("exact\n");
    else
      say("wrong by at most {:.2g} m ({:.2g} %) but in one case of {:.0f}\n", d.error,
          100 * d.error / d.mean, 1 / failures);
  }
  say("longest edge L_alpha  {:.6g} m\n", double(scale.longest_edge));
}

void print_frame(const FlowProgress& p) {
  const double mean = p.points > 0 ? 2 * p.edges / double(p.points) : 0;
  const double share = p.points > 0 ? 100 * double(p.border) / double(p.points) : 0;
  say("{:>4}/{}  {}  {} points  {:.0f} edges, {:.1f} neighbours  {} border ({:.1f} %), {} lone  "
      "{:.3f} s, with files {:.2f} s\n",
      p.done, p.of, p.input.string(), p.points, p.edges, mean, p.border, share, p.lone,
      p.structure_seconds, p.seconds);
  std::fflush(stdout);
}

struct FlowArguments : Arguments {
  FlowJob job;
  DescribedOptions options{described(job)};
};

int analyse_flow(FlowArguments& a) {
  const ThreadLimit limit(a.threads);
  check_flow(a.options);
  a.job.inputs = a.files;
  a.job.out = a.out;
  a.job.pictures = !a.no_render;
  return profiled(a, [&](Timers* timers) {
    Exec exec;
    exec.timers = timers;
    phyxel::analyse_flow(
        exec, a.job,
        [&](const FlowScale& scale) {
          if (!a.quiet) print_scale(scale, a.job.flow);
        },
        [&](const FlowProgress& p) {
          if (!a.quiet) print_frame(p);
          for (const std::string& note : p.notes) warn("{}\n", note);
        });
    return 0;
  });
}

}  // namespace

Command add_analyse(CLI::App& app) {
  auto a = std::make_shared<FlowArguments>();
  CLI::App* analyse = app.add_subcommand("analyse", "find out what particle files hold");
  analyse->require_subcommand(1);
  CLI::App* flow = analyse->add_subcommand(
      "flow", "structure of moving points: graph, average close vectors, border; with pictures");
  add_point_files(flow, *a);
  flow->add_option("--out", a->out, "folder for points, graph and pictures")
      ->type_name("DIR")
      ->required();
  add_described(flow, a->options);
  flow->add_flag("--no-render", a->no_render, "no pictures");
  flow->add_flag_callback(
      "--together", [a] { a->job.separate = false; }, "one flow of all materials");
  flow->add_flag("--quiet", a->quiet, "print nothing but errors and notes");
  add_threads(flow, *a);
  add_profiling(flow, *a);
  return {analyse, [a] { return analyse_flow(*a); }};
}

}  // namespace phyxel::cli
