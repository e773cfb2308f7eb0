#pragma once

#include "phyxel/colliders/collider.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

/// The scene's colliders in their order, then the walls of the domain, where it has some.
std::vector<Collider> make_colliders(const Scene& scene);
std::vector<Collider> make_colliders(const Scene& scene, ShapeFiles& files);

/// The solid of a collider at the start: of a sequence its first mesh.
Shape first_shape(const Scene& scene, const ShapeSpec& spec, ShapeFiles& files);

/// All files that the pattern of a mesh_sequence names, counting from the first number that exists.
std::vector<std::filesystem::path> sequence_files(const Scene& scene, const ShapeSpec& spec);

}  // namespace phyxel
