#include <fmt/format.h>
#include <numeric>

#include "phyxel/geometry/ply_elements.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file.h"
#include "phyxel/io/vtk.h"
#include "phyxel/io/xml.h"

namespace phyxel {

namespace {

const char* vtk_type_name(NumberType type) {
  switch (type) {
    case NumberType::float32:
      return "Float32";
    case NumberType::float64:
      return "Float64";
    case NumberType::int32:
      return "Int32";
    case NumberType::uint32:
      return "UInt32";
    case NumberType::uint8:
      return "UInt8";
  }
  return "";
}

/// The XML part and, in the order of their offsets, the arrays that follow it.
struct VtpFile {
  std::string xml;
  std::vector<const FrameColumn*> blocks;
  std::uint64_t offset = 0;

  void array(const FrameColumn& column, const std::string& name) {
    xml += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"",
        vtk_type_name(column.type), xml_escaped(name), column.components, offset);
    if (column.unit.empty())
      xml += "/>\n";
    else
      xml += fmt::format(
          "><InformationKey name=\"UNITS_LABEL\" "
          "location=\"vtkDataArray\">{}</InformationKey></DataArray>\n",
          xml_escaped(column.unit));
    blocks.push_back(&column);
    offset += sizeof(std::uint64_t) + column.data.size();
  }
};

FrameColumn counting_from(std::int32_t first, std::size_t count) {
  std::vector<std::int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return make_frame_column("", "", numbers.data(), count);
}

void write_opening(const Frame& frame, VtpFile& file) {
  file.xml = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n"
      "<DataArray type=\"Int32\" Name=\"FrameIndex\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n</FieldData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
      frame.time, frame.index, frame.count, frame.count);
}

void write_blocks(const VtpFile& content, FileWriter& file) {
  file.write("<AppendedData encoding=\"raw\">\n_");
  for (const FrameColumn* column : content.blocks) {
    const std::uint64_t size = column->data.size();
    file.write(&size, sizeof size);
    file.write(column->data.data(), column->data.size());
  }
  file.write("\n</AppendedData>\n</VTKFile>\n");
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const Frame& frame) {
  static_assert(!host_is_big_endian, "columns are written as they lie in memory");
  check_frame(frame, path.string());
  const FrameColumn connectivity = counting_from(0, frame.count);
  const FrameColumn offsets = counting_from(1, frame.count);
  VtpFile content;
  write_opening(frame, content);
  content.xml += "<PointData>\n";
  for (std::size_t k = 1; k < frame.columns.size(); ++k)
    content.array(frame.columns[k], frame.columns[k].name);
  content.xml += "</PointData>\n<Points>\n";
  content.array(frame.columns[0], "Points");
  content.xml += "</Points>\n<Verts>\n";
  content.array(connectivity, "connectivity");
  content.array(offsets, "offsets");
  content.xml += "</Verts>\n</Piece>\n</PolyData>\n";
  write_atomically(path, [&](FileWriter& file) {
    file.write(content.xml);
    write_blocks(content, file);
  });
}

}  // namespace phyxel
