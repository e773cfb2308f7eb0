#include "phyxel/render/texture.h"

#include <cmath>

namespace phyxel::render {

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

}  // namespace phyxel::render
