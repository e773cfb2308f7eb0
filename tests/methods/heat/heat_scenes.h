#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// The same bodies of every method that conducts heat.

namespace phyxel {

struct HeatedMethod {
  std::string name;
  std::string keys;  // of its material, a soft solid or a liquid
};

inline const std::vector<HeatedMethod>& heated_methods() {
  static const std::vector<HeatedMethod> all = {
      {"lattice", "youngs_modulus = 1e4\n"},
      {"sph", "sound_speed = 5.0\n"},
      {"lennard_jones", "youngs_modulus = 1e4\ndamping = 20.0\n"},
      {"mass_interaction", "automaton = \"cohesive\"\nyoungs_modulus = 1e4\nviscosity = 20.0\n"},
      {"mpm", "law = \"corotated\"\nyoungs_modulus = 1e4\n"},
  };
  return all;
}

/// Matter of 1000 kg/m^3 and 100 J/(kg K) that floats, and what else is in the scene.
inline World heated_world(const HeatedMethod& method, const std::string& keys,
                          const std::string& shape, double spacing, const std::string& more = "",
                          const std::string& world = "", int fps = 10) {
  return build(
      parse_scene(fmt::format(R"(
fps = {}
[world]
gravity = [0, 0, 0]
{}
[material.m]
method = "{}"
density = 1000.0
specific_heat = 100.0
{}{}
[body.b]
material = "m"
shape = {}
spacing = {}
{}
)",
                              fps, world, method.name, method.keys, keys, shape, spacing, more),
                  "test"),
      {});
}

inline Method& method_of(World& world) {
  return *world.methods.front();
}

inline double mean_temperature(World& world) {
  const HostParticles& p = method_of(world).particles();
  double sum = 0, mass = 0;
  for (Index i = 0; i < p.size(); ++i) sum += p.mass[i] * p.temperature[i], mass += p.mass[i];
  return sum / mass;
}

inline const double* enthalpies(World& world) {
  for (const ColumnView& view : method_of(world).columns())
    if (view.name == "enthalpy") return static_cast<const double*>(view.data);
  return nullptr;
}

/// Mass times enthalpy, J.
inline double heat_of(World& world) {
  const HostParticles& p = method_of(world).particles();
  const double* enthalpy = enthalpies(world);
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) sum += p.mass[i] * enthalpy[i];
  return sum;
}

/// All columns byte by byte, in the order of ids.
inline std::vector<std::byte> bytes_of(World& world) {
  const HostParticles& p = method_of(world).particles();
  std::vector<Index> order(p.x.size());
  for (Index i = 0; i < p.size(); ++i) order[p.id[i]] = i;
  std::vector<std::byte> bytes;
  for (const ColumnView& view : method_of(world).columns())
    for (const Index i : order) {
      const auto* from = static_cast<const std::byte*>(view.data) + i * view.element_size();
      bytes.insert(bytes.end(), from, from + view.element_size());
    }
  return bytes;
}

}  // namespace phyxel
