#pragma once

#include <filesystem>
#include <string>
#include <unistd.h>

#include "phyxel/core/random.h"
#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// A folder of this test's own that vanishes with it.
struct TestFolder {
  std::filesystem::path path;

  explicit TestFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             ("phyxel_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~TestFolder() { std::filesystem::remove_all(path); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path operator/(const std::string& file) const { return path / file; }
};

/// Particles with every kind of column, values of all magnitudes.
Frame make_test_frame(std::size_t count);

/// A strip of triangles over positions of all magnitudes, with normals of length 1, texture, colour
/// from 0 to 1, velocity, temperature and body.
SurfaceMesh make_test_surface(std::size_t count);

/// How many vertices and triangles differ; all of them when their numbers do.
std::size_t differences(const TriangleMesh& a, const TriangleMesh& b);

/// Brackets of text are closed in the order of their opening, none in quotes.
bool is_balanced(const std::string& text);

/// "" when equal in every bit, else what differs first.
std::string difference(const FrameColumn& a, const FrameColumn& b);
std::string difference(const Frame& a, const Frame& b);

}  // namespace phyxel
