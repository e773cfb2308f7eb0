#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "commands.h"
#include "options.h"
#include "phyxel/app/progress.h"
#include "phyxel/app/surfaces/surface_files.h"
#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

namespace {

struct SurfaceArguments : Arguments {
  SurfaceFiles job;
  DescribedOptions options{described(job)};
};

/// "a, b or c".
std::string any_of(const std::vector<std::string>& words) {
  if (words.size() == 1) return words[0];
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

/// Options that the method does not use.
void refuse_unused(const DescribedOptions& options, const std::string& method) {
  for (const Parameter& p : options.fields.list) {
    const auto& users = p.used_by;
    const bool is_used =
        users.empty() || std::find(users.begin(), users.end(), method) != users.end();
    if (!is_used && options.given.contains(p.name))
      throw InputError(fmt::format("{}: is for --method {}, not {}", option_name(p.name),
                                   any_of(users), method));
  }
}

std::string shape_for(const MeshReport& mesh) {
  const MeshTopology& t = mesh.topology;
  std::string shape = fmt::format("  closed, {} piece{}", t.pieces, t.pieces == 1 ? "" : "s");
  if (t.cavities > 0)
    shape += fmt::format(" with {} cavit{}", t.cavities, t.cavities == 1 ? "y" : "ies");
  return shape + fmt::format(", genus {} (Euler number {}), {:.6g} m^3, {:.6g} m^2", t.genus(),
                             t.euler_number, mesh.volume, mesh.area);
}

std::string line_for(const SurfaceProgress& p, bool check_mesh, double seconds_left) {
  std::string line = fmt::format("{:>4}/{}  {}  {} particles  {} triangles  {:.2f} s", p.done, p.of,
                                 p.output.string(), p.particles, p.mesh.triangles, p.seconds);
  if (check_mesh) line += shape_for(p.mesh);
  if (p.done < p.of) line += "  " + readable_seconds(seconds_left) + " left";
  return line;
}

int surface(SurfaceArguments& a) {
  const ThreadLimit limit(a.threads);
  SurfaceFiles& files = a.job;
  refuse_unused(a.options, files.surface.method);
  check_flow(a.options);
  files.inputs = a.files;
  files.out = a.out;
  return profiled(a, [&](Timers* timers) {
    Exec exec;
    exec.timers = timers;
    const double begin = now_seconds();
    const std::size_t failed = make_surfaces(exec, files, [&](const SurfaceProgress& p) {
      if (!p.problem.empty()) {
        warn("{}\n", p.problem);
      } else if (!a.quiet) {
        const double left = (now_seconds() - begin) / double(p.done) * double(p.of - p.done);
        say("{}\n", line_for(p, files.check_mesh, left));
        std::fflush(stdout);
      }
    });
    if (failed > 0) warn("{} surface{} could not be made\n", failed, failed == 1 ? "" : "s");
    return failed > 0 ? 1 : 0;
  });
}

}  // namespace

Command add_surface(CLI::App& app) {
  auto a = std::make_shared<SurfaceArguments>();
  CLI::App* surface =
      app.add_subcommand("surface", "make surfaces around the points of particle files");
  add_point_files(surface, *a);
  surface->add_option("--out", a->out, "folder for the surfaces")->type_name("DIR")->required();
  add_described(surface, a->options);
  surface->add_flag_callback(
      "--together", [a] { a->job.surface.options.separate = false; },
      "one surface around all materials");
  surface->add_flag("--quiet", a->quiet, "print nothing but errors");
  add_threads(surface, *a);
  add_profiling(surface, *a);
  return {surface, [a] { return cli::surface(*a); }};
}

}  // namespace phyxel::cli
