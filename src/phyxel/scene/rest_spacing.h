#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

const Material& material_of(const Scene& scene, const BodySpec& body);

/// The spacing a body is filled with: as given, or that of its material at rest. Throws when
/// neither is known.
Real rest_spacing(const Scene& scene, const BodySpec& body);

}  // namespace phyxel
