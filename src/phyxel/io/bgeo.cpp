#include <limits>
#include <set>
#include <zlib.h>

#include "phyxel/core/memory.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

/// Unpacks with zlib, whose memory is freed whatever happens.
class Unpacker {
 public:
  Unpacker(std::string_view packed, const std::string& file) : file_(file) {
    if (packed.size() > std::numeric_limits<uInt>::max())
      fail("packed files end at 4 GB; unpack it");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    constexpr int gzip = 16;
    if (inflateInit2(&stream_, gzip + MAX_WBITS) != Z_OK) fail("zlib has no memory for it");
  }
  ~Unpacker() { inflateEnd(&stream_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  std::string unpack(std::size_t most) {
    std::string bytes;
    for (int state = Z_OK; state != Z_STREAM_END;) {
      const std::size_t before = bytes.size(), more = std::max(before, std::size_t{1} << 16);
      if (before > most) fail("it unpacks to more than a quarter of the free memory");
      bytes.resize(before + more);
      stream_.next_out = reinterpret_cast<Bytef*>(bytes.data() + before);
      stream_.avail_out = static_cast<uInt>(std::min(more, std::size_t{1} << 30));
      const uInt room = stream_.avail_out;
      state = inflate(&stream_, Z_NO_FLUSH);
      bytes.resize(before + (room - stream_.avail_out));
      if (state != Z_OK && state != Z_STREAM_END) fail("what gzip packed is damaged or cut off");
    }
    return bytes;
  }

 private:
  [[noreturn]] void fail(const std::string& message) { throw InputError(Place{file_}, message); }

  std::string file_;
  z_stream stream_{};
};

struct Header {
  std::size_t points = 0;
  std::int32_t attributes = 0;
};

Header read_header(ByteReader& r) {
  const std::string_view magic = r.take(5, "the header");
  if (magic.starts_with("\x7fNSJ"))
    r.fail(
        "is a .bgeo of Houdini 12 or newer, which is not read; write .bhclassic, .ply or .csv "
        "there instead",
        0);
  if (magic != "BgeoV") r.fail("does not begin with 'BgeoV', as a classic .bgeo does", 0);
  if (const auto version = r.number<std::int32_t>("the version"); version != 5)
    r.fail("has version " + std::to_string(version) + "; 5 is read");
  Header header;
  const auto points = r.number<std::int32_t>("the number of points");
  for (int k = 0; k < 3; ++k) r.number<std::int32_t>("the numbers of primitives and groups");
  header.attributes = r.number<std::int32_t>("the number of point attributes");
  for (int k = 0; k < 3; ++k) r.number<std::int32_t>("the numbers of other attributes");
  if (points < 0 || header.attributes < 0) r.fail("has a negative number of points or attributes");
  header.points = static_cast<std::size_t>(points);
  return header;
}

std::string read_name(ByteReader& r) {
  return std::string(r.take(r.number<std::uint16_t>("the length of a name"), "a name"));
}

std::string our_name(const std::string& name) {
  if (name == "v") return "velocity";
  if (name == "Cd") return "colour";
  return name == "N" ? "normal" : name;
}

/// Name and type of an attribute; its numbers of four bytes lie in the points.
FrameColumn read_attribute(ByteReader& r) {
  const std::size_t where = r.at;
  FrameColumn column;
  column.name = our_name(read_name(r));
  column.components = r.number<std::uint16_t>("the size of an attribute");
  const auto type = r.number<std::int32_t>("the type of an attribute");
  constexpr std::int32_t reals = 0, integers = 1, words = 4, vectors = 5;
  if (type != reals && type != integers && type != words && type != vectors)
    r.fail("attribute " + in_quotes(column.name) + " has type " + std::to_string(type) +
               ", which is not read; delete it before writing",
           where);
  if (column.components == 0) r.fail("attribute " + in_quotes(column.name) + " is empty", where);
  column.type = type == reals || type == vectors ? NumberType::float32 : NumberType::int32;
  if (type == words)
    for (auto n = r.number<std::int32_t>("the number of words"); n > 0; --n) read_name(r);
  else
    r.take(4 * static_cast<std::size_t>(column.components), "the default of an attribute");
  return column;
}

std::vector<FrameColumn> read_attributes(ByteReader& r, std::int32_t count) {
  std::vector<FrameColumn> columns = {{"position", "m", NumberType::float32, 3, {}}};
  std::set<std::string> names = {"position"};
  for (std::int32_t k = 0; k < count; ++k) {
    columns.push_back(read_attribute(r));
    if (!names.insert(columns.back().name).second)
      r.fail("has the attribute " + in_quotes(columns.back().name) + " twice");
  }
  return columns;
}

/// Numbers of four bytes, from rows of `row` bytes.
void read_column(const char* from, std::size_t row, std::size_t points, bool swap_bytes,
                 FrameColumn& column) {
  column.data.resize(points * column.element_size());
  std::byte* to = column.data.data();
  for (std::size_t i = 0; i < points; ++i)
    for (int c = 0; c < column.components; ++c, to += 4) {
      const auto number =
          load_number<std::uint32_t>(from + i * row + 4 * std::size_t(c), swap_bytes);
      std::memcpy(to, &number, 4);
    }
}

Frame parse_plain(std::string_view bytes, const std::string& file) {
  ByteReader r{bytes, file, 0, !host_is_big_endian};
  const Header header = read_header(r);
  Frame frame;
  frame.count = header.points;
  frame.columns = read_attributes(r, header.attributes);
  constexpr std::size_t weight = 4;  // bytes behind the position
  std::size_t row = weight;
  for (const FrameColumn& column : frame.columns) row += column.element_size();
  if (header.points > r.left() / row)
    r.fail("is cut off: " + std::to_string(header.points) + " points of " + std::to_string(row) +
           " bytes do not fit into the " + std::to_string(r.left()) + " that follow");
  const char* from = r.take(header.points * row, "the points").data();
  for (FrameColumn& column : frame.columns) {
    read_column(from, row, header.points, r.swap_bytes, column);
    from += column.element_size() + (column.name == "position" ? weight : 0);
  }
  finish_points(frame, file);
  return frame;
}

}  // namespace

Frame parse_bgeo(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with("\x1f\x8b")) return parse_plain(bytes, file);
  const auto most = static_cast<std::size_t>(available_memory() / 4);
  return parse_plain(Unpacker(bytes, file).unpack(most), file);
}

}  // namespace phyxel
