#pragma once

#include <string_view>

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

}  // namespace phyxel::render
