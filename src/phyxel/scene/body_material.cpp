#include "phyxel/scene/body_material.h"

#include "phyxel/scene/fail.h"

namespace phyxel {

const Material& material_of(const Scene& scene, const BodySpec& body) {
  const Index m = material_index(scene, body.material);
  if (m >= 0) return scene.materials[m].material;
  fail(body.place, "{}: no material {}", body.path(), body.material);
}

bool may_tear(const Scene& scene, const BodySpec& body) {
  const Material& material = material_of(scene, body);
  const auto tears = find_method(material.method)->tears;
  return tears && tears(material);
}

Real rest_spacing(const Scene& scene, const BodySpec& body) {
  if (is_given(body.spacing)) return body.spacing;
  const Material& material = material_of(scene, body);
  const double spacing = find_method(material.method)->rest_spacing(material, scene.dimensions);
  if (is_given(spacing)) return static_cast<Real>(spacing);
  fail(body.place, "{} has no spacing, and material.{} does not say one; add spacing = 0.01",
       body.path(), material.name);
}

Real particle_mass(const Material& material, double volume) {
  if (is_given(material.particle_mass)) return material.particle_mass;
  return static_cast<Real>(material.density * volume);
}

}  // namespace phyxel
