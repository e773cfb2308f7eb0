#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include "phyxel/core/file.h"
#include "phyxel/matter/frame.h"

// The vertices of binary PLY files, of particles and of meshes.

namespace phyxel {

/// A column of `vertex`, one property per component; a non-owning view of the numbers.
struct PlyRowColumn {
  std::string name, unit;
  std::vector<std::string> properties;
  NumberType type = NumberType::float32;
  const std::byte* data = nullptr;

  std::size_t element_size() const { return properties.size() * size_of(type); }
};

/// With component_names as properties. PLY has no whole numbers of 64 bits: `made` gets them as
/// uint, or where they do not fit as double, which is exact up to 2^53.
PlyRowColumn as_ply_rows(const FrameColumn& column, std::list<FrameColumn>& made);

/// "comment unit velocity m/s", one line for each column that has a unit.
std::string ply_unit_comments(const std::vector<PlyRowColumn>& columns);

/// "element vertex 7" and its properties.
std::string ply_vertex_header(const std::vector<PlyRowColumn>& columns, std::size_t count);

void write_ply_rows(const std::vector<PlyRowColumn>& columns, std::size_t count, FileWriter& file);

}  // namespace phyxel
