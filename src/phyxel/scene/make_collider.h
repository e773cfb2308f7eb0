#pragma once

#include "phyxel/colliders/collider.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// The scene's colliders in their order, then the closed walls of the domain.
std::vector<Collider> make_colliders(const Scene& scene);

}  // namespace phyxel
