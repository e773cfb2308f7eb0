#include "phyxel/render/text.h"

#include <algorithm>
#include <cmath>

namespace phyxel::render {
namespace {

// Between the pens of neighbouring letters, font units.
constexpr float letter_gap = 4.4f;

/// Takes one character off the front of UTF-8 text; a broken sequence gives U+FFFD.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  char32_t character = first & (0x3f >> more);
  for (int k = 0; k < more; ++k) {
    if (text.empty() || (text.front() & 0xc0) != 0x80) return 0xfffd;
    character = character << 6 | (text.front() & 0x3f);
    text.remove_prefix(1);
  }
  return more > 0 ? character : 0xfffd;
}

float distance_to_segment(const Vec2f& p, const Vec2f& a, const Vec2f& b) {
  const Vec2f ab = b - a, ap = p - a;
  const float l2 = dot(ab, ab);
  const float t = l2 > 0 ? std::clamp(dot(ap, ab) / l2, 0.0f, 1.0f) : 0.0f;
  return length(ap - ab * t);
}

float distance_to_strokes(const Glyph& g, const Vec2f& p) {
  float nearest = 1e9f;
  for (const auto& line : g.strokes)
    for (std::size_t k = 0; k + 1 < line.size(); ++k)
      nearest = std::min(nearest, distance_to_segment(p, line[k], line[k + 1]));
  return nearest;
}

/// Thickness of the pen in pixels; thin text keeps enough ink to be read.
float pen_width(const TextStyle& style) {
  return std::max(style.size * 0.125f, 1.15f) * style.weight;
}

void draw_glyph(Image& image, float x, float y, const Glyph& g, const TextStyle& style) {
  const float unit = style.size / font_capital_height, half = pen_width(style) / 2;
  const int left = static_cast<int>(std::floor(x - half - 1));
  const int right = static_cast<int>(std::ceil(x + g.width * unit + half + 1));
  const int top = static_cast<int>(std::floor(y - 16 * unit - half - 1));
  const int bottom = static_cast<int>(std::ceil(y + 5 * unit + half + 1));
  for (int j = top; j <= bottom; ++j)
    for (int i = left; i <= right; ++i) {
      const Vec2f p{(static_cast<float>(i) + 0.5f - x) / unit,
                    (y - static_cast<float>(j) - 0.5f) / unit};
      const float ink = half - distance_to_strokes(g, p) * unit + 0.5f;
      blend(image, i, j, style.colour, style.opacity * std::clamp(ink, 0.0f, 1.0f));
    }
}

}  // namespace

void draw_text(Image& image, float x, float y, std::string_view text, const TextStyle& style) {
  while (!text.empty()) {
    const Glyph& g = glyph(take_character(text));
    draw_glyph(image, x, y, g, style);
    x += (g.width + letter_gap) * style.size / font_capital_height;
  }
}

float text_width(std::string_view text, const TextStyle& style) {
  float width = 0;
  for (bool first = true; !text.empty(); first = false)
    width += glyph(take_character(text)).width + (first ? 0 : letter_gap);
  return width * style.size / font_capital_height;
}

}  // namespace phyxel::render
