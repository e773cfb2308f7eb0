#include <algorithm>
#include <fmt/format.h>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/plan_checks.h"

namespace phyxel {

namespace {

/// What may hang from one place: all of a body that is pinned, half of one that lies on something.
ThinBody thin_body(const Scene& scene, const BodyRegion& region) {
  const BodySpec& body = *region.body;
  const Vec3 size = region.bounds.size();
  ThinBody thin;
  thin.spacing = double(rest_spacing(scene, body));
  thin.thickness = is_given(body.thickness) ? double(body.thickness) : thin.spacing;
  thin.gravity = double(length(scene.world.gravity));
  thin.is_line = body.shape.type == "polyline";
  thin.is_pinned = std::any_of(scene.pins.begin(), scene.pins.end(),
                               [&](const PinSpec& pin) { return pin.body == body.name; });
  thin.length = double(std::max({size[0], size[1], size[2]})) / (thin.is_pinned ? 1 : 2);
  return thin;
}

}  // namespace

std::vector<std::string> thin_body_warnings(const Scene& scene,
                                            const std::vector<BodyRegion>& regions) {
  std::vector<std::string> warnings;
  for (const BodyRegion& region : regions) {
    if (!is_thin(*region.body) || scene.dimensions != 3) continue;
    const Material& material = material_of(scene, *region.body);
    const MethodInfo* method = find_method(material.method);
    if (!method || !method->warn_of_thin_body) continue;
    const std::string what = method->warn_of_thin_body(material, thin_body(scene, region));
    if (!what.empty())
      warnings.push_back(
          fmt::format("{}: {} {}", to_string(region.body->place), region.body->path(), what));
  }
  return warnings;
}

}  // namespace phyxel
