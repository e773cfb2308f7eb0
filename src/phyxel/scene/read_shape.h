#pragma once

#include <array>

#include "phyxel/geometry/shape.h"
#include "phyxel/matter/frame.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

class TomlTable;

/// { type = "box", size = [1, 1, 1] }, also { mesh = "file.obj" } and { particles = "file.xyz" }.
ShapeSpec read_shape(TomlTable& table);

/// The files that shapes name, each read once, however many bodies name it.
struct ShapeFiles {
  /// A file and the size that the shape gives to it.
  using Sized = std::pair<std::string, std::array<Real, 3>>;
  std::filesystem::path folder;  // names are relative to it
  std::map<std::string, std::shared_ptr<const MeshDistance>> meshes = {};
  std::map<Sized, std::shared_ptr<const Heightfield>> heightfields = {};
  std::map<std::string, std::shared_ptr<const Frame>> points = {};  // of small files
};

/// The file that a shape names; throws InputError where there is none.
std::filesystem::path shape_file(const ShapeSpec& spec, const std::filesystem::path& folder);

/// The solid that a specification describes; reads meshes. Not for particles and mesh sequences.
Shape make_shape(const ShapeSpec& spec, ShapeFiles& files);

/// The points of { particles = "file.xyz" }, where the shape puts them.
std::vector<Vec3> read_shape_points(const ShapeSpec& spec, ShapeFiles& files);

/// The box around these points, in double: files may lie far from where float is precise.
BoundsOf<double> bounds_of_points(const ShapeSpec& spec, ShapeFiles& files);

/// The velocities that the file of { particles = "file.ply" } has, turned and scaled as its points;
/// empty when it has none.
std::vector<Vec3> read_shape_velocities(const ShapeSpec& spec, ShapeFiles& files);

}  // namespace phyxel
