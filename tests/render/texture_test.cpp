#include <doctest/doctest.h>
#include <fstream>

#include "phyxel/core/error.h"
#include "phyxel/render/image.h"
#include "render/picture_scenes.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

Image red_green_blue_white() {
  Image image(2, 2);
  image.pixels = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  return image;
}

}  // namespace

TEST_CASE("a_texture_has_its_origin_at_the_lower_left_and_repeats") {
  const Image image = red_green_blue_white();
  CHECK(sample_image(image, {0.25f, 0.25f})[2] == doctest::Approx(1));
  CHECK(sample_image(image, {0.75f, 0.75f})[1] == doctest::Approx(1));
  CHECK(sample_image(image, {-0.75f, 1.75f})[0] == doctest::Approx(1));
  const Colour middle = sample_image(image, {0.5f, 0.5f});
  for (int k = 0; k < 3; ++k) CHECK(middle[k] == doctest::Approx(0.5));
}

TEST_CASE("a_texture_lies_on_a_mesh_by_its_coordinates") {
  PictureScene scene = uniform_light(1);
  MeshObject square_mesh;
  square_mesh.mesh.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  square_mesh.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  square_mesh.coordinates = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  square_mesh.colours = {{1, 1, 1}};
  square_mesh.finish = {1, 0};
  square_mesh.texture = std::make_shared<Image>(red_green_blue_white());
  scene.meshes.push_back(square_mesh);
  const Image image = render_picture({}, scene, front(2), square(32, 4));
  CHECK(image.at(8, 8)[0] > 0.9f);   // upper left: red
  CHECK(image.at(24, 8)[1] > 0.9f);  // upper right: green
  CHECK(image.at(8, 24)[2] > 0.9f);
  CHECK(image.at(8, 24)[0] < 0.1f);
}

TEST_CASE("pictures_of_other_programs_are_read") {
  const TemporaryFolder folder;
  const std::filesystem::path png = folder.path / "a.png";
  write_png(red_green_blue_white(), png);
  const Image image = read_picture(png);
  REQUIRE(image.width == 2);
  CHECK(image.at(1, 0)[1] == doctest::Approx(1));
  const std::filesystem::path hdr = folder.path / "a.hdr";
  std::ofstream(hdr, std::ios::binary)
      << "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n"
      << std::string("\x80\x40\x20\x84\x80\x80\x80\x81", 8);  // 8 4 2, and 1 1 1
  const Image light = read_picture(hdr);
  REQUIRE(light.width == 2);
  CHECK(light.at(0, 0)[0] == doctest::Approx(8).epsilon(0.01));
  CHECK(light.at(0, 0)[2] == doctest::Approx(2).epsilon(0.01));
  CHECK(light.at(1, 0)[1] == doctest::Approx(1).epsilon(0.01));
  std::ofstream(folder.path / "cut.png", std::ios::binary) << "\x89PNG";
  CHECK_THROWS_AS(read_picture(folder.path / "cut.png"), InputError);
  CHECK_THROWS_AS(read_picture(folder.path / "none.png"), InputError);
}
