#pragma once

#include "phyxel/render/image.h"

namespace phyxel::render {

/// A picture laid over a surface. u runs to the right and v up; beyond 0 to 1 it repeats.
using Texture = Image;

/// Colour between the four pixels around (u, v).
Colour sample_image(const Image& image, const Vec2f& uv);

}  // namespace phyxel::render
