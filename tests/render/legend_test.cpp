#include "phyxel/render/legend.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "phyxel/render/text.h"

using namespace phyxel::render;

namespace {

struct Ink {
  int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
  double amount = 0;
};

/// Where a white image was darkened.
Ink ink_of(const Image& image) {
  Ink ink;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const float dark = 1 - luminance(image.at(x, y));
      if (dark < 0.02f) continue;
      ink.left = std::min(ink.left, x), ink.right = std::max(ink.right, x);
      ink.top = std::min(ink.top, y), ink.bottom = std::max(ink.bottom, y);
      ink.amount += dark;
    }
  return ink;
}

const Image paper(200, 60, {1, 1, 1});
const TextStyle black{14, {0, 0, 0}, 1, 1};

}  // namespace

TEST_CASE("text_puts_ink_between_base_line_and_capital_height") {
  Image image = paper;
  draw_text(image, 20, 40, "HIT", black);
  const Ink ink = ink_of(image);
  const float width = text_width("HIT", black);
  // The pen is two pixels wide: ink reaches one pixel and its antialiasing beyond the pen's path.
  CHECK(ink.left >= 18);
  CHECK(ink.left <= 20);
  CHECK(ink.right >= static_cast<int>(20 + width) - 1);
  CHECK(ink.right <= static_cast<int>(20 + width) + 2);
  CHECK(ink.top >= 24);
  CHECK(ink.top <= 26);
  CHECK(ink.bottom >= 39);
  CHECK(ink.bottom <= 41);
}

TEST_CASE("descenders_reach_below_the_line_and_blanks_leave_no_ink") {
  Image image = paper;
  draw_text(image, 20, 40, "g", black);
  CHECK(ink_of(image).bottom > 42);
  Image blank = paper;
  draw_text(blank, 20, 40, "   ", black);
  CHECK(ink_of(blank).amount == 0);
}

TEST_CASE("every_printable_character_has_its_own_drawing") {
  std::vector<std::vector<Colour>> seen;
  for (char32_t c = U'!'; c <= U'~'; ++c) {
    CAPTURE(static_cast<int>(c));
    CHECK(&glyph(c) != &glyph(0x2603));
    Image image(40, 40, {1, 1, 1});
    draw_text(image, 10, 25, std::string(1, static_cast<char>(c)), black);
    CHECK(ink_of(image).amount > 2);
    CHECK(std::find(seen.begin(), seen.end(), image.pixels) == seen.end());
    seen.push_back(image.pixels);
  }
}

TEST_CASE("unit_signs_are_read_as_utf8_and_broken_text_is_harmless") {
  CHECK(text_width("m\u00b2", black) > text_width("m", black));
  CHECK(text_width("\u00b0", black) < text_width("\u2603", black));
  Image image = paper;
  draw_text(image, 20, 40, "\xc2", black);
  draw_text(image, 60, 40, "\xff\xfe", black);
  draw_text(image, 190, 40, "runs off the edge", black);
  CHECK(ink_of(image).right == 199);
}

TEST_CASE("bold_text_carries_more_ink") {
  Image regular = paper, bold = paper;
  TextStyle style = black;
  draw_text(regular, 20, 40, "beam", style);
  style.weight = 1.5f;
  draw_text(bold, 20, 40, "beam", style);
  CHECK(ink_of(bold).amount > 1.25 * ink_of(regular).amount);
}

TEST_CASE("legend_numbers_are_as_short_as_the_range_allows") {
  using Three = std::array<std::string, 3>;
  CHECK(legend_numbers(0, 1) == Three{"0.0", "0.5", "1.0"});
  CHECK(legend_numbers(0, 2) == Three{"0", "1", "2"});
  CHECK(legend_numbers(0.0173, 0.9712) == Three{"0.02", "0.49", "0.97"});
  CHECK(legend_numbers(-20, 80) == Three{"-20", "30", "80"});
  CHECK(legend_numbers(17.2, 953.9) == Three{"17", "486", "954"});
  CHECK(legend_numbers(1000.1, 1000.9) == Three{"1000.1", "1000.5", "1000.9"});
  CHECK(legend_numbers(0, 2.0e6) == Three{"0", "1.0e+06", "2.0e+06"});
  CHECK(legend_numbers(-0.001, 10)[0] == "0");
  CHECK(legend_numbers(3, 3)[2] == "3");
}

TEST_CASE("the_legend_shows_the_colour_map_from_foot_to_top") {
  Image image(960, 540, {1, 1, 1});
  const ColourMap& map = find_colour_map("viridis");
  draw_legend(image, {map, "speed", "m/s", 0, 1});
  const Colour low = sample(map, 0.5f / 150), high = sample(map, 149.5f / 150);
  int lows = 0, highs = 0, y_low = 0, y_high = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 480; x < image.width; ++x) {
      if (length(image.at(x, y) - low) < 1e-3f) ++lows, y_low = y;
      if (length(image.at(x, y) - high) < 1e-3f) ++highs, y_high = y;
    }
  CHECK(lows >= 10);
  CHECK(highs >= 10);
  CHECK(y_low - y_high == 149);
  for (int x = 0; x < 700; ++x) CHECK(image.at(x, 300) == Colour{1, 1, 1});
}

TEST_CASE("captions_and_names_can_be_read_on_dark_pictures") {
  Image image(480, 270, {0.01f, 0.01f, 0.01f});
  draw_caption(image, "falling_beam", "t = 0.48 s");
  draw_legend(image, {{"beam", body_colour(0)}, {"ball", body_colour(1)}});
  float lightest_caption = 0, lightest_names = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      float& l = x < 240 && y > 200 ? lightest_caption : lightest_names;
      l = std::max(l, luminance(image.at(x, y)));
    }
  CHECK(lightest_caption > 0.5f);
  CHECK(lightest_names > 0.5f);
}
