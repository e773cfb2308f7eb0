#pragma once

#include "phyxel/render/reflection.h"

// Light at and within clear bodies.

namespace phyxel::render {

/// Reflected share at a smooth boundary: `cosine` of the angle on the near side, `index` of the far
/// side over that of the near side. Fresnel's equations, unpolarised.
inline float fresnel(float cosine, float index) {
  const float c = std::clamp(cosine, 0.0f, 1.0f);
  const float g2 = index * index - 1 + c * c;
  if (g2 <= 0) return 1;
  const float g = std::sqrt(g2), a = (g - c) / (g + c);
  const float b = (c * (g + c) - 1) / (c * (g - c) + 1);
  return 0.5f * a * a * (1 + b * b);
}

/// The direction behind the boundary, for light that arrives against `out` (unit, on the side of
/// the unit normal `half`) and is not reflected totally.
inline Vec3f refract(const Vec3f& out, const Vec3f& half, float index) {
  const float c = dot(out, half), ratio = 1 / index;
  const float behind = std::sqrt(std::max(0.0f, 1 - ratio * ratio * (1 - c * c)));
  return normalized(half * (ratio * c - behind) - out * ratio);
}

/// Share of light that is left after `distance` in a clear body of this colour (Beer, Lambert).
inline Colour clear_share(const Colour& colour, float depth, float distance) {
  if (!(depth > 0)) return Colour::filled(1);
  Colour left;
  for (int k = 0; k < 3; ++k) left[k] = std::pow(std::max(colour[k], 1e-4f), distance / depth);
  return left;
}

}  // namespace phyxel::render
