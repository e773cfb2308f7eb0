#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/row_memory.h"
#include "springs/material.h"
#include "springs/method.h"

namespace phyxel::springs {

const char* presets();  // the text of presets.toml
namespace cuda {
std::unique_ptr<Method> make_solver();  // method.cpp as nvcc compiles it
}

namespace {

void resolve(Material& material) {
  if (!is_given(parameters_of<Parameters>(material).stiffness))
    throw InputError(
        fmt::format("material.{} has no stiffness; give one, e.g. stiffness = 100.0, or a preset",
                    material.name));
}

/// Closest packing with springs between nearest neighbours: along an axis of the cube where it is
/// face-centred cubic, in any direction where it is flat (N/m).
std::vector<std::string> report(const Material& material) {
  const double k = parameters_of<Parameters>(material).stiffness;
  const double modulus =
      material.dimensions == 2 ? 2 / std::sqrt(3.0) * k : std::sqrt(8.0) / 3 * k / material.spacing;
  return {fmt::format("Young's modulus             {:.3g} {}", modulus,
                      material.dimensions == 2 ? "N/m" : "Pa")};
}

}  // namespace

MethodInfo info() {
  MethodInfo info = info_of<Parameters>("springs", "masses joined by springs that can break");
  info.of_one_particle = {"stiffness", "damping"};
  info.resolve = resolve;
  info.report = report;
  // Particles with their copies for reordering, force, energy, cells and a row with its skin.
  info.bytes_per_particle = [](const Material& material) -> double {
    return 6 * sizeof(Vec3) + 12 * sizeof(Real) + 16 * sizeof(Index) +
           row_bytes(1.2 * parameters_of<Parameters>(material).reach, material.dimensions) +
           saved_bytes(sizeof(Real));
  };
  info.has_contact_kinds = true;
  info.presets = presets();
  info.make = make_solver;
#ifdef PHYXEL_CUDA
  info.make_cuda = cuda::make_solver;
#endif
  return info;
}

}  // namespace phyxel::springs
