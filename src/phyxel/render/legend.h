#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "phyxel/render/colour_map.h"

namespace phyxel::render {

/// What the colours of a picture mean.
struct Legend {
  ColourMap map;
  std::string title;
  std::string unit;  // "" where dimensionless
  double low = 0;    // value of the first colour
  double high = 1;   // value of the last colour
};

/// Least, middle and greatest value as text, with as many digits as tell them apart.
std::array<std::string, 3> legend_numbers(double low, double high);

/// The colour bar at the right edge of a developed picture.
void draw_legend(Image& image, const Legend& legend);

/// Names with their colours, where the bar would be.
void draw_legend(Image& image, const std::vector<std::pair<std::string, Colour>>& entries);

/// One line at the lower left of a developed picture: the title, and quietly beside it the detail.
void draw_caption(Image& image, const std::string& title, const std::string& detail = "");

}  // namespace phyxel::render
