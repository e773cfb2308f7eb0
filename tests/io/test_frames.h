#pragma once

#include <filesystem>
#include <string>
#include <unistd.h>

#include "phyxel/core/random.h"
#include "phyxel/matter/frame.h"

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

/// "" when equal in every bit, else what differs first.
std::string difference(const FrameColumn& a, const FrameColumn& b);
std::string difference(const Frame& a, const Frame& b);

/// f(prefix) for prefixes of `bytes` of many lengths: all short ones, a spread of others and those
/// near the end. Returns how many threw InputError; any other exception passes through.
template <class F>
int count_refused_cuts(const std::string& bytes, F&& f);

}  // namespace phyxel

#include "phyxel/core/error.h"

namespace phyxel {

template <class F>
int count_refused_cuts(const std::string& bytes, F&& f) {
  int refused = 0;
  const std::size_t step = bytes.size() / 500 + 1;
  for (std::size_t n = 0; n < bytes.size(); n += n < 100 || n + 100 > bytes.size() ? 1 : step) {
    try {
      f(bytes.substr(0, n));
    } catch (const InputError&) {
      ++refused;
    }
  }
  return refused;
}

}  // namespace phyxel
