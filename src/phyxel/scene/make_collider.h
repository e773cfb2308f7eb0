#pragma once

#include "phyxel/colliders/collider.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// The scene's colliders in their order, then the walls of the domain, where it has some.
std::vector<Collider> make_colliders(const Scene& scene);

}  // namespace phyxel
