#pragma once

#include "phyxel/matter/frame.h"

// Colours of particles and vertices, in any number type that files have.

namespace phyxel {

/// Whether the column holds colours: `colour`, red green blue and perhaps alpha.
bool is_colour(const FrameColumn& column);

/// Component `c` of colour `i` as sRGB code value in [0, 1]: floating point as it is, integers from
/// 0..255. The only place that interprets the number type of a colour.
float colour_code(const FrameColumn& colour, std::size_t i, int c);

/// The sRGB transfer curve, IEC 61966-2-1: code value to linear light, both 0 to 1, and back.
float light_of_code(float code);
float code_of_light(float light);

/// A column of colours as such code values, of which means can be taken: means of bytes would be
/// read as code values far beyond 1.
FrameColumn code_values(const FrameColumn& colour);

}  // namespace phyxel
