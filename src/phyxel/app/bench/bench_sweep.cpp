#include "phyxel/app/bench/bench_sweep.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/render/colour_map.h"
#include "phyxel/render/legend.h"
#include "phyxel/render/text.h"

namespace phyxel {

using render::Colour;
using render::Image;

std::size_t parse_count(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string suffix(rest, end);
  number *= suffix == "k" ? 1e3 : suffix == "M" ? 1e6 : 1;
  const bool known = suffix.empty() || suffix == "k" || suffix == "M";
  if (error != std::errc() || !known || !(number >= 100 && number <= 1e9))
    throw InputError(fmt::format(
        "{}: not a number of particles; write 100 to 1000M, as 5000, 10k or 1.5M", text));
  return static_cast<std::size_t>(std::llround(number));
}

std::string readable_count(std::size_t count) {
  if (count >= 1000000) return fmt::format("{:.4g}M", static_cast<double>(count) / 1e6);
  if (count >= 1000) return fmt::format("{:.4g}k", static_cast<double>(count) / 1e3);
  return std::to_string(count);
}

namespace {

double spread(const Sweep& sweep) {
  const auto [least, most] =
      std::minmax_element(sweep.results.begin(), sweep.results.end(),
                          [](auto& a, auto& b) { return a.nanoseconds() < b.nanoseconds(); });
  return most->nanoseconds() / least->nanoseconds();
}

const Colour paper{1, 1, 1}, ink = render::colour_from_hex(0x22262c),
                             grid = render::colour_from_hex(0xdfe3e8);

/// Pixels of values on a logarithmic axis.
struct LogAxis {
  double low = 1e300, high = 0;  // of the values
  float first = 0, last = 0;     // pixels of low and high

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen(double factor) {
    low /= factor;
    high *= factor;
  }
  float place(double value) const {
    return first +
           (last - first) * static_cast<float>(std::log(value / low) / std::log(high / low));
  }
  /// 1, 2 and 5 times the powers of ten.
  std::vector<double> ticks() const {
    std::vector<double> values;
    for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10)
      for (const double times : {1.0, 2.0, 5.0})
        if (decade * times >= low && decade * times <= high) values.push_back(decade * times);
    return values;
  }
};

struct Axes {
  LogAxis x, y;
};

Axes axes_of(const std::vector<Sweep>& sweeps, const Image& image) {
  Axes axes;
  for (const Sweep& sweep : sweeps)
    for (const BenchResult& r : sweep.results) {
      axes.x.include(static_cast<double>(r.particles));
      axes.y.include(r.nanoseconds());
    }
  axes.x.widen(1.3);
  axes.y.widen(2);
  axes.x.first = 90;
  axes.x.last = static_cast<float>(image.width) - 190;
  axes.y.first = static_cast<float>(image.height) - 70;
  axes.y.last = 60;
  return axes;
}

void draw_axes(Image& image, const Axes& axes) {
  const render::TextStyle style{10, ink, 1, 1};
  const float left = axes.x.first, right = axes.x.last, foot = axes.y.first, top = axes.y.last;
  for (const double value : axes.x.ticks()) {
    const float x = axes.x.place(value);
    const std::string number = readable_count(static_cast<std::size_t>(std::llround(value)));
    draw_rectangle(image, x, top, 1, foot - top, grid);
    draw_text(image, x - text_width(number, style) / 2, foot + 20, number, style);
  }
  for (const double value : axes.y.ticks()) {
    const float y = axes.y.place(value);
    const std::string number = fmt::format("{:.4g}", value);
    draw_rectangle(image, left, y, right - left, 1, grid);
    draw_text(image, left - 10 - text_width(number, style), y + 5, number, style);
  }
  const std::string below = "particles";
  draw_text(image, (left + right - text_width(below, style)) / 2, foot + 48, below, style);
  draw_text(image, 24, 34, "nanoseconds per particle and step", {11, ink, 1, 1.35f});
}

/// A line between two points with round ends.
void draw_segment(Image& image, float x0, float y0, float x1, float y1, const Colour& colour) {
  constexpr float half = 1.4f;
  const float dx = x1 - x0, dy = y1 - y0, squared = dx * dx + dy * dy;
  const int left = static_cast<int>(std::min(x0, x1) - 3),
            right = static_cast<int>(std::max(x0, x1) + 3);
  const int top = static_cast<int>(std::min(y0, y1) - 3),
            foot = static_cast<int>(std::max(y0, y1) + 3);
  for (int j = top; j <= foot; ++j)
    for (int i = left; i <= right; ++i) {
      const float px = static_cast<float>(i) + 0.5f - x0, py = static_cast<float>(j) + 0.5f - y0;
      const float t = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0f, 1.0f) : 0.0f;
      const float distance = std::hypot(px - t * dx, py - t * dy);
      blend(image, i, j, colour, std::clamp(half - distance + 0.5f, 0.0f, 1.0f));
    }
}

void draw_line(Image& image, const Axes& axes, const Sweep& sweep, const Colour& colour) {
  constexpr float dot = 9;
  const auto x = [&](std::size_t k) {
    return axes.x.place(static_cast<double>(sweep.results[k].particles));
  };
  const auto y = [&](std::size_t k) { return axes.y.place(sweep.results[k].nanoseconds()); };
  for (std::size_t k = 0; k < sweep.results.size(); ++k) {
    if (k > 0) draw_segment(image, x(k - 1), y(k - 1), x(k), y(k), colour);
    draw_rectangle(image, x(k) - dot / 2, y(k) - dot / 2, dot, dot, colour, 1, dot / 2);
  }
}

}  // namespace

std::string sweep_table(const std::vector<std::size_t>& sizes, const std::vector<Sweep>& sweeps) {
  std::string text = "ns per particle and step\n   particles";
  for (const Sweep& sweep : sweeps) text += fmt::format(" {:>12}", sweep.name);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    text += fmt::format("\n{:>12}", readable_count(sizes[k]));
    for (const Sweep& sweep : sweeps)
      text += k < sweep.results.size() ? fmt::format(" {:>12.1f}", sweep.results[k].nanoseconds())
                                       : fmt::format(" {:>12}", "-");
  }
  text += "\nmost / least";
  for (const Sweep& sweep : sweeps)
    text += sweep.results.empty() ? fmt::format(" {:>12}", "-")
                                  : fmt::format(" {:>12.2f}", spread(sweep));
  return text + "\n";
}

Image sweep_plot(const std::vector<Sweep>& sweeps) {
  Image image(960, 540, paper);
  const Axes axes = axes_of(sweeps, image);
  draw_axes(image, axes);
  std::vector<std::pair<std::string, Colour>> names;
  for (std::size_t k = 0; k < sweeps.size(); ++k) {
    names.emplace_back(sweeps[k].name, render::body_colour(k));
    draw_line(image, axes, sweeps[k], names.back().second);
  }
  render::draw_legend(image, names);
  return image;
}

}  // namespace phyxel
