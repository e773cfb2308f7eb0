#include <algorithm>
#include <fmt/format.h>

#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/thickness.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/scene/make_collider.h"
#include "phyxel/scene/plan_checks.h"

namespace phyxel {

namespace {

/// The largest cell of a grid in the scene, m, and the body it comes from; 0: there is no grid.
struct LargestCell {
  double cell = 0;
  const BodySpec* body = nullptr;
};

LargestCell largest_cell(const Scene& scene, ShapeFiles& files) {
  LargestCell largest;
  for (const BodySpec& body : scene.bodies) {
    Material material = material_of(scene, body);
    const MethodInfo* method = find_method(material.method);
    if (!method || !method->grid_cell) continue;
    const double volume = particle_volume(scene, body, files);
    const double cell = method->grid_cell(material, volume, scene.dimensions);
    if (cell > largest.cell) largest = {cell, &body};
  }
  return largest;
}

std::string warning_of(const Scene& scene, const ColliderSpec& collider, double thickness,
                       const LargestCell& grid) {
  const auto place = scene.places.find("collider." + collider.name + ".shape");
  const std::string where =
      to_string(place == scene.places.end() ? collider.shape.place : place->second);
  return fmt::format(
      "{}{}collider.{} is {:.3g} m thick, less than a cell of {:.3g} m: nothing passes it, but "
      "matter on its two sides shares nodes and pulls along what is behind it; make it at least "
      "two "
      "cells thick, or lower {}.spacing",
      where, where.empty() ? "" : ": ", collider.name, thickness, grid.cell, grid.body->path());
}

/// Of a sequence that of its first mesh; errors of its files are reported where it is made.
double thickness_of(const Scene& scene, const ColliderSpec& collider, ShapeFiles& files,
                    double limit) {
  try {
    return thickness_below(first_shape(scene, collider.shape, files), limit);
  } catch (const InputError&) {
    if (collider.shape.type == "mesh_sequence") return infinity;
    throw;
  }
}

}  // namespace

std::vector<std::string> thin_colliders(const Scene& scene, ShapeFiles& files) {
  constexpr std::size_t most = 8;
  std::vector<std::string> warnings;
  std::size_t more = 0;
  const LargestCell grid = largest_cell(scene, files);
  if (!grid.body) return warnings;
  for (const ColliderSpec& collider : scene.colliders) {
    const double thickness = thickness_of(scene, collider, files, grid.cell);
    if (!(thickness < grid.cell)) continue;
    if (warnings.size() < most)
      warnings.push_back(warning_of(scene, collider, thickness, grid));
    else
      ++more;
  }
  if (more > 0)
    warnings.push_back(fmt::format("{} more colliders are thinner than a cell, too", more));
  return warnings;
}

}  // namespace phyxel
