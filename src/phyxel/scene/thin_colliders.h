#pragma once

#include <string>
#include <vector>

#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// One line for every collider that is thinner than a cell of a method with a grid: matter on its
/// two sides shares nodes. Where there are many, only the first few and how many more there are.
std::vector<std::string> thin_colliders(const Scene& scene, ShapeFiles& files);

}  // namespace phyxel
