#include "phyxel/app/surfaces/surface_choice.h"

#include <algorithm>
#include <limits>

#include "phyxel/scene/body_material.h"

namespace phyxel {

namespace {

/// The surface that particles of a body belong to: its own, or that of its material.
std::size_t surface_of(const Scene& scene, const BodySpec& body, SurfacePhase phase) {
  const auto find = [&](const std::string& name) {
    const auto same = [&](const SurfaceSpec& s) {
      return s.of == name && (s.phase == phase || s.phase == SurfacePhase::all);
    };
    return static_cast<std::size_t>(
        std::find_if(scene.surfaces.begin(), scene.surfaces.end(), same) - scene.surfaces.begin());
  };
  const std::size_t own = find(body.name);
  return own < scene.surfaces.size() ? own : find(body.material);
}

}  // namespace

SurfaceChoice::SurfaceChoice(const Scene& scene)
    : spacing(scene.surfaces.size(), std::numeric_limits<Real>::max()) {
  for (const BodySpec& body : scene.bodies) {
    surface_of_body.push_back({surface_of(scene, body, SurfacePhase::solid),
                               surface_of(scene, body, SurfacePhase::liquid)});
    for (const std::size_t s : surface_of_body.back())
      if (s < spacing.size()) spacing[s] = std::min(spacing[s], rest_spacing(scene, body));
  }
}

std::vector<std::vector<std::size_t>> SurfaceChoice::chosen(const Frame& frame) const {
  std::vector<std::vector<std::size_t>> particles(spacing.size() + 1);
  const FrameColumn* const body = frame.find("body");
  const FrameColumn* const phase = frame.find("phase");  // 1: liquid
  for (std::size_t i = 0; i < frame.count; ++i) {
    const std::size_t b = body ? static_cast<std::size_t>(body->number(i)) : 0;
    const std::size_t liquid = phase && phase->number(i) > 0 ? 1 : 0;
    particles[surface_of_body.at(std::min(b, surface_of_body.size() - 1))[liquid]].push_back(i);
  }
  return particles;
}

std::vector<std::size_t> SurfaceChoice::bodies(std::size_t table) const {
  std::vector<std::size_t> numbers;
  for (std::size_t b = 0; b < surface_of_body.size(); ++b)
    if (surface_of_body[b][0] == table) numbers.push_back(b);
  return numbers;
}

}  // namespace phyxel
