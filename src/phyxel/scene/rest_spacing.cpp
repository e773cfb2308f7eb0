#include "phyxel/scene/rest_spacing.h"

#include <fmt/format.h>

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"

namespace phyxel {

const Material& material_of(const Scene& scene, const BodySpec& body) {
  const Index m = material_index(scene, body.material);
  if (m >= 0) return scene.materials[m].material;
  throw InputError(body.place, fmt::format("{}: no material {}", body.path(), body.material));
}

Real rest_spacing(const Scene& scene, const BodySpec& body) {
  if (is_given(body.spacing)) return body.spacing;
  const Material& material = material_of(scene, body);
  const double spacing = find_method(material.method)->rest_spacing(material, scene.dimensions);
  if (is_given(spacing)) return static_cast<Real>(spacing);
  throw InputError(
      body.place,
      fmt::format("{} has no spacing, and material.{} does not say one; add spacing = 0.01",
                  body.path(), material.name));
}

}  // namespace phyxel
