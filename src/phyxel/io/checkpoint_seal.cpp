#include "phyxel/io/checkpoint_seal.h"

#include <array>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/geometry/ply_elements.h"

namespace phyxel {

namespace {

/// 64 bits that change with any single changed byte: each step is one-to-one in lane and word.
/// Four lanes keep it as fast as memory.
std::uint64_t hash_of(std::string_view bytes) {
  std::array<std::uint64_t, 4> lane = {1, 2, 3, 4};
  const auto mix = [](std::uint64_t& h, std::uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  };
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32)
    for (std::size_t k = 0; k < 4; ++k)
      mix(lane[k], load_number<std::uint64_t>(bytes.data() + at + 8 * k, host_is_big_endian));
  for (; at < bytes.size(); ++at) mix(lane[0], static_cast<unsigned char>(bytes[at]));
  for (std::size_t k = 1; k < 4; ++k) mix(lane[0], lane[k]);
  mix(lane[0], bytes.size());
  return lane[0];
}

}  // namespace

std::string checkpoint_seal(std::string_view body) {
  std::string seal = fmt::format("phyxel checkpoint\nschema {}\nbytes {}\nhash {:016x}\n",
                                 checkpoint_schema, body.size(), hash_of(body));
  seal.resize(checkpoint_seal_size, '\0');
  return seal;
}

void refuse_checkpoint(const std::filesystem::path& path, const std::string& why) {
  throw InputError(Place{path.string()}, why + "; resume from an earlier checkpoint");
}

void check_checkpoint_seal(const std::filesystem::path& path) {
  const std::string bytes = read_whole_file(path);
  TextReader r{bytes, path.string()};
  if (r.line() != "phyxel checkpoint") refuse_checkpoint(path, "is not a phyxel checkpoint");
  r.word();
  const auto version = parse_number<std::int32_t>(r.word());
  if (version != checkpoint_schema)
    refuse_checkpoint(path, "has schema " + (version ? std::to_string(*version) : "?") +
                                ", this program reads " + std::to_string(checkpoint_schema));
  r.word();
  const auto size = parse_number<std::uint64_t>(r.word());
  const std::size_t there =
      bytes.size() > checkpoint_seal_size ? bytes.size() - checkpoint_seal_size : 0;
  if (!size || *size != there || there == 0)
    refuse_checkpoint(path,
                      "is cut off or damaged: " + std::to_string(there) + " bytes of content, " +
                          (size ? std::to_string(*size) : "an unknown number") + " were written");
  const std::string_view body = std::string_view(bytes).substr(checkpoint_seal_size);
  if (bytes.substr(0, checkpoint_seal_size) != checkpoint_seal(body))
    refuse_checkpoint(path, "is damaged: its content does not match its hash");
}

}  // namespace phyxel
