#include "phyxel/render/video.h"

#include <cstdio>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "phyxel/core/error.h"
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
