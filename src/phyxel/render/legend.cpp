#include "phyxel/render/legend.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/render/text.h"

namespace phyxel::render {
namespace {

/// Sizes for a picture of this height; designed at 540 pixels.
struct Layout {
  float unit;
  TextStyle text;
  TextStyle quiet;
};

float mean_luminance(const Image& image, int left, int top, int right, int bottom) {
  double sum = 0;
  int count = 0;
  for (int y = std::max(0, top); y < std::min(image.height, bottom); ++y)
    for (int x = std::max(0, left); x < std::min(image.width, right); ++x, ++count)
      sum += luminance(image.at(x, y));
  return count > 0 ? static_cast<float>(sum / count) : 1;
}

struct Panel {
  float left, top, width, height;
};

/// A veil that keeps what is written on it legible, and ink that suits what lies below.
Layout open_panel(Image& image, const Panel& p, float unit) {
  const bool light = mean_luminance(image, static_cast<int>(p.left), static_cast<int>(p.top),
                                    static_cast<int>(p.left + p.width),
                                    static_cast<int>(p.top + p.height)) > 0.18f;
  const Colour paper = light ? Colour{1, 1, 1} : Colour{0.01f, 0.01f, 0.012f};
  const Colour ink = light ? colour_from_hex(0x22262c) : colour_from_hex(0xf0f2f5);
  draw_rectangle(image, p.left, p.top, p.width, p.height, paper, 0.45f, 7 * unit);
  return {unit, {9.5f * unit, ink, 1, 1}, {9.5f * unit, ink, 0.72f, 1}};
}

float unit_of(const Image& image) {
  return static_cast<float>(image.height) / 540;
}

std::string title_of(const Legend& legend) {
  return legend.unit.empty() ? legend.title : legend.title + " (" + legend.unit + ")";
}

/// The bar with the value `low` at its foot.
void draw_bar(Image& image, const ColourMap& map, float left, float top, float width,
              float height) {
  const int rows = static_cast<int>(std::lround(height));
  for (int k = 0; k < rows; ++k) {
    const float t = 1 - (static_cast<float>(k) + 0.5f) / static_cast<float>(rows);
    draw_rectangle(image, left, std::round(top) + static_cast<float>(k), width, 1, sample(map, t));
  }
}

std::string without_last_zero(const std::string& s) {
  return s.substr(0, s.size() - (s[s.size() - 2] == '.' ? 2 : 1));
}

bool is_zero(const std::string& s) {
  return s.find_first_of("123456789") == std::string::npos;
}

}  // namespace

std::array<std::string, 3> legend_numbers(double low, double high) {
  const double values[3] = {low, (low + high) / 2, high};
  const double range = std::abs(high - low), largest = std::max(std::abs(low), std::abs(high));
  std::array<std::string, 3> text;
  if (!std::isfinite(range) || largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    for (int k = 0; k < 3; ++k) text[k] = values[k] == 0 ? "0" : fmt::format("{:.1e}", values[k]);
    return text;
  }
  const double scale = range > 0 ? range : std::max(largest, 1.0);
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(scale))), 0, 9);
  for (int k = 0; k < 3; ++k) text[k] = fmt::format("{:.{}f}", values[k], decimals);
  const auto ends_in_zero = [](const std::string& s) {
    return s.find('.') != std::string::npos && s.back() == '0';
  };
  while (std::all_of(text.begin(), text.end(), ends_in_zero))
    for (std::string& s : text) s = without_last_zero(s);
  for (std::string& s : text)
    if (s[0] == '-' && is_zero(s)) s.erase(0, 1);
  return text;
}

void draw_legend(Image& image, const Legend& legend) {
  const float u = unit_of(image), bar_height = 150 * u, bar_width = 12 * u, pad = 12 * u;
  const auto numbers = legend_numbers(legend.low, legend.high);
  const std::string title = title_of(legend);
  const TextStyle measure{9.5f * u, {}, 1, 1};
  float widest = text_width(title, measure);
  for (const std::string& n : numbers)
    widest = std::max(widest, bar_width + 8 * u + text_width(n, measure));
  const Panel panel{static_cast<float>(image.width) - widest - 2 * pad - 14 * u, 14 * u,
                    widest + 2 * pad, bar_height + 2 * pad + 23 * u};
  const Layout layout = open_panel(image, panel, u);
  const float left = panel.left + pad, top = std::round(panel.top + pad + 23 * u);
  draw_text(image, left, panel.top + pad + 9.5f * u, title, layout.text);
  draw_bar(image, legend.map, left, top, bar_width, bar_height);
  for (int k = 0; k < 3; ++k) {
    const float y = top + bar_height * (1 - 0.5f * static_cast<float>(k));
    const float inset = (1 - static_cast<float>(k)) * 4.75f * u;  // keeps the ends beside the bar
    draw_text(image, left + bar_width + 8 * u, y + 4.75f * u - inset, numbers[k], layout.quiet);
  }
}

void draw_legend(Image& image, const std::vector<std::pair<std::string, Colour>>& entries) {
  const float u = unit_of(image), pad = 12 * u, row = 20 * u, swatch = 10 * u;
  float widest = 0;
  for (const auto& [name, colour] : entries)
    widest = std::max(widest, text_width(name, {9.5f * u, {}, 1, 1}));
  const float width = widest + swatch + 8 * u + 2 * pad;
  const Panel panel{static_cast<float>(image.width) - width - 14 * u, 14 * u, width,
                    row * static_cast<float>(entries.size()) - 10 * u + 2 * pad};
  const Layout layout = open_panel(image, panel, u);
  float y = panel.top + pad;
  for (const auto& [name, colour] : entries) {
    draw_rectangle(image, panel.left + pad, y, swatch, swatch, colour, 1, swatch / 2);
    draw_text(image, panel.left + pad + swatch + 8 * u, y + 9.75f * u, name, layout.text);
    y += row;
  }
}

void draw_caption(Image& image, const std::string& title, const std::string& detail) {
  const float u = unit_of(image), pad = 10 * u, gap = detail.empty() ? 0 : 12 * u;
  TextStyle bold{9.5f * u, {}, 1, 1.35f};
  const float title_width = text_width(title, bold);
  const float width = title_width + gap + text_width(detail, bold) + 2 * pad;
  const float height = 9.5f * u + 2 * pad;
  const Panel panel{14 * u, static_cast<float>(image.height) - height - 14 * u, width, height};
  const Layout layout = open_panel(image, panel, u);
  bold.colour = layout.text.colour;
  const float base = panel.top + pad + 9.5f * u;
  draw_text(image, panel.left + pad, base, title, bold);
  draw_text(image, panel.left + pad + title_width + gap, base, detail, layout.quiet);
}

}  // namespace phyxel::render
