#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <png.h>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/render/image.h"

namespace phyxel::render {
namespace {

std::vector<std::uint8_t> to_bytes(const Image& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(image.pixels.size() * 4);
  const auto add = [&](float code) {
    bytes.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(code, 0.0f, 1.0f) * 255)));
  };
  for (std::size_t p = 0; p < image.pixels.size(); ++p) {
    for (int k = 0; k < 3; ++k) add(srgb_from_linear(image.pixels[p][k]));
    if (!image.alpha.empty()) add(image.alpha[p]);
  }
  return bytes;
}

/// libpng's description of an 8-bit picture; freed at the end of the scope.
struct PngImage {
  png_image header{};
  PngImage() { header.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&header); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

std::vector<std::uint8_t> encode(const Image& image, const std::filesystem::path& path) {
  PngImage png;
  png.header.width = image.width;
  png.header.height = image.height;
  png.header.format = image.alpha.empty() ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  const std::vector<std::uint8_t> bytes = to_bytes(image);
  std::vector<std::uint8_t> file(PNG_IMAGE_PNG_SIZE_MAX(png.header));
  png_alloc_size_t size = file.size();
  if (!png_image_write_to_memory(&png.header, file.data(), &size, 0, bytes.data(), 0, nullptr))
    throw Error(fmt::format("{}: the picture of {} x {} pixels could not be encoded: {}",
                            path.string(), image.width, image.height, png.header.message));
  file.resize(size);
  return file;
}

}  // namespace

void write_png(const Image& image, const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = encode(image, path);
  write_atomically(path, [&](FileWriter& file) { file.write(bytes.data(), bytes.size()); });
}

std::string png_bytes(const Image& image) {
  const std::vector<std::uint8_t> bytes = encode(image, "memory");
  return {bytes.begin(), bytes.end()};
}

bool has_alpha(const std::filesystem::path& path) {
  PngImage png;
  return png_image_begin_read_from_file(&png.header, path.c_str()) &&
         (png.header.format & PNG_FORMAT_FLAG_ALPHA) != 0;
}

Image read_png(const std::filesystem::path& path) {
  PngImage png;
  const auto fail = [&] {
    throw InputError(
        fmt::format("{}: not a readable PNG picture: {}", path.string(), png.header.message));
  };
  if (const std::string why = why_not_readable(path); !why.empty())
    throw InputError(fmt::format("{}: not a readable PNG picture: {}", path.string(), why));
  if (!png_image_begin_read_from_file(&png.header, path.c_str())) fail();
  const bool clear = (png.header.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.header.format = clear ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png.header));
  if (!png_image_finish_read(&png.header, nullptr, bytes.data(), 0, nullptr)) fail();
  Image image(static_cast<int>(png.header.width), static_cast<int>(png.header.height));
  if (clear) image.alpha.resize(image.pixels.size());
  const std::size_t channels = clear ? 4 : 3;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const std::uint8_t* const code = bytes.data() + channels * i;
    for (int k = 0; k < 3; ++k)
      image.pixels[i][k] = linear_from_srgb(static_cast<float>(code[k]) / 255.0f);
    if (clear) image.alpha[i] = static_cast<float>(code[3]) / 255.0f;
  }
  return image;
}

}  // namespace phyxel::render
