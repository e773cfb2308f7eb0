#include "phyxel/app/report.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/app/folder/owned_folder.h"
#include "phyxel/app/pictures/pictures.h"
#include "phyxel/app/surfaces/scene_surfels.h"
#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/forecast.h"
#include "phyxel/scene/presets.h"

namespace phyxel {

namespace {

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

std::string sink_lines(const Scene& scene) {
  std::string text;
  for (const SinkSpec& sink : scene.sinks)
    text += fmt::format("  {:<21} removes {}{}\n", "sink." + sink.name,
                        sink.materials.empty()
                            ? "all matter"
                            : fmt::format("material.{}", fmt::join(sink.materials, ", material.")),
                        sink.active ? "" : ", closed at the start");
  if (scene.world.outside == Outside::remove)
    text += fmt::format("  {:<21} removes what leaves the domain\n", "world.outside");
  return text;
}

/// "1 200" is easier to read than "1200", and estimates have no more than two digits.
std::string about(double steps) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, steps))) - 1));
  return fmt::format("{:.0f}", std::round(steps / unit) * unit);
}

/// How the number of steps will change over the run, and why.
std::string forecast_lines(const Scene& scene, World world) {
  const StepForecast f = forecast_steps(scene, std::move(world));
  std::string how = f.coarser > 1
                        ? fmt::format("a copy of {:.2g} times the spacing was tried", f.coarser)
                        : "tried";
  how += f.until < scene.duration * (1 - 1e-6) ? fmt::format(" up to t = {:.3g} s", f.until)
                                               : " to the end";
  if (f.most_steps < 1.25 * f.start_steps)
    return fmt::format("  {:<21} as many all the time ({})\n", "foreseen", how);
  return fmt::format(
      "  {:<21} about {} steps a frame at its fastest, near t = {:.3g} s: {}{} ({})\n", "foreseen",
      about(f.most_steps), f.time, f.least.reason, f.cause.empty() ? "" : "; " + f.cause, how);
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

/// What the presets of the scene assume, where a body is far from it.
std::string preset_lines(const Scene& scene, const ScenePlan& plan) {
  std::string text;
  for (const BodyPlan& body : plan.bodies)
    for (const MaterialSpec& spec : scene.materials) {
      if (spec.material.name != body.material || spec.preset.empty()) continue;
      const KnownMaterial* preset = find_preset(spec.preset, spec.material.method);
      if (!preset || (body.spacing >= preset->finest / 10 && body.spacing <= 10 * preset->coarsest))
        continue;
      text += fmt::format(
          "warning: {}.spacing = {:.3g} m is far from what preset \"{}\" of material.{} is for "
          "({}): steps may be very small or matter too soft to hold its shape; give its "
          "parameters for this size\n",
          body.path, body.spacing, preset->name, body.material, scale_of(*preset));
    }
  return text;
}

/// What settling will cost: it may take as long as the run, so that it is not tried out here.
std::string settle_lines(World& world, double seconds) {
  if (seconds <= 0) return "";
  double steps = 0;
  for (auto& method : world.methods)
    steps += std::ceil(seconds / method->stable_dt(world.environment).dt);
  return fmt::format("  {:<21} {:.4g} s before the first frame, about {:.0f} steps\n",
                     "time.settle", seconds, steps);
}

World unsettled_world(Scene scene, const ScenePlan& planned) {
  scene.time.settle = 0;
  return build_planned(std::move(scene), planned);
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
    if (part.surfels) text += fmt::format(", {} surfels", part.surfels->count);
    text += "\n";
  }
  return text;
}

/// What the frames will be made into, tried on the first of them.
std::string frame_lines(const Scene& scene, World& world) {
  Frame frame = take_frame(world);
  SurfelMaker surfels(scene);
  surfels.add_sets({}, frame);
  std::string text = surface_lines(scene, frame);
  for (const std::string& warning : surfels.warnings()) text += "warning: " + warning + "\n";
  if (scene.render.enabled) Photographer(scene).check(frame);
  return text;
}

}  // namespace

std::string check_report(const Scene& scene, double memory) {
  const ScenePlan planned = plan(scene, memory);
  World world = unsettled_world(scene, planned);
  std::string text = fmt::format(
      "{}: {} particles, about {:.3g} MB, {} frames of {:.4g} s, {} dimensions\n", scene.name,
      particle_count(world), planned.bytes / 1e6, scene.frames(), 1 / scene.fps, scene.dimensions);
  text += body_lines(world, planned) + sink_lines(scene);
  text += "stable steps\n" + step_lines(world);
  std::string rest = settle_lines(world, scene.time.settle) + material_lines(world);
  rest += frame_lines(scene, world);
  for (const std::string& warning : world.warnings) rest += "warning: " + warning + "\n";
  for (const std::string& note : world.notes) rest += "warning: " + note + "\n";
  rest += preset_lines(scene, planned);
  return text + forecast_lines(scene, std::move(world)) + rest;  // which uses the world up
}

std::vector<std::filesystem::path> write_diagrams(const Scene& scene,
                                                  const std::filesystem::path& folder) {
  const World world = unsettled_world(scene, plan(scene));
  std::vector<std::filesystem::path> files;
  std::vector<std::string> drawings;
  for (const Material& material : world.environment.materials) {
    const MethodInfo* method = find_method(material.method);
    if (!method->diagram) continue;
    files.push_back(folder / (material.name + ".svg"));
    drawings.push_back(method->diagram(material));
  }
  if (!files.empty()) {
    OwnedFolder owned(folder, FolderUse::add);
    owned.prepare();
    owned.claim(files);
  }
  for (std::size_t k = 0; k < files.size(); ++k)
    write_atomically(files[k], [&](FileWriter& out) { out.write(drawings[k]); });
  if (files.empty())
    throw InputError(scene.name +
                     ": no material has states to draw; those of mass_interaction have");
  return files;
}

}  // namespace phyxel
