#include <cmath>
#include <limits>
#include <unordered_map>

#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/vtk.h"
#include "phyxel/io/vtk_arrays.h"

namespace phyxel {

namespace {

void read_appended(const XmlDocument& document, const XmlNode& root, VtkEncoding& encoding) {
  const XmlNode* node = document.child(root, "AppendedData");
  if (!node) return;
  const std::size_t mark = node->text.find('_');
  if (mark == node->text.npos)
    refuse_file(encoding.file, "AppendedData has no '_'; the file is cut off");
  encoding.has_appended = true;
  encoding.appended = node->text.substr(mark + 1);
  encoding.appended_base64 = node->attribute("encoding", "base64") == "base64";
}

VtkEncoding read_encoding(const XmlDocument& document, std::string_view bytes,
                          const std::string& file) {
  const XmlNode& root = document.nodes[0];
  if (root.tag != "VTKFile")
    refuse_file(file, "not a VTK file: its root is " + in_quotes(root.tag));
  VtkEncoding encoding;
  encoding.file = file;
  encoding.text = bytes;
  encoding.swap_bytes = (root.attribute("byte_order") == "BigEndian") != host_is_big_endian;
  encoding.wide_header = root.attribute("header_type", "UInt32") == "UInt64";
  const std::string compressor = root.attribute("compressor");
  encoding.zlib = compressor == "vtkZLibDataCompressor";
  if (!compressor.empty() && !encoding.zlib)
    refuse_file(file, "compressed by " + in_quotes(compressor) +
                          ", which is not read; write it with zlib or uncompressed");
  read_appended(document, root, encoding);
  return encoding;
}

const XmlNode& read_dataset(const XmlDocument& document, const std::string& file) {
  const std::string type = document.nodes[0].attribute("type");
  if (type != "PolyData" && type != "UnstructuredGrid")
    refuse_file(file,
                "VTK type " + in_quotes(type) + " is not read; PolyData and UnstructuredGrid are");
  const XmlNode* dataset = document.child(document.nodes[0], type);
  if (!dataset) refuse_file(file, "has no element " + in_quotes(type));
  return *dataset;
}

void read_fields(const VtkEncoding& encoding, const XmlDocument& document, const XmlNode& dataset,
                 Frame& frame) {
  const XmlNode* fields = document.child(dataset, "FieldData");
  if (!fields) return;
  for (const std::size_t k : fields->children) {
    const XmlNode& node = document.nodes[k];
    const std::string name = node.attribute("Name");
    const bool time = name == "TimeValue" || name == "TIME";
    if (node.tag != "DataArray" || (!time && name != "FrameIndex")) continue;
    const double value = read_data_array(encoding, document, node, 1).number(0);
    if (time) frame.time = value;
    if (!time && std::abs(value) <= std::numeric_limits<int>::max())
      frame.index = static_cast<int>(value);
  }
}

std::size_t point_count(const XmlNode& piece, const std::string& file) {
  const auto n = parse_number<std::uint64_t>(piece.attribute("NumberOfPoints"));
  if (!n || *n > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    refuse_file(file, "NumberOfPoints = " + in_quotes(piece.attribute("NumberOfPoints")) +
                          " must be a number up to " +
                          std::to_string(std::numeric_limits<Index>::max()));
  return *n;
}

/// What the pieces read so far hold together.
struct Pieces {
  Frame frame;
  std::unordered_map<std::string, std::size_t> columns;  // of the frame, by name
  std::size_t bytes = 0;                                 // of all columns
};

/// Arrays may name the same bytes of the file again and again: what they hold together is limited
/// by its size, as a character or byte of it becomes eight bytes at most, after decompression.
void check_bytes(const Pieces& pieces, const VtkEncoding& encoding) {
  const std::size_t most = encoding.text.size() * 8 * (encoding.zlib ? max_zlib_ratio : 1);
  if (pieces.bytes > most)
    refuse_file(encoding.file, "its arrays hold more than " + std::to_string(most) +
                                   " bytes, more than the file can; they share their data");
}

/// Adds a piece's array behind what earlier pieces gave.
void append(FrameColumn column, Pieces& pieces, const VtkEncoding& encoding) {
  const std::string& file = encoding.file;
  Frame& frame = pieces.frame;
  pieces.bytes += column.data.size();
  check_bytes(pieces, encoding);
  const auto [known, added] = pieces.columns.try_emplace(column.name, frame.columns.size());
  if (added && frame.count > 0)
    refuse_file(file, "array " + in_quotes(column.name) + " is missing in an earlier piece");
  if (added) return frame.columns.push_back(std::move(column));
  FrameColumn& earlier = frame.columns[known->second];
  if (earlier.type != column.type || earlier.components != column.components)
    refuse_file(file, "array " + in_quotes(column.name) + " differs in type between pieces");
  earlier.data.insert(earlier.data.end(), column.data.begin(), column.data.end());
}

void read_piece(const VtkEncoding& encoding, const XmlDocument& document, const XmlNode& piece,
                Pieces& pieces) {
  const std::size_t count = point_count(piece, encoding.file);
  const XmlNode* points = document.child(piece, "Points");
  const XmlNode* array = points ? document.child(*points, "DataArray") : nullptr;
  if (!array) refuse_file(encoding.file, "a Piece has no Points");
  FrameColumn position = read_data_array(encoding, document, *array, count);
  position.name = "position";
  append(std::move(position), pieces, encoding);
  if (const XmlNode* data = document.child(piece, "PointData"))
    for (const std::size_t k : data->children)
      if (document.nodes[k].tag == "DataArray" &&
          document.nodes[k].attribute("Name") != "position")  // the Points are
        append(read_data_array(encoding, document, document.nodes[k], count), pieces, encoding);
  pieces.frame.count += count;
}

}  // namespace

Frame parse_vtk_xml(std::string_view bytes, const std::string& file) {
  const XmlDocument document = parse_xml(bytes, file, "AppendedData");
  const VtkEncoding encoding = read_encoding(document, bytes, file);
  const XmlNode& dataset = read_dataset(document, file);
  Pieces pieces;
  read_fields(encoding, document, dataset, pieces.frame);
  for (const std::size_t k : dataset.children)
    if (document.nodes[k].tag == "Piece") read_piece(encoding, document, document.nodes[k], pieces);
  finish_points(pieces.frame, file);
  return std::move(pieces.frame);
}

Frame read_vtk(const std::filesystem::path& path) {
  const std::string bytes = read_whole_file(path);
  const auto parse = extension_of(path) == ".vtk" ? &parse_vtk_legacy : &parse_vtk_xml;
  return parse(bytes, path.string());
}

}  // namespace phyxel
