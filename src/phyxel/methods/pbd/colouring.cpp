#include "phyxel/methods/pbd/colouring.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "phyxel/core/error.h"

namespace phyxel::pbd {

namespace {

constexpr int words = 4;
using Colours = std::array<std::uint64_t, words>;  // a bit for each

Index lowest_free(const Colours& taken) {
  for (int w = 0; w < words; ++w)
    if (~taken[w] != 0) return static_cast<Index>(64 * w + std::countr_one(taken[w]));
  return -1;
}

}  // namespace

Colouring colour_greedily(const std::vector<Index>& vertices, int points, Index vertex_count) {
  std::vector<Colours> taken(vertex_count, Colours{});
  Colouring result;
  result.colour.resize(vertices.size() / points);
  for (std::size_t c = 0; c < result.colour.size(); ++c) {
    Colours near{};
    const Index* const corner = vertices.data() + c * points;
    for (int k = 0; k < points; ++k)
      for (int w = 0; w < words; ++w) near[w] |= taken[corner[k]][w];
    const Index colour = lowest_free(near);
    if (colour < 0)
      throw Error(
          "pbd.colouring: a particle has too many constraints for 256 colours; choose a "
          "larger spacing");
    for (int k = 0; k < points; ++k)
      taken[corner[k]][colour / 64] |= std::uint64_t{1} << (colour % 64);
    result.colour[c] = colour;
    result.count = std::max(result.count, colour + 1);
  }
  return result;
}

}  // namespace phyxel::pbd
