#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "phyxel/core/column.h"

namespace phyxel {

/// One attribute of a frame's particles: a copy, so that it outlives the world it was taken from.
struct FrameColumn {
  std::string name;
  std::string unit;
  NumberType type = NumberType::float32;
  int components = 1;
  std::vector<std::byte> data;  // count * components numbers

  std::size_t element_size() const { return components * size_of(type); }
  /// Component `c` of element `i`, whatever the number type.
  double number(std::size_t i, int c = 0) const;
};

/// What a FrameSet is: points alone, the vertices of a mesh, the nodes of a regular grid, or the
/// discs of a surface (surfaces/surfels/surfel_set.h).
enum class SetKind { points, mesh, grid, surfels };

/// Something with a name beside the particles of a frame: the mesh of a cloth, a grid, a surface.
/// Its first column is `position` (3 components, m), relative to the origin of the frame; a grid
/// has none, its nodes are listed along x, then y, then z.
struct FrameSet {
  std::string name;
  SetKind kind = SetKind::points;
  std::size_t count = 0;                  // points, vertices or nodes
  std::vector<FrameColumn> columns = {};  // of each; `texture` (u, v) of vertices that have it
  std::vector<Int3> triangles = {};       // of a mesh, by vertex
  std::vector<Vec<Index, 2>> edges = {};  // of a mesh, by vertex; all there are of a line
  Int3 nodes = {0, 0, 0};                 // of a grid, along each axis
  Vec3d corner = Vec3d::zero();           // m, of a grid: its first node, relative to the origin
  Vec3d spacing = Vec3d::zero();          // m, of a grid

  const FrameColumn* find(const std::string& name_of_column) const;  // null when absent
};

/// What outputs, surfaces and pictures are made from: immutable columns in order of particle id,
/// and named sets beside them.
/// The first column is `position` (3 components, m), relative to `origin`; files hold the sum.
struct Frame {
  int index = 0;
  double time = 0;  // s
  std::size_t count = 0;
  std::vector<FrameColumn> columns;
  Vec3d origin = Vec3d::zero();  // m, where the zero of the positions lies in the world
  std::vector<FrameSet> sets = {};

  const FrameColumn* find(const std::string& name) const;   // null when absent
  const FrameSet* find_set(const std::string& name) const;  // null when absent
  Vec3 position(std::size_t i) const;                       // relative to origin
  Vec3d world_position(std::size_t i) const;
};

Column<Vec3> positions_of(const Frame& frame);

/// The position column as files have it: in the world, as double unless the origin is zero.
FrameColumn world_positions(const Frame& frame);

/// The same particles with positions relative to another origin.
Frame rebased(Frame frame, const Vec3d& origin);

/// A FrameColumn that copies `values`; T is a number or a Vec.
template <class T>
FrameColumn make_frame_column(std::string name, std::string unit, const T* values, std::size_t n) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  return {std::move(name), std::move(unit), number_type<typename ElementOf<T>::Number>(),
          ElementOf<T>::components, std::vector<std::byte>(bytes, bytes + n * sizeof(T))};
}

}  // namespace phyxel
