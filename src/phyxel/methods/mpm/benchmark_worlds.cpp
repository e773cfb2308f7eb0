#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::mpm {

namespace {

/// A ball of snow, jelly or water that flies, turns and rings in empty space: eight particles a
/// cell. It flies at some 3 m/s and turns as fast at its rim, about a tenth of the speed of its
/// waves, as matter does that was thrown: particles cross a cell in some fifteen steps.
std::string flying_ball(std::size_t n, const std::string& material) {
  const double radius = std::cbrt(static_cast<double>(n) * 3 / (4 * M_PI) / 8) * 2;
  return free_body("method = \"mpm\"\ncell = 2.0\n" + material,
                   fmt::format(R"(
shape = {{ type = "sphere", radius = {} }}
packing = "jittered"
velocity = [0.5, 2.5, 1.0]
angular_velocity = [{}, {}, {}]
)",
                               radius, 1.4 / radius, 2.1 / radius, 0.7 / radius));
}

std::string snow(std::size_t n) {
  return flying_ball(n, "law = \"snow\"\ndensity = 400.0");
}
std::string liquid(std::size_t n) {
  return flying_ball(n, "law = \"liquid\"\nbulk_modulus = 1e6");
}
std::string elastic(std::size_t n) {
  return flying_ball(n, "law = \"neo_hookean\"\nyoungs_modulus = 1e5");
}
std::string flip(std::size_t n) {
  return flying_ball(n, "law = \"snow\"\ndensity = 400.0\ntransfer = \"flip\"");
}

constexpr int steps = 100;  // of a frame, as in scenes: 60 frames a second of snow take more

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {
      {"mpm_snow", "mpm steps of a flying snowball, quadratic splines, 8 particles a cell", 600000,
       steps, snow},
      {"mpm_liquid", "the same with a liquid", 600000, steps, liquid},
      {"mpm_elastic", "the same with neo-Hookean jelly", 600000, steps, elastic},
      {"mpm_flip", "the snowball with cubic splines and PIC/FLIP", 600000, steps, flip},
  };
}

}  // namespace phyxel::mpm
