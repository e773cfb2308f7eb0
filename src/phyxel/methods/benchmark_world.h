#pragma once

#include <cmath>
#include <string>

#include "phyxel/matter/particles.h"

namespace phyxel {

/// A world whose steps `phyxel bench` measures.
struct BenchmarkWorld {
  std::string name;
  std::string summary;        // one line
  std::size_t particles = 0;  // default size
  int steps = 50;             // of a repetition: rows stay valid for some, each builds them too
  std::string (*scene)(std::size_t n) = nullptr;  // TOML of a world of about n particles
  void (*stir)(HostParticles& particles, std::size_t n) = nullptr;  // sets velocities
};

/// Edge of a cube of closest packing with about n particles of spacing 1.
inline double cube_edge(std::size_t n) {
  return std::cbrt(static_cast<double>(n) / std::sqrt(2.0));
}

}  // namespace phyxel
