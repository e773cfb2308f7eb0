#pragma once

#include <string>
#include <vector>

#include "phyxel/render/image.h"

namespace phyxel::render {

/// Colours for the numbers 0 to 1: control points at equal steps, joined by straight lines in Oklab
/// (Ottosson 2020), where equal steps look equal.
struct ColourMap {
  std::string name;
  std::vector<Vec3f> oklab;
};

/// Names for scene files: viridis, inferno, magma, turbo, cool_warm, grey.
const std::vector<std::string>& colour_map_names();

/// Throws InputError with a suggestion for an unknown name.
const ColourMap& find_colour_map(const std::string& name);

/// t is clamped to [0, 1]; a value that is not a number gives `not_a_number_colour`.
Colour sample(const ColourMap& map, float t);
inline constexpr Colour not_a_number_colour{0.8f, 0.0f, 0.6f};

/// A distinct colour for the index-th body or material, repeating after ten. Told apart with the
/// usual kinds of colour blindness: neighbours differ in lightness too.
Colour body_colour(std::size_t index);

/// Linear sRGB to Oklab and back.
Vec3f oklab_from_colour(const Colour& c);
Colour colour_from_oklab(const Vec3f& lab);

}  // namespace phyxel::render
