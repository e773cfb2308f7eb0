#include "phyxel/matter/colour.h"

#include <algorithm>

namespace phyxel {

bool is_colour(const FrameColumn& column) {
  return column.name == "colour" && (column.components == 3 || column.components == 4);
}

float colour_code(const FrameColumn& colour, std::size_t i, int c) {
  const bool floating = colour.type == NumberType::float32 || colour.type == NumberType::float64;
  const double value = colour.number(i, c) / (floating ? 1 : 255);
  return value > 0 ? static_cast<float>(std::min(value, 1.0)) : 0.0f;  // not a number: black
}

FrameColumn code_values(const FrameColumn& colour) {
  const std::size_t n = colour.data.size() / colour.element_size();
  std::vector<float> codes;
  codes.reserve(n * colour.components);
  for (std::size_t i = 0; i < n; ++i)
    for (int c = 0; c < colour.components; ++c) codes.push_back(colour_code(colour, i, c));
  FrameColumn column = make_frame_column(colour.name, colour.unit, codes.data(), codes.size());
  column.components = colour.components;
  return column;
}

}  // namespace phyxel
