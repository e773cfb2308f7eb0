#include "phyxel/render/video.h"

#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "phyxel/core/error.h"
#include "phyxel/render/contact_sheet.h"
#include "phyxel/render/image.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe)) text += buffer;
  pclose(pipe);
  return text;
}

void write_frames(const std::filesystem::path& folder, int first, int count) {
  for (int k = 0; k < count; ++k)
    write_png(Image(33, 17, {0.2f * static_cast<float>(k), 0.3f, 0.5f}),
              folder / fmt::format("frame_{:04}.png", first + k));
}

bool can_film() {
  if (video_is_possible()) return true;
  MESSAGE("ffmpeg is missing: films are not tested");
  return false;
}

}  // namespace

TEST_CASE("three_pictures_make_a_film_of_three_frames") {
  if (!can_film()) return;
  const TemporaryFolder folder;
  write_frames(folder.path, 7, 3);
  const auto film = folder.path / "video.mp4";
  write_video(folder.path, "frame_%04d.png", 24, film);
  const std::string probe = output_of(
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
      "stream=nb_read_frames,width,height,pix_fmt,r_frame_rate -of default=nk=0:nw=1 " +
      film.string());
  CHECK(probe.find("nb_read_frames=3") != std::string::npos);
  CHECK(probe.find("width=34") != std::string::npos);
  CHECK(probe.find("height=18") != std::string::npos);
  CHECK(probe.find("pix_fmt=yuv420p") != std::string::npos);
  CHECK(probe.find("r_frame_rate=24/1") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path / "video.mp4.tmp"));
}

TEST_CASE("odd_names_of_folders_reach_no_shell_and_no_pattern") {
  if (!can_film()) return;
  const TemporaryFolder folder("it's 100%d $(touch trap); \"x\"");
  write_frames(folder.path, 0, 2);
  write_video(folder.path, "frame_%04d.png", 10, folder.path / "-film.mp4");
  CHECK(std::filesystem::file_size(folder.path / "-film.mp4") > 500);
  CHECK_FALSE(std::filesystem::exists(folder.path / "trap"));
}

TEST_CASE("a_failed_film_says_why_and_leaves_nothing_behind") {
  if (!can_film()) return;
  const TemporaryFolder folder;
  std::ofstream(folder.path / "frame_0000.png") << "not a picture";
  const auto film = folder.path / "video.mp4";
  CHECK_THROWS_WITH_AS(write_video(folder.path, "frame_%04d.png", 24, film),
                       doctest::Contains("could not be made: "), Error);
  CHECK_FALSE(std::filesystem::exists(film));
  CHECK_FALSE(std::filesystem::exists(folder.path / "video.mp4.tmp"));
}

TEST_CASE("a_film_of_nothing_is_refused") {
  const TemporaryFolder folder;
  const auto film = folder.path / "video.mp4";
  CHECK_THROWS_AS(write_video(folder.path, "frame_%04d.png", 24, film), InputError);
  CHECK_THROWS_AS(write_video(folder.path / "absent", "frame_%04d.png", 24, film), InputError);
  write_frames(folder.path, 0, 1);
  CHECK_THROWS_AS(write_video(folder.path, "frame_%04d.png", 0, film), InputError);
}

namespace {

/// Red in the middle, half clear around it, clear at the border; clear pixels have odd colours.
Image clear_picture() {
  Image image(40, 20, {0, 1, 0});
  image.alpha.assign(image.pixels.size(), 0);
  for (int y = 0; y < 20; ++y)
    for (int x = 10; x < 30; ++x) {
      image.at(x, y) = {1, 0, 0};
      image.alpha[y * 40 + x] = x < 20 ? 1.0f : 0.5f;
    }
  return image;
}

}  // namespace

TEST_CASE("alpha_survives_the_png_file") {
  const TemporaryFolder folder;
  const Image image = clear_picture();
  write_png(image, folder.path / "a.png");
  CHECK(has_alpha(folder.path / "a.png"));
  const Image back = read_png(folder.path / "a.png");
  REQUIRE(back.alpha.size() == image.alpha.size());
  for (std::size_t i = 0; i < image.alpha.size(); ++i) {
    CHECK(back.alpha[i] == doctest::Approx(image.alpha[i]).epsilon(0.01));
    CHECK(back.pixels[i][0] == doctest::Approx(image.pixels[i][0]));
  }
  write_png(Image(4, 4), folder.path / "b.png");
  CHECK(!has_alpha(folder.path / "b.png"));
  CHECK(read_png(folder.path / "b.png").alpha.empty());
  CHECK(!has_alpha(folder.path / "absent.png"));
}

TEST_CASE("a_contact_sheet_of_clear_pictures_is_clear") {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> pictures;
  for (const char* name : {"a.png", "b.png", "c.png"}) {
    pictures.push_back(folder.path / name);
    write_png(std::string(name) == "b.png" ? Image(40, 20, {0, 0, 1}) : clear_picture(),
              pictures.back());
  }
  const Image sheet = contact_sheet(pictures, 3);
  REQUIRE(sheet.alpha.size() == sheet.pixels.size());
  int full = 0, half = 0, none = 0, wrong = 0;
  for (std::size_t i = 0; i < sheet.alpha.size(); ++i) {
    const bool red = sheet.pixels[i][0] > 0.9f && sheet.pixels[i][1] < 0.1f;
    const bool blue = sheet.pixels[i][2] > 0.9f && sheet.pixels[i][1] < 0.1f;
    if (sheet.alpha[i] == 0)
      ++none;
    else if (sheet.alpha[i] == 1)
      ++full, wrong += !red && !blue;
    else
      ++half, wrong += !red;
  }
  CHECK(full == 800 + 2 * 200);
  CHECK(half == 2 * 200);
  CHECK(none > 2 * 400);
  CHECK(wrong == 0);
  write_png(sheet, folder.path / "sheet.png");
  CHECK(has_alpha(folder.path / "sheet.png"));
  CHECK(contact_sheet({pictures[1]}, 1).alpha.empty());
  // Smaller: what is clear gives no colour to what is not.
  const Image small = resized(clear_picture(), 3, 2);
  REQUIRE(small.alpha.size() == 6);
  CHECK(small.at(0, 0)[0] == doctest::Approx(1));
  CHECK(small.alpha[0] == doctest::Approx(0.25).epsilon(0.01));  // 10 / 3 of 40 / 3 pixels
}

TEST_CASE("a_film_of_clear_pictures_is_laid_on_light_grey") {
  if (!can_film()) return;
  const TemporaryFolder folder;
  for (int k = 0; k < 2; ++k)
    write_png(clear_picture(), folder.path / fmt::format("frame_{:04}.png", k));
  const auto film = folder.path / "video.mp4", picture = folder.path / "first.png";
  write_video(folder.path, "frame_%04d.png", 24, film);
  output_of(
      fmt::format("ffmpeg -loglevel error -i {} -frames:v 1 {}", film.string(), picture.string()));
  const Image first = read_png(picture);
  REQUIRE(first.width == 40);
  const auto near = [&](int x, int red, int green, int blue) {
    const int wanted[] = {red, green, blue};
    for (int c = 0; c < 3; ++c) {
      INFO(x, " ", c);
      CHECK(std::abs(srgb_from_linear(first.at(x, 10)[c]) * 255 - float(wanted[c])) < 12);
    }
  };
  near(3, 243, 243, 243);   // clear
  near(15, 255, 0, 0);      // covered
  near(25, 249, 177, 177);  // half of the light
}
