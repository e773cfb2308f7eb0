#pragma once

#include "phyxel/geometry/shape.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

class TomlTable;

/// { type = "box", size = [1, 1, 1] }, also { mesh = "file.obj" } and { particles = "file.xyz" }.
ShapeSpec read_shape(TomlTable& table);

/// The solid that a specification describes; reads meshes. Not for particles and mesh sequences.
Shape make_shape(const ShapeSpec& spec, const std::filesystem::path& folder);

/// The points of { particles = "file.xyz" }, where the shape puts them.
std::vector<Vec3> read_shape_points(const ShapeSpec& spec, const std::filesystem::path& folder);

/// The velocities that the file of { particles = "file.ply" } has, turned and scaled as its points;
/// empty when it has none.
std::vector<Vec3> read_shape_velocities(const ShapeSpec& spec, const std::filesystem::path& folder);

}  // namespace phyxel
