#include <cstdio>
#include <fmt/format.h>

#include "commands.h"
#include "numbers.h"
#include "phyxel/app/flow_analysis.h"
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

}  // namespace

FlowOptions flow_from(const Arguments& a) {
  FlowOptions flow;
  if (a.alpha != "auto") flow.alpha = number_from("--alpha", a.alpha);
  flow.longest_edge = number_from("--longest-edge", a.longest_edge);
  if (a.alpha != "auto" && flow.longest_edge > 0)
    throw InputError("--alpha and --longest-edge: one follows from the other; leave one out");
  if (a.border != "auto") flow.border = number_from("--border", a.border);
  flow.relative_to = a.relative_to == "frame" ? BorderRule::frame : BorderRule::local;
  check(flow);
  return flow;
}

int analyse_flow(const Arguments& a) {
  const ThreadLimit limit(a.threads);
  FlowJob job;
  job.inputs = a.files;
  job.out = a.out;
  job.flow = flow_from(a);
  job.separate = !a.together;
  job.pictures = !a.no_render;
  if (a.samples > 0) job.samples = a.samples;
  job.most_edges = a.most_edges;
  return profiled(a, [&](Timers* timers) {
    Exec exec;
    exec.timers = timers;
    phyxel::analyse_flow(
        exec, job,
        [&](const FlowScale& scale) {
          if (!a.quiet) print_scale(scale, job.flow);
        },
        [&](const FlowProgress& p) {
          if (!a.quiet) print_frame(p);
          for (const std::string& note : p.notes) warn("{}\n", note);
        });
    return 0;
  });
}

}  // namespace phyxel::cli
