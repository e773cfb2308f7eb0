#pragma once

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

const Material& material_of(const Scene& scene, const BodySpec& body);

/// Whether the mesh of a body changes what it joins: it does not follow from the particles alone.
bool may_tear(const Scene& scene, const BodySpec& body);

/// The spacing a body is filled with: as given, or that of its material at rest. Throws when
/// neither is known.
Real rest_spacing(const Scene& scene, const BodySpec& body);

/// Mass of a particle of the material that stands for a volume, kg. In 2D that is an area, of
/// matter one metre thick.
Real particle_mass(const Material& material, double volume);

/// The parameters of a method.
inline Fields described(const MethodInfo& method, std::any& parameters) {
  Fields fields;
  method.describe(fields, parameters);
  return fields;
}
/// The method's own parameters of a material.
inline Fields described_parameters(Material& material) {
  return described(*find_method(material.method), material.parameters);
}

/// All that the table of a material may have.
inline Fields described_whole(Material& material) {
  Fields fields = described(material);
  find_method(material.method)->describe(fields, material.parameters);
  return fields;
}

}  // namespace phyxel
