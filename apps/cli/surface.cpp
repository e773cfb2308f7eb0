#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

#include "commands.h"
#include "numbers.h"
#include "phyxel/app/progress.h"
#include "phyxel/app/surface_files.h"
#include "phyxel/core/error.h"
#include "profile.h"
#include "terminal.h"

namespace phyxel::cli {

Real number_from(const std::string& option, const std::string& text) {
  // Squares and cubes of what lies beyond are 0 or infinite.
  constexpr double least = 1e-12, most = 1e12;
  if (text == "auto") return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most)
    return static_cast<Real>(value);
  throw InputError(fmt::format("{} {}: must be a number above 0, or auto ({:g} to {:g})", option,
                               text, least, most));
}

double bytes_from(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  std::string unit(end, last);
  std::erase(unit, ' ');
  const double factor = unit.empty() || unit == "GB" ? 1e9 : unit == "MB" ? 1e6 : 0;
  if (error == std::errc{} && factor > 0 && value > 0 && std::isfinite(value))
    return value * factor;
  throw InputError(
      fmt::format("{} {}: must be a number above 0 with GB or MB, as 2GB", option, text));
}

namespace {

bool is_flow(const Arguments& a) {
  return a.field == "flow";
}

/// Options of flow structuring are for it alone.
void refuse_flow_options(const Arguments& a) {
  const auto refuse = [](const char* option, bool given) {
    if (given) throw InputError(fmt::format("{}: is for --method flow", option));
  };
  refuse("--alpha", a.alpha != "auto");
  refuse("--longest-edge", a.longest_edge != "auto");
  refuse("--border", a.border != "auto");
  refuse("--relative-to", !a.relative_to.empty());
}

SurfaceFiles files_from(const Arguments& a) {
  SurfaceFiles files;
  files.inputs = a.files;
  files.out = a.out;
  files.format = a.format;
  files.fps = a.fps;
  const auto& kinds = field_names();
  if (is_flow(a))
    files.flow = flow_from(a);
  else
    refuse_flow_options(a);
  const std::string name = a.field.empty() || is_flow(a) ? "zhu_bridson" : a.field;
  FieldOptions& field = files.surface.field;
  field.kind = static_cast<FieldKind>(std::find(kinds.begin(), kinds.end(), name) - kinds.begin());
  field.radius = number_from("--radius", a.radius);
  field.spacing = number_from("--spacing", a.spacing);
  field.iso = number_from("--iso", a.iso);
  if (field.iso > 0 && field.kind == FieldKind::zhu_bridson)
    throw InputError(
        "--iso: is for --method blobs, sph or anisotropic; flow and zhu_bridson know a distance, "
        "no sum");
  if (const Real blobbiness = number_from("--blobbiness", a.blobbiness); blobbiness > 0) {
    if (field.kind != FieldKind::blobs)
      throw InputError(fmt::format("--blobbiness: is for --method blobs, not {}", name));
    field.blobbiness = blobbiness;
  }
  files.surface.cell = number_from("--cell", a.cell);
  files.surface.smoothing = a.smoothing;
  files.surface.separate = !a.together;
  files.decimate = a.decimate;
  files.check_mesh = a.check_mesh;
  files.keep_going = a.keep_going;
  return files;
}

std::string line_for(const SurfaceProgress& p, bool check_mesh, double seconds_left) {
  std::string line = fmt::format("{:>4}/{}  {}  {} particles  {} triangles  {:.2f} s", p.done, p.of,
                                 p.output.string(), p.particles, p.mesh.triangles, p.seconds);
  if (check_mesh)
    line += fmt::format("  closed, {} piece{}, {:.6g} m^3, {:.6g} m^2", p.mesh.pieces,
                        p.mesh.pieces == 1 ? "" : "s", p.mesh.volume, p.mesh.area);
  if (p.done < p.of) line += "  " + readable_seconds(seconds_left) + " left";
  return line;
}

}  // namespace

int surface(const Arguments& a) {
  const ThreadLimit limit(a.threads);
  const SurfaceFiles files = files_from(a);
  return profiled(a, [&](Timers* timers) {
    Exec exec;
    exec.timers = timers;
    const double begin = now_seconds();
    const std::size_t failed = make_surfaces(exec, files, [&](const SurfaceProgress& p) {
      if (!p.problem.empty()) {
        warn("{}\n", p.problem);
      } else if (!a.quiet) {
        const double left = (now_seconds() - begin) / double(p.done) * double(p.of - p.done);
        say("{}\n", line_for(p, a.check_mesh, left));
        std::fflush(stdout);
      }
    });
    if (failed > 0) warn("{} surface{} could not be made\n", failed, failed == 1 ? "" : "s");
    return failed > 0 ? 1 : 0;
  });
}

}  // namespace phyxel::cli
