#include "phyxel/io/hash.h"

#include <array>
#include <fstream>
#include <vector>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/file_numbers.h"

namespace phyxel {

namespace {

/// One-to-one in hash and word.
void mix(std::uint64_t& hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 29;
}

}  // namespace

std::uint64_t hash_of(std::string_view bytes) {
  std::array<std::uint64_t, 4> lane = {1, 2, 3, 4};  // as fast as memory
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32)
    for (std::size_t k = 0; k < 4; ++k)
      mix(lane[k], load_number<std::uint64_t>(bytes.data() + at + 8 * k, host_is_big_endian));
  for (; at < bytes.size(); ++at) mix(lane[0], static_cast<unsigned char>(bytes[at]));
  for (std::size_t k = 1; k < 4; ++k) mix(lane[0], lane[k]);
  mix(lane[0], bytes.size());
  return lane[0];
}

std::uint64_t hash_of_file(const std::filesystem::path& path) {
  const std::string why = why_not_readable(path);
  std::ifstream file;
  if (why.empty()) file.open(path, std::ios::binary);
  if (!file.is_open())
    throw InputError(Place{path.string()}, "cannot read" + (why.empty() ? "" : ": " + why));
  std::vector<char> piece(1 << 20);
  std::uint64_t hash = 0;
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    mix(hash, hash_of({piece.data(), static_cast<std::size_t>(file.gcount())}));
  if (file.bad()) throw InputError(Place{path.string()}, "cannot read all of it");
  return hash;
}

}  // namespace phyxel
