#pragma once

#include <optional>

#include "phyxel/render/scene.h"

namespace phyxel::render {

/// The triangles of a solid that is nothing but a mesh or a heightfield: far quicker to draw than
/// its signed distance. Other solids give nothing.
std::optional<MeshObject> mesh_of(const ShapeObject& object);

}  // namespace phyxel::render
