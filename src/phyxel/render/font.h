#pragma once

#include <string_view>
#include <vector>

#include "phyxel/render/sampling.h"

namespace phyxel::render {

/// Height of capitals in font units; small letters are 10 high and reach 4 below the line.
inline constexpr float font_capital_height = 14;

/// Lines of a pen with a round tip, in font units from the left end of the base line.
struct Glyph {
  float width = 0;  // between the outermost pen positions
  std::vector<std::vector<Vec2f>> strokes;
};

/// Printable ASCII and the signs of units: degree, squared, cubed, micro, dot, times. Anything else
/// is an empty box.
const Glyph& glyph(char32_t character);

}  // namespace phyxel::render
