#include "phyxel/methods/benchmark_world.h"

#include <cmath>
#include <fmt/format.h>

namespace phyxel {

double cube_edge(std::size_t n) {
  return std::cbrt(static_cast<double>(n) / std::sqrt(2.0));
}

std::string free_body(const std::string& material, const std::string& body) {
  return fmt::format(R"(
[world]
gravity = [0, 0, 0]
[material.m]
{}
[body.b]
material = "m"
spacing = 1.0
{}
)",
                     material, body);
}

std::string free_cube(std::size_t n, const std::string& material, const std::string& body) {
  return free_body(
      material,
      fmt::format("shape = {{ type = \"box\", size = [{0}, {0}, {0}] }}\n{1}", cube_edge(n), body));
}

}  // namespace phyxel
