#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "phyxel/core/file.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/set_write.h"
#include "phyxel/io/surface_data.h"
#include "phyxel/io/vtk.h"
#include "phyxel/io/xml.h"

namespace phyxel {

namespace {

// By NumberType.
constexpr const char* vtk_types[] = {"Float32", "Float64", "Int32", "UInt32", "UInt8", "UInt64"};

/// An array of the file; a non-owning view of the numbers.
struct VtpArray {
  std::string name, unit;
  NumberType type = NumberType::float32;
  int components = 1;
  std::span<const std::byte> data;
};

VtpArray as_array(const std::string& name, const FrameColumn& column) {
  return {name, column.unit, column.type, column.components, column.data};
}

template <class T>
VtpArray as_array(const std::string& name, const std::vector<T>& values) {
  return {name, "", number_type<typename ElementOf<T>::Number>(), ElementOf<T>::components,
          std::as_bytes(std::span(values))};
}

/// The XML part and, in the order of their offsets, the arrays that follow it.
struct VtpFile {
  std::string xml;
  std::vector<std::span<const std::byte>> blocks;
  std::uint64_t offset = 0;

  void array(const VtpArray& array) {
    xml += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"",
        vtk_types[int(array.type)], xml_escaped(array.name), array.components, offset);
    if (array.unit.empty())
      xml += "/>\n";
    else
      xml += fmt::format(
          "><InformationKey name=\"UNITS_LABEL\" "
          "location=\"vtkDataArray\">{}</InformationKey></DataArray>\n",
          xml_escaped(array.unit));
    blocks.push_back(array.data);
    offset += sizeof(std::uint64_t) + array.data.size();
  }
};

/// first, first + step, ...
std::vector<std::int32_t> counting(std::int32_t first, std::int32_t step, std::size_t count) {
  std::vector<std::int32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = first + step * static_cast<std::int32_t>(i);
  return numbers;
}

const char* const vtp_root =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
    "header_type=\"UInt64\">\n<PolyData>\n";

std::string vtp_piece(std::size_t points, std::size_t vertices, std::size_t lines,
                      std::size_t triangles) {
  return fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
      points, vertices, lines, triangles);
}

std::string vtp_fields(const Frame& frame) {
  return fmt::format(
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n"
      "<DataArray type=\"Int32\" Name=\"FrameIndex\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n</FieldData>\n",
      frame.time, frame.index);
}

void write_vtk_file(const std::filesystem::path& path, const std::string& type,
                    const VtpFile& content) {
  static_assert(!host_is_big_endian, "columns are written as they lie in memory");
  write_atomically(path, [&](FileWriter& file) {
    file.write(content.xml + "</Piece>\n</" + type + ">\n<AppendedData encoding=\"raw\">\n_");
    for (const std::span<const std::byte> block : content.blocks) {
      const std::uint64_t size = block.size();
      file.write(&size, sizeof size);
      file.write(block.data(), block.size());
    }
    file.write("\n</AppendedData>\n</VTKFile>\n");
  });
}

void write_vtp_file(const std::filesystem::path& path, const VtpFile& content) {
  write_vtk_file(path, "PolyData", content);
}

std::string vti_root(const FrameSet& grid, const Vec3d& corner) {
  const Int3& n = grid.nodes;
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", n[0] - 1, n[1] - 1, n[2] - 1);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "<ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} {3}\" Spacing=\"{4} {5} {6}\">\n"
      "<Piece Extent=\"{0}\">\n",
      extent, corner[0], corner[1], corner[2], grid.spacing[0], grid.spacing[1], grid.spacing[2]);
}

/// Error unless a grid has nodes, and every column a value for each.
void check_grid(const FrameSet& grid, const std::string& file) {
  const std::size_t nodes = std::size_t(std::max<Index>(grid.nodes[0], 0)) *
                            std::size_t(std::max<Index>(grid.nodes[1], 0)) *
                            std::size_t(std::max<Index>(grid.nodes[2], 0));
  if (nodes == 0 || nodes != grid.count)
    throw Error(Place{file},
                fmt::format("grid {} has {} nodes, {} by {} by {} are {}", grid.name, grid.count,
                            grid.nodes[0], grid.nodes[1], grid.nodes[2], nodes));
  for (const FrameColumn& column : grid.columns)
    if (column.data.size() != nodes * column.element_size())
      throw Error(Place{file}, fmt::format("column {} of grid {} has not one value for each node",
                                           column.name, grid.name));
}

/// Names the arrays that VTK shades with.
std::string active_point_data(const SurfaceMesh& surface) {
  std::string tag = "<PointData";
  if (!surface.normals.empty()) tag += " Normals=\"normal\"";
  if (!surface.texture.empty()) tag += " TCoords=\"texture\"";
  return tag + ">\n";
}

void add_point_data(const SurfaceMesh& surface, VtpFile& content) {
  content.xml += active_point_data(surface);
  if (!surface.normals.empty()) content.array(as_array("normal", surface.normals));
  if (!surface.texture.empty()) content.array(as_array("texture", surface.texture));
  for (const FrameColumn& column : surface.attributes) content.array(as_array(column.name, column));
  content.xml += "</PointData>\n";
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const Frame& frame,
               const std::vector<Vec<Index, 2>>& lines) {
  check_frame(frame, path.string());
  if (lines.size() > std::numeric_limits<std::int32_t>::max() / 2)
    throw Error(Place{path.string()},
                std::to_string(lines.size()) + " lines are too many for .vtp; write fewer");
  const auto connectivity = counting(0, 1, frame.count), offsets = counting(1, 1, frame.count);
  const auto line_offsets = counting(2, 2, lines.size());
  VtpArray ends = as_array("connectivity", lines);
  ends.components = 1;
  const FrameColumn places = world_positions(frame);
  VtpFile content;
  content.xml = vtp_root + vtp_fields(frame) + vtp_piece(frame.count, frame.count, lines.size(), 0);
  content.xml += "<PointData>\n";
  for (std::size_t k = 1; k < frame.columns.size(); ++k)
    content.array(as_array(frame.columns[k].name, frame.columns[k]));
  content.xml += "</PointData>\n<Points>\n";
  content.array(as_array("Points", places));
  content.xml += "</Points>\n<Verts>\n";
  content.array(as_array("connectivity", connectivity));
  content.array(as_array("offsets", offsets));
  content.xml += "</Verts>\n";
  if (!lines.empty()) {
    content.xml += "<Lines>\n";
    content.array(ends);
    content.array(as_array("offsets", line_offsets));
    content.xml += "</Lines>\n";
  }
  write_vtp_file(path, content);
}

void write_vti(const std::filesystem::path& path, const FrameSet& grid, const Vec3d& origin) {
  check_grid(grid, path.string());
  VtpFile content;
  content.xml = vti_root(grid, origin + grid.corner) + "<PointData>\n";
  for (const FrameColumn& column : grid.columns) content.array(as_array(column.name, column));
  content.xml += "</PointData>\n";
  write_vtk_file(path, "ImageData", content);
}

void write_vtp(const std::filesystem::path& path, const SurfaceMesh& surface) {
  check_surface(surface, path.string());
  const TriangleMesh& mesh = surface.mesh;
  if (mesh.triangles.size() > std::numeric_limits<std::int32_t>::max() / 3)
    throw Error(Place{path.string()}, std::to_string(mesh.triangles.size()) +
                                          " triangles are too many for .vtp; write .ply");
  const auto offsets = counting(3, 3, mesh.triangles.size());
  VtpArray corners = as_array("connectivity", mesh.triangles);
  corners.components = 1;
  const bool far = !(surface.origin == Vec3d::zero());
  const std::vector<Vec3d> places = far ? world_vertices(surface) : std::vector<Vec3d>{};
  VtpFile content;
  content.xml = vtp_root + vtp_piece(mesh.vertices.size(), 0, 0, mesh.triangles.size());
  add_point_data(surface, content);
  content.xml += "<Points>\n";
  content.array(far ? as_array("Points", places) : as_array("Points", mesh.vertices));
  content.xml += "</Points>\n<Polys>\n";
  content.array(corners);
  content.array(as_array("offsets", offsets));
  content.xml += "</Polys>\n";
  write_vtp_file(path, content);
}

}  // namespace phyxel
