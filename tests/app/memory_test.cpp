#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "app/process.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"
#include "sanitized.h"

using namespace phyxel;

// Sanitizers take several times the memory.
#ifndef PHYXEL_SANITIZED

namespace {

struct Matter {
  const char* name;
  const char* text;  // of its table
  bool has_spacing = true;
};

/// A cube of about n particles in closest packing, for two very short frames.
std::string cube_of(const Matter& matter, double n) {
  const double edge = 0.01 * std::cbrt(n / std::sqrt(2.0));
  return fmt::format(R"(
duration = 2e-5
fps = 1e5
[render]
enabled = false
[output]
particles = "none"
[material.m]
{1}
[body.b]
material = "m"
{2}
shape = {{ type = "box", size = [{0}, {0}, {0}], centre = [0, {0}, 0] }}
[collider.ground]
shape = {{ type = "plane" }}
)",
                     edge, matter.text, matter.has_spacing ? "spacing = 0.01" : "");
}

/// The most memory that a run of the scene takes, bytes.
double peak_of_run(const fs::path& folder, const std::string& scene) {
  std::ofstream(folder / "scene.toml") << scene;
  Process process(folder, {"run", "scene.toml", "--out", "out", "--quiet", "--overwrite"});
  rusage usage{};
  CHECK(process.wait(usage) == 0);
  CHECK(process.error() == "");
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("check_foresees_the_memory_of_a_run") {
  const Matter kinds[] = {
      {"lennard_jones",
       "method = \"lennard_jones\"\nequilibrium_distance = 0.01\n"
       "youngs_modulus = 1e4",
       false},
      {"thresholds", "method = \"mass_interaction\"\nyoungs_modulus = 1e4"},
      {"paste", "preset = \"paste\""},
      {"plastic", "method = \"mass_interaction\"\npreset = \"toothpaste\""},
      {"granular", "preset = \"granules\""},
      {"mpm", "method = \"mpm\"\nyoungs_modulus = 1e4"},
      {"implicit", "method = \"mpm\"\nyoungs_modulus = 1e4\nintegration = \"implicit\""},
      {"sph", "method = \"sph\""},
      {"lattice", "method = \"lattice\"\nyoungs_modulus = 1e4"},
      {"freezing",
       "method = \"lattice\"\nyoungs_modulus = 1e4\nmelting_rate = 0.0\nfreezing_rate = 5.0"},
  };

  const TemporaryFolder folder;
  for (const Matter& matter : kinds) {
    CAPTURE(matter.name);
    const double program = peak_of_run(folder.path, cube_of(matter, 100));
    const std::string scene = cube_of(matter, 60'000);
    const double measured = peak_of_run(folder.path, scene) - program;
    const double foreseen = plan(parse_scene(scene, "scene.toml")).bytes;
    // A quarter: rows, blocks and buffers are rounded up, and the border has fewer neighbours. The
    // shares of numbers and indices were measured with float.
    const double tolerance = sizeof(Real) == 4 ? 0.25 : 0.4;
    CHECK(foreseen == doctest::Approx(measured).epsilon(tolerance));
  }
}
#endif
