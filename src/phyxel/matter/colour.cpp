#include "phyxel/matter/colour.h"

#include <algorithm>
#include <cmath>

namespace phyxel {

bool is_colour(const FrameColumn& column) {
  return column.name == "colour" && (column.components == 3 || column.components == 4);
}

float colour_code(const FrameColumn& colour, std::size_t i, int c) {
  const bool floating = colour.type == NumberType::float32 || colour.type == NumberType::float64;
  const double value = colour.number(i, c) / (floating ? 1 : 255);
  return value > 0 ? static_cast<float>(std::min(value, 1.0)) : 0.0f;  // not a number: black
}

float light_of_code(float code) {
  const float x = std::clamp(code, 0.0f, 1.0f);
  return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
}

float code_of_light(float light) {
  const float x = std::clamp(light, 0.0f, 1.0f);
  return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
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
