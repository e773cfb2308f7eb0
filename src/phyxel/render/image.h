#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel::render {

using Vec2f = Vec<float, 2>;
using Vec3f = Vec<float, 3>;

/// Linear light with the primaries of sRGB (Rec. 709); 1 is display white.
using Colour = Vec<float, 3>;

/// Pixels in rows from the top left.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<Colour> pixels;
  std::vector<float>
      alpha;  // coverage of each pixel, whose colour is not multiplied by it; or none

  Image() = default;
  Image(int w, int h, const Colour& fill = {0, 0, 0})
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * h, fill) {}

  Colour& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

/// The sRGB transfer curve, IEC 61966-2-1: linear light in [0, 1] to code value in [0, 1] and back.
float srgb_from_linear(float linear);
float linear_from_srgb(float code);

/// A colour as designers write it: 0xRRGGBB in sRGB.
Colour colour_from_hex(std::uint32_t hex);
inline float luminance(const Colour& c) {
  return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
}
inline Colour mix(const Colour& a, const Colour& b, float t) {
  return a * (1 - t) + b * t;
}

/// Tone curve for scene light: the identity up to a knee, then a soft shoulder towards 1, so that
/// colours below the knee stay those of the colour map.
float soft_clip(float x);

/// Scene light to display light in place: times `exposure`, then soft_clip, then a grain of half a
/// step of 8 bits, the same in every picture, so that smooth backgrounds show no bands.
void develop(Image& image, float exposure = 1);

/// Colour between the four pixels around (u, v). u runs to the right and v up; beyond 0 to 1 the
/// picture repeats.
Colour sample_image(const Image& image, const Vec2f& uv);

/// Blends `colour` over the pixel; `coverage` in [0, 1]. Outside the image: nothing.
void blend(Image& image, int x, int y, const Colour& colour, float coverage);

/// Filled rectangle with antialiased edges and corners rounded by `rounding`; all in pixels.
void draw_rectangle(Image& image, float left, float top, float width, float height,
                    const Colour& colour, float opacity = 1, float rounding = 0);

/// 8 bits a channel, sRGB, with alpha where the image has it. The file appears whole or not at all.
/// Throws Error when it cannot.
void write_png(const Image& image, const std::filesystem::path& path);

/// The bytes of the file that write_png would write.
std::string png_bytes(const Image& image);

/// Reads what write_png wrote and any other 8-bit PNG, with alpha where it has it. Throws
/// InputError when it cannot.
Image read_png(const std::filesystem::path& path);

/// Whether a PNG file has alpha; not a PNG file: no.
bool has_alpha(const std::filesystem::path& path);

/// A picture of another program: PNG, JPEG, TGA, BMP, or Radiance HDR with light above 1. Throws
/// InputError when it cannot be read.
Image read_picture(const std::filesystem::path& path);

}  // namespace phyxel::render
