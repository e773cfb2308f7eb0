#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "phyxel/io/file_numbers.h"
#include "phyxel/io/xml.h"
#include "phyxel/matter/frame.h"

namespace phyxel {

/// zlib's deflate never shrinks more than this: a larger claim lies.
constexpr std::uint64_t max_zlib_ratio = 1032;

/// How the arrays of a VTK XML file are packed.
struct VtkEncoding {
  std::string file;           // name for messages
  std::string_view text;      // the whole file
  bool swap_bytes = false;    // numbers in the other byte order
  bool wide_header = false;   // sizes in front of blocks have 8 bytes instead of 4
  bool zlib = false;          // blocks are compressed
  std::string_view appended;  // what follows the '_' of AppendedData
  bool has_appended = false;
  bool appended_base64 = false;
};

/// A number type by its name in XML ("Float32") or legacy files ("unsigned_char").
std::optional<FileNumber> vtk_number(std::string_view name);

/// A DataArray element with `tuples` elements: ascii, inline base64 or appended.
FrameColumn read_data_array(const VtkEncoding& encoding, const XmlDocument& document,
                            const XmlNode& node, std::size_t tuples);

/// int32 instead of float64 for what was a 64-bit integer in the file, where all values fit.
void narrow_integers(FrameColumn& column);

/// Bytes of base64 text: the first `size` of them, InputError when the text ends before.
std::string decode_base64(std::string_view text, std::size_t size, const std::string& file);

}  // namespace phyxel
