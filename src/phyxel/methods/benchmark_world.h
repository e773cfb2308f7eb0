#pragma once

#include <string>
#include <vector>

#include "phyxel/matter/particles.h"

namespace phyxel {

/// A world whose steps `phyxel bench` measures.
struct BenchmarkWorld {
  std::string name;
  std::string summary;        // one line
  std::size_t particles = 0;  // default size
  int steps = 50;             // of a repetition: rows stay valid for some, each builds them too
  std::string (*scene)(std::size_t n) = nullptr;  // TOML of a world of about n particles
  void (*stir)(HostParticles& particles, std::size_t n) = nullptr;  // sets velocities or places
};

/// Edge of a cube of closest packing with about n particles of spacing 1.
double cube_edge(std::size_t n);

/// TOML of a world without gravity and with one body of spacing 1, by the keys of its material and
/// of the body.
std::string free_body(const std::string& material, const std::string& body);

/// The same for a cube of closest packing with about n particles.
std::string free_cube(std::size_t n, const std::string& material, const std::string& body = "");

}  // namespace phyxel
