#pragma once

#include <string_view>
#include <vector>

#include "phyxel/render/image.h"

namespace phyxel::render {

struct TextStyle {
  float size = 10;  // height of capitals, pixels
  Colour colour{0.02f, 0.02f, 0.03f};
  float opacity = 1;
  float weight = 1;  // thickness of the pen; 1 regular, 1.5 bold
};

/// Writes UTF-8 text with its left end at x on the base line y, both in pixels from the top left.
void draw_text(Image& image, float x, float y, std::string_view text, const TextStyle& style = {});

/// Pixels from the left end of the first letter to the right end of the last.
float text_width(std::string_view text, const TextStyle& style = {});

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
