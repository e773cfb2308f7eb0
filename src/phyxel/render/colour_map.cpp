#include "phyxel/render/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <ranges>

#include "phyxel/core/error.h"
#include "phyxel/core/mat.h"

namespace phyxel::render {
namespace {

using Mat3f = Mat<float, 3>;

ColourMap make_map(std::string name, std::initializer_list<std::uint32_t> hex) {
  ColourMap map{std::move(name), {}};
  for (const std::uint32_t h : hex) map.oklab.push_back(oklab_from_colour(colour_from_hex(h)));
  return map;
}

const std::vector<ColourMap>& colour_maps() {
  static const std::vector<ColourMap> maps = {
      make_map("viridis", {0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779,
                           0x6dcd59, 0xb4de2c, 0xfde725}),
      make_map("inferno", {0x08051a, 0x1f0c48, 0x4b0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925,
                           0xfb9a06, 0xf7d03c, 0xfcffa4}),
      make_map("magma", {0x08051a, 0x1b1044, 0x451077, 0x721f81, 0x9f2f7f, 0xcd4071, 0xf1605d,
                         0xfd9567, 0xfec98d, 0xfcfdbf}),
      make_map("turbo", {0x3a1a5c, 0x4662d7, 0x36aaf9, 0x1ae4b6, 0x72fe5e, 0xc8ef34, 0xfaba39,
                         0xf66b19, 0xcb2a04, 0x7a0403}),
      make_map("cool_warm", {0x3448b4, 0x5a7fe0, 0x8fb2f2, 0xc0d3ee, 0xe4e2df, 0xefc3ab, 0xe98f70,
                             0xcf5444, 0xa90f2d}),
      make_map("grey", {0x141414, 0xf2f2f2})};
  return maps;
}

}  // namespace

Vec3f oklab_from_colour(const Colour& c) {
  const Mat3f to_cones{{{0.4122214708f, 0.5363325363f, 0.0514459929f},
                        {0.2119034982f, 0.6806995451f, 0.1073969566f},
                        {0.0883024619f, 0.2817188376f, 0.6299787005f}}};
  const Mat3f to_lab{{{0.2104542553f, 0.7936177850f, -0.0040720468f},
                      {1.9779984951f, -2.4285922050f, 0.4505937099f},
                      {0.0259040371f, 0.7827717662f, -0.8086757660f}}};
  Vec3f cones = to_cones * c;
  for (int k = 0; k < 3; ++k) cones[k] = std::cbrt(cones[k]);
  return to_lab * cones;
}

Colour colour_from_oklab(const Vec3f& lab) {
  const Mat3f to_cones{{{1, 0.3963377774f, 0.2158037573f},
                        {1, -0.1055613458f, -0.0638541728f},
                        {1, -0.0894841775f, -1.2914855480f}}};
  const Mat3f to_rgb{{{4.0767416621f, -3.3077115913f, 0.2309699292f},
                      {-1.2684380046f, 2.6097574011f, -0.3413193965f},
                      {-0.0041960863f, -0.7034186147f, 1.7076147010f}}};
  Vec3f cones = to_cones * lab;
  for (int k = 0; k < 3; ++k) cones[k] = cones[k] * cones[k] * cones[k];
  return max(to_rgb * cones, Colour::zero());
}

const std::vector<std::string>& colour_map_names() {
  static const auto names = colour_maps() | std::views::transform(&ColourMap::name);
  static const std::vector<std::string> list(names.begin(), names.end());
  return list;
}

const ColourMap& find_colour_map(const std::string& name) {
  for (const ColourMap& map : colour_maps())
    if (map.name == name) return map;
  throw InputError(fmt::format("'{}' is not a colour map{}; there are {}", name,
                               suggestion(name, colour_map_names()),
                               fmt::join(colour_map_names(), ", ")));
}

Colour sample(const ColourMap& map, float t) {
  if (std::isnan(t)) return not_a_number_colour;
  const std::size_t last = map.oklab.size() - 1;
  const float x = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(last);
  const std::size_t k = std::min(static_cast<std::size_t>(x), last - 1);
  return colour_from_oklab(mix(map.oklab[k], map.oklab[k + 1], x - static_cast<float>(k)));
}

Colour body_colour(std::size_t index) {
  constexpr std::array<std::uint32_t, 10> palette = {0x2f6db3, 0xf09a3e, 0x2f9e77, 0xd9564f,
                                                     0x8d6cc0, 0x59b7d9, 0xeac54a, 0x8a5a44,
                                                     0xe58fb5, 0x7d848c};
  return colour_from_hex(palette[index % palette.size()]);
}

}  // namespace phyxel::render
