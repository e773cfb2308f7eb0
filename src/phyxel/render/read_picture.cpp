// The only file that sees stb.
#include <fmt/format.h>
#include <memory>
#include <stb/stb_image.h>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/render/image.h"

namespace phyxel::render {
namespace {

constexpr int most_pixels = 1 << 28;

struct FreePixels {
  void operator()(void* p) const { stbi_image_free(p); }
};

[[noreturn]] void refuse(const std::filesystem::path& path, const char* why) {
  throw InputError(
      fmt::format("{}: not a readable picture: {}; give a PNG, JPEG, TGA, BMP or Radiance HDR file",
                  path.string(), why ? why : "unknown format"));
}

/// Size of the picture, from its head alone.
Image blank(const std::filesystem::path& path) {
  if (const std::string why = why_not_readable(path); !why.empty()) refuse(path, why.c_str());
  std::error_code none;  // names that are too long do not exist either
  if (!std::filesystem::is_regular_file(path, none)) refuse(path, "no such file");
  int width = 0, height = 0, channels = 0;
  if (!stbi_info(path.c_str(), &width, &height, &channels)) refuse(path, stbi_failure_reason());
  if (width < 1 || height < 1 || width > most_pixels / height)
    refuse(path, fmt::format("{} x {} pixels", width, height).c_str());
  return Image(width, height);
}

template <class Number>
using Pixels = std::unique_ptr<Number, FreePixels>;

}  // namespace

Image read_picture(const std::filesystem::path& path) {
  Image image = blank(path);
  int w = 0, h = 0, channels = 0;
  if (stbi_is_hdr(path.c_str())) {
    const Pixels<float> light(stbi_loadf(path.c_str(), &w, &h, &channels, 3));
    if (!light || w != image.width || h != image.height) refuse(path, stbi_failure_reason());
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
      for (int k = 0; k < 3; ++k) image.pixels[i][k] = light.get()[3 * i + k];
    return image;
  }
  const Pixels<stbi_uc> codes(stbi_load(path.c_str(), &w, &h, &channels, 3));
  if (!codes || w != image.width || h != image.height) refuse(path, stbi_failure_reason());
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int k = 0; k < 3; ++k)
      image.pixels[i][k] = linear_from_srgb(static_cast<float>(codes.get()[3 * i + k]) / 255.0f);
  return image;
}

}  // namespace phyxel::render
