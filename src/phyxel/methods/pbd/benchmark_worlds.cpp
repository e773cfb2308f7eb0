#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/methods/benchmark_world.h"

namespace phyxel::pbd {

namespace {

const std::string material = "method = \"pbd\"\nstretch_modulus = 1.0e3\ndensity = 1.0\n";

/// A square sheet of n particles, spacing 1.
std::string sheet(std::size_t n, const std::string& keys) {
  const double edge = std::round(std::sqrt(double(n))) - 1;
  return free_body(material + keys,
                   fmt::format("shape = {{ type = \"sheet\", width = {0}, height = {0} }}\n"
                               "packing = \"cubic\"\n",
                               edge));
}
std::string cloth(std::size_t n) {
  return sheet(n, "self_contact = false\n");
}
std::string bending_cloth(std::size_t n) {
  return sheet(n, "self_contact = false\nbend_stiffness = 1.0\n");
}
std::string touching_cloth(std::size_t n) {
  return sheet(n, "");
}

/// A cube of n particles, spacing 1, of soft elements.
std::string solid(std::size_t n, const std::string& elements) {
  return free_body(
      "method = \"pbd\"\nyoungs_modulus = 1.0e3\ndensity = 1.0\nelements = \"" + elements + "\"\n",
      fmt::format("shape = {{ type = \"box\", size = [{0}, {0}, {0}] }}\n"
                  "packing = \"cubic\"\n",
                  std::round(std::cbrt(double(n)))));
}
std::string cells(std::size_t n) {
  return solid(n, "cells");
}
std::string tetrahedra(std::size_t n) {
  return solid(n, "tetrahedra");
}

/// It waves at right angles to itself.
void wave(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / std::sqrt(double(n)));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{Real(0), Real(0), std::sin(k * p.x[i][0]) * std::sin(k * p.x[i][1])};
}

/// It is a scroll (r = a + b angle) of layers that are a little nearer than the thickness of 0.5,
/// and that slide along each other.
void roll(HostParticles& p, std::size_t n) {
  const double a = 2, b = 0.48 / (2 * M_PI), half = std::sqrt(double(n)) / 2;
  for (Index i = 0; i < p.size(); ++i) {
    const double along = double(p.x[i][0]) + half;  // a angle + b angle^2 / 2
    const double angle = (std::sqrt(a * a + 2 * b * std::max(along, 0.0)) - a) / b;
    const double r = a + b * angle;
    p.x[i] = {Real(r * std::cos(angle)), p.x[i][1], Real(r * std::sin(angle))};
    p.v[i] = {0, Real(2 * std::sin(angle / 2)), 0};
  }
}

void wave_through(HostParticles& p, std::size_t n) {
  const Real k = static_cast<Real>(2 * M_PI / std::cbrt(double(n)));
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] = Vec3{Real(0), std::sin(k * p.x[i][0]), std::sin(k * p.x[i][1])};
}

}  // namespace

std::vector<BenchmarkWorld> benchmark_worlds() {
  return {
      {"pbd_cloth", "pbd steps of a waving cloth, a sweep of 3 distances per particle each",
       1000000, 30, cloth, wave},
      {"pbd_bending", "the same of 300 x 300 with 3 bending angles per particle too", 90000, 100,
       bending_cloth, wave},
      {"pbd_self_contact", "the same of a scroll whose layers all touch, search included", 100000,
       30, touching_cloth, roll},
      {"pbd_solid", "the same of a cube of cells that shear waves run through, 3 constraints each",
       1000000, 10, cells, wave_through},
      {"pbd_tetrahedra", "the same of tetrahedra, five for each cell with 2 constraints each",
       1000000, 5, tetrahedra, wave_through}};
}

}  // namespace phyxel::pbd
