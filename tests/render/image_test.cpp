#include "phyxel/render/image.h"

#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "phyxel/core/error.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::render;

TEST_CASE("srgb_and_back_is_the_same_light") {
  for (int k = 0; k <= 1000; ++k) {
    const float x = static_cast<float>(k) / 1000;
    CHECK(linear_from_srgb(srgb_from_linear(x)) == doctest::Approx(x).epsilon(1e-5));
  }
  // The curve's published anchor: middle grey of 18 % is code 118 of 255.
  CHECK(std::lround(srgb_from_linear(0.18f) * 255) == 118);
  CHECK(srgb_from_linear(-1) == 0);
  CHECK(srgb_from_linear(2) == doctest::Approx(1));
}

TEST_CASE("the_tone_curve_keeps_colours_and_tames_highlights") {
  CHECK(soft_clip(0.3f) == 0.3f);
  CHECK(soft_clip(-0.1f) == 0);
  float before = 0;
  for (int k = 0; k < 400; ++k) {
    const float y = soft_clip(static_cast<float>(k) / 100);
    CHECK(y >= before);
    CHECK(y <= 1);
    before = y;
  }
  // No corner at the knee: the slope is one on both sides.
  CHECK((soft_clip(0.61f) - soft_clip(0.59f)) / 0.02f == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("a_picture_survives_the_png_file") {
  const TemporaryFolder folder;
  Image image(37, 21);  // odd sizes find stride mistakes
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      image.at(x, y) = {linear_from_srgb(static_cast<float>(x * 7 % 256) / 255),
                        linear_from_srgb(static_cast<float>(y * 11 % 256) / 255),
                        linear_from_srgb(static_cast<float>((x + y) * 3 % 256) / 255)};
  const auto file = folder.path / "picture.png";
  write_png(image, file);
  const Image back = read_png(file);
  REQUIRE(back.width == image.width);
  REQUIRE(back.height == image.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int k = 0; k < 3; ++k)
      CHECK(back.pixels[i][k] == doctest::Approx(image.pixels[i][k]).epsilon(1e-6));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a_picture_that_cannot_be_written_is_an_error_with_its_path") {
  const TemporaryFolder folder;
  const auto file = folder.path / "missing" / "picture.png";
  try {
    write_png(Image(4, 4), file);
    FAIL("no error");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find(file.string()) != std::string::npos);
    CHECK(std::string(e.what()).find("No such file") != std::string::npos);
  }
}

TEST_CASE("a_file_that_is_no_png_is_refused") {
  const TemporaryFolder folder;
  const auto file = folder.path / "fake.png";
  std::ofstream(file) << "not a picture";
  CHECK_THROWS_AS(read_png(file), InputError);
  CHECK_THROWS_AS(read_png(folder.path / "absent.png"), InputError);
}

TEST_CASE("a_rectangle_covers_its_area") {
  Image image(40, 30);
  draw_rectangle(image, 5.25f, 6.5f, 20.5f, 10.25f, {1, 1, 1});
  double area = 0;
  for (const Colour& c : image.pixels) area += srgb_from_linear(c[0]);
  // Antialiasing by distance misses a quarter pixel at each corner at most.
  CHECK(area == doctest::Approx(20.5 * 10.25).epsilon(0.005));
  CHECK(image.at(2, 2)[0] == 0);
  CHECK(image.at(15, 10)[0] == doctest::Approx(1));
}

TEST_CASE("developing_keeps_dim_colours_but_for_a_grain") {
  Image image(16, 16, {0.1f, 0.25f, 0.4f});
  develop(image, 1.2f);
  for (const Colour& c : image.pixels)
    for (int k = 0; k < 3; ++k)
      CHECK(std::abs(srgb_from_linear(c[k]) -
                     srgb_from_linear(1.2f * Colour{0.1f, 0.25f, 0.4f}[k])) < 0.51f / 255);
}
