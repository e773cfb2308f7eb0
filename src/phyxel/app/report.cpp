#include "phyxel/app/report.h"

#include <fmt/format.h>

#include "phyxel/app/pictures.h"
#include "phyxel/core/error.h"
#include "phyxel/io/file.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"

namespace phyxel {

namespace {

std::string megabytes(double bytes) {
  return fmt::format("{:.3g} MB", bytes / 1e6);
}

std::string body_lines(const World& world, const ScenePlan& plan) {
  std::vector<std::size_t> count(plan.bodies.size(), 0);
  for (const auto& method : world.methods)
    for (Index b : method->particles().body) ++count[b];
  std::string text;
  for (std::size_t b = 0; b < plan.bodies.size(); ++b)
    text +=
        fmt::format("  {:<21} {:>10} particles of material.{}, spacing {:.6g} m\n",
                    plan.bodies[b].path, count[b], plan.bodies[b].material, plan.bodies[b].spacing);
  return text;
}

std::string step_lines(World& world) {
  std::string text;
  for (std::size_t m = 0; m < world.methods.size(); ++m) {
    const StableStep own = world.methods[m]->stable_dt(world.environment);
    text += fmt::format("  {:<21} {:.4g} s: {}\n", world.method_names[m], own.dt, own.reason);
  }
  const StableStep chosen = stable_step(world);
  return text + fmt::format("  {:<21} {:.4g} s ({}), {:.0f} steps a frame at the start\n", "chosen",
                            chosen.dt, chosen.reason, std::ceil(1 / (world.live.fps * chosen.dt)));
}

std::string material_lines(const World& world) {
  std::string text;
  for (const Material& material : world.environment.materials) {
    const MethodInfo* method = find_method(material.method);
    if (!method) {
      text += fmt::format("material.{}: no body is made of it\n", material.name);
      continue;
    }
    text += fmt::format("material.{} ({})\n", material.name, material.method);
    for (const std::string& line : method->report(material)) text += "  " + line + "\n";
  }
  return text;
}

/// The surfaces of the initial state, with their size: what a frame of them costs.
std::string surface_lines(const Scene& scene, const Frame& frame) {
  if (scene.surfaces.empty()) return "";
  std::string text = "surfaces at the start\n";
  for (const MatterPart& part : SurfaceMaker(scene).make({}, frame)) {
    if (part.table < 0) continue;
    const SurfaceSpec& s = scene.surfaces[part.table];
    text += fmt::format("  surface.{:<13} {:>10} particles, {}, look {}", s.name,
                        part.particles.count, s.method, s.look);
    if (const std::size_t n = part.surface.mesh.triangles.size(); n > 0)
      text += fmt::format(", {} triangles", n);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string check_report(const Scene& scene) {
  const ScenePlan planned = plan(scene);
  World world = build(scene);
  std::size_t particles = 0;
  for (const auto& method : world.methods) particles += method->particles().x.size();
  std::string text = fmt::format(
      "{}: {} particles, about {}, {} frames of {:.4g} s, {} dimensions\n", scene.name, particles,
      megabytes(planned.bytes), scene.frames(), 1 / scene.fps, scene.dimensions);
  text += body_lines(world, planned);
  text += "stable steps\n" + step_lines(world);
  text += material_lines(world);
  const Frame frame = take_frame(world);
  text += surface_lines(scene, frame);
  if (scene.render.enabled) Photographer(scene).check(frame);
  for (const std::string& warning : planned.warnings) text += "warning: " + warning + "\n";
  return text;
}

std::vector<std::filesystem::path> write_diagrams(const Scene& scene,
                                                  const std::filesystem::path& folder) {
  const World world = build(scene);
  std::vector<std::filesystem::path> files;
  for (const Material& material : world.environment.materials) {
    const MethodInfo* method = find_method(material.method);
    if (!method->diagram) continue;
    std::filesystem::create_directories(folder);
    files.push_back(folder / (material.name + ".svg"));
    const std::string svg = method->diagram(material);
    write_atomically(files.back(), [&](FileWriter& out) { out.write(svg); });
  }
  if (files.empty())
    throw InputError(scene.name +
                     ": no material has states to draw; those of mass_interaction have");
  return files;
}

}  // namespace phyxel
