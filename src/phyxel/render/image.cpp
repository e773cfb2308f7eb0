#include "phyxel/render/image.h"

#include <algorithm>
#include <cmath>

#include "phyxel/matter/colour.h"
#include "phyxel/render/sampling.h"

namespace phyxel::render {

float srgb_from_linear(float linear) {
  return code_of_light(linear);
}

float linear_from_srgb(float code) {
  return light_of_code(code);
}

Colour colour_from_hex(std::uint32_t hex) {
  const auto channel = [&](int shift) {
    return linear_from_srgb(static_cast<float>((hex >> shift) & 0xff) / 255.0f);
  };
  return {channel(16), channel(8), channel(0)};
}

float soft_clip(float x) {
  constexpr float knee = 0.6f, room = 1 - knee;
  if (x <= knee) return std::max(x, 0.0f);
  return knee + room * (1 - std::exp(-(x - knee) / room));
}

void develop(Image& image, float exposure) {
  for (std::size_t p = 0; p < image.pixels.size(); ++p) {
    const float grain = unit_float(hash(static_cast<std::uint32_t>(p))) - 0.5f;
    Colour& c = image.pixels[p];
    for (int k = 0; k < 3; ++k)
      c[k] = linear_from_srgb(srgb_from_linear(soft_clip(c[k] * exposure)) + grain / 255);
  }
}

Colour sample_image(const Image& image, const Vec2f& uv) {
  const auto wrapped = [](float x, int n) {
    const float turns = x - std::floor(x);
    return turns * static_cast<float>(n) - 0.5f;
  };
  const float x = wrapped(uv[0], image.width), y = wrapped(1 - uv[1], image.height);
  const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
  const float a = x - static_cast<float>(left), b = y - static_cast<float>(top);
  const auto at = [&](int i, int j) {
    return image.at((i + image.width) % image.width, (j + image.height) % image.height);
  };
  return mix(mix(at(left, top), at(left + 1, top), a),
             mix(at(left, top + 1), at(left + 1, top + 1), a), b);
}

void blend(Image& image, int x, int y, const Colour& colour, float coverage) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || !(coverage > 0)) return;
  Colour& pixel = image.at(x, y);
  // Mixing code values rather than light keeps dark text on light ground as heavy as light on dark.
  const float t = std::min(coverage, 1.0f);
  for (int k = 0; k < 3; ++k)
    pixel[k] =
        linear_from_srgb(srgb_from_linear(pixel[k]) * (1 - t) + srgb_from_linear(colour[k]) * t);
}

void draw_rectangle(Image& image, float left, float top, float width, float height,
                    const Colour& colour, float opacity, float rounding) {
  const float half_x = width / 2, half_y = height / 2;
  const float r = std::min({rounding, half_x, half_y});
  for (int y = static_cast<int>(top) - 1; y <= static_cast<int>(top + height) + 1; ++y)
    for (int x = static_cast<int>(left) - 1; x <= static_cast<int>(left + width) + 1; ++x) {
      const float dx = std::abs(x + 0.5f - left - half_x) - half_x + r;
      const float dy = std::abs(y + 0.5f - top - half_y) - half_y + r;
      const float outside = std::hypot(std::max(dx, 0.0f), std::max(dy, 0.0f));
      const float distance = outside + std::min(std::max(dx, dy), 0.0f) - r;
      blend(image, x, y, colour, opacity * std::clamp(0.5f - distance, 0.0f, 1.0f));
    }
}

}  // namespace phyxel::render
