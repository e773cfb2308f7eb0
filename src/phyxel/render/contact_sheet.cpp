#include "phyxel/render/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/error.h"

namespace phyxel::render {
namespace {

constexpr int widest_sheet = 2400, gap = 6;

/// Share of the pixel [k, k + 1) that lies within [from, to).
float overlap(int k, float from, float to) {
  return std::max(0.0f,
                  std::min(to, static_cast<float>(k + 1)) - std::max(from, static_cast<float>(k)));
}

struct Mean {
  Colour colour;
  float alpha;
};

float alpha_at(const Image& image, int x, int y) {
  return image.alpha.empty() ? 1 : image.alpha[static_cast<std::size_t>(y) * image.width + x];
}

/// Pixels count in the colour by what they cover.
Mean mean_over(const Image& image, float left, float right, float top, float bottom) {
  Colour sum = Colour::zero();
  float weight = 0, covered = 0;
  for (int y = static_cast<int>(top); y < std::min<int>(image.height, std::ceil(bottom)); ++y)
    for (int x = static_cast<int>(left); x < std::min<int>(image.width, std::ceil(right)); ++x) {
      const float w = overlap(x, left, right) * overlap(y, top, bottom);
      const float cover = w * alpha_at(image, x, y);
      sum += image.at(x, y) * cover;
      covered += cover;
      weight += w;
    }
  return {covered > 0 ? sum / covered : sum, weight > 0 ? covered / weight : 0};
}

void paste(const Image& part, int left, int top, Image& image) {
  for (int y = 0; y < part.height; ++y) {
    std::copy_n(&part.at(0, y), part.width, &image.at(left, top + y));
    for (int x = 0; x < part.width; ++x)
      image.alpha[static_cast<std::size_t>(top + y) * image.width + left + x] =
          alpha_at(part, x, y);
  }
}

/// As many columns as give a sheet of about the shape of a screen.
int columns_for(int count, float aspect) {
  int best = 1;
  float least = 1e9f;
  for (int c = 1; c <= count; ++c) {
    const int rows = (count + c - 1) / c;
    const float shape = aspect * static_cast<float>(c) / static_cast<float>(rows);
    const float empty = static_cast<float>(c * rows - count) / static_cast<float>(count);
    const float off = std::abs(std::log(shape / 1.6f)) + empty;
    if (off < least) least = off, best = c;
  }
  return best;
}

}  // namespace

Image resized(const Image& image, int width, int height) {
  Image out(width, height);
  if (!image.alpha.empty()) out.alpha.resize(out.pixels.size());
  const float across = static_cast<float>(image.width) / static_cast<float>(width);
  const float down = static_cast<float>(image.height) / static_cast<float>(height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Mean mean =
          mean_over(image, static_cast<float>(x) * across, static_cast<float>(x + 1) * across,
                    static_cast<float>(y) * down, static_cast<float>(y + 1) * down);
      out.at(x, y) = mean.colour;
      if (!out.alpha.empty()) out.alpha[static_cast<std::size_t>(y) * width + x] = mean.alpha;
    }
  return out;
}

Image contact_sheet(const std::vector<std::filesystem::path>& pictures, int count) {
  const int have = static_cast<int>(pictures.size());
  if (have == 0) throw InputError("a contact sheet needs at least one picture");
  const int n = std::clamp(count, 1, have);
  const Image first = read_png(pictures[0]);
  const int columns =
      columns_for(n, static_cast<float>(first.width) / static_cast<float>(first.height));
  const int rows = (n + columns - 1) / columns;
  const int width = std::clamp((widest_sheet - gap) / columns - gap, 1, first.width);
  const int height = std::max(1, first.height * width / first.width);
  Image sheet(columns * (width + gap) + gap, rows * (height + gap) + gap, {0.9f, 0.9f, 0.9f});
  sheet.alpha.assign(sheet.pixels.size(), 0);  // what lies between pictures is clear
  bool clear = false;
  for (int k = 0; k < n; ++k) {
    const int chosen =
        n > 1 ? static_cast<int>(std::lround(double(k) * (have - 1) / (n - 1))) : have - 1;
    const Image picture = read_png(pictures[chosen]);
    clear = clear || !picture.alpha.empty();
    paste(resized(picture, width, height), gap + k % columns * (width + gap),
          gap + k / columns * (height + gap), sheet);
  }
  if (!clear) sheet.alpha.clear();
  return sheet;
}

}  // namespace phyxel::render
