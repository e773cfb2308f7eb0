#pragma once

#include <any>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/methods/benchmark_world.h"
#include "phyxel/methods/method.h"

namespace phyxel {

/// A sheet or line, for what a method says of it before it runs.
struct ThinBody {
  double spacing = 0, thickness = 0;  // m
  double length = 0;                  // m, that may hang from one place
  double gravity = 0;                 // m/s^2
  bool is_line = false, is_pinned = false;
};

/// A method for the rest of the program: what `info()` of its folder returns. One line in
/// registry.cpp adds a method to the library; a program adds one of its own with add_method().
struct MethodInfo {
  std::string name;
  std::string summary;  // one line
  std::any (*default_parameters)() = nullptr;
  void (*describe)(Fields& fields, std::any& parameters) = nullptr;
  /// Names of which at most one may be given; an event that sets one takes the place of the others.
  std::vector<std::vector<std::string>> alternatives;
  /// Parameters that are lengths in m of the order of the spacing; the scene's `resolution` divides
  /// them.
  std::vector<std::string> lengths;
  /// Parameters that describe particles of one size; refused with another `resolution` than 1.
  std::vector<std::string> of_one_particle;
  /// Why a parameter has no effect with the values of the others, and what to do about it; empty
  /// where it has one. `given`: the names that the scene has. Null where all are always used.
  std::string (*idle)(const std::any& parameters, const std::set<std::string>& given,
                      const std::string& name) = nullptr;
  /// Distance between neighbours of matter at rest, m; not_given when the user has to give it.
  double (*rest_spacing)(const Material& material, int dimensions) = [](const Material&, int) {
    return double(not_given);
  };
  /// Fills what follows from other parameters once spacing and dimensions are known; throws Error
  /// when it cannot.
  void (*resolve)(Material& material) = [](Material&) {};
  /// Lines for `phyxel check`: derived properties of a material.
  std::vector<std::string> (*report)(const Material& material) = [](const Material&) {
    return std::vector<std::string>();
  };
  /// A picture of how pairs of a material behave, as SVG; null where there is none to draw.
  std::string (*diagram)(const Material& material) = nullptr;
  /// Memory of a particle of the material while it runs: columns, their copies, neighbours.
  double (*bytes_per_particle)(const Material& material) = nullptr;
  bool has_contact_kinds = false;  // slip and sticky colliders; refused where false
  /// Its particles have columns `reference`, `deformation`, `absorbed`, `absorbs` and `support`: a
  /// surface of surfels remembers what became of them from frame to frame.
  bool has_reference_shape = false;
  bool keeps_neighbours = true;  // false: a liquid, whose particles carry no mesh and no surfels
  bool has_phases = false;       // its particles are solid or liquid, in a column `phase`
  bool has_thin_bodies = true;   // sheets and lines of one layer in space; refused where false
  bool conducts_heat = false;    // from colliders too; their temperatures are refused where false
  /// Whether the meshes of bodies of a material change what they join: frames then have them in
  /// files, as they do not follow from the particles. Null where they never do.
  bool (*tears)(const Material& material) = nullptr;
  /// Materials that particles of one may turn into, by the parameters that name them; null where a
  /// particle always keeps its material.
  std::map<std::string, std::string> (*turns_into)(const Material& material) = nullptr;
  /// Edge of a cell of the grid for particles of a volume (m^3; m^2 of a flat scene), m; null where
  /// the method has no grid.
  double (*grid_cell)(const Material& material, double particle_volume, int dimensions) = nullptr;
  /// Why a material cannot be a sheet, in a flat scene with world.plane = "stress", and what to do
  /// about it; empty where it can. Null where the method has no elastic solids: world.plane means
  /// nothing to it.
  std::string (*refuses_sheet)(const Material& material) = nullptr;
  /// What will go wrong with a sheet or line, by how much, and what to do about it; empty where it
  /// is fine. Null where nothing does.
  std::string (*warn_of_thin_body)(const Material& material, const ThinBody& body) = nullptr;
  /// Why a nozzle cannot emit a material, and what to do about it; empty where it can. Null where
  /// all can be emitted.
  std::string (*refuses_emitter)(const Material& material) = nullptr;
  std::unique_ptr<Method> (*make)() = nullptr;

  // The registry fills these for the methods of the library.
  const char* presets = "";  // TOML, a [material.NAME] table for each, with a summary
  std::vector<BenchmarkWorld> benchmark_worlds;
  std::unique_ptr<Method> (*make_cuda)() = nullptr;  // null: not in this build
};

/// The info of a method whose materials have these Parameters; describe(fields, parameters) is
/// beside them, and idle(parameters, given, name) where some may have no effect.
template <class Parameters>
MethodInfo info_of(std::string name, std::string summary) {
  MethodInfo info;
  info.name = std::move(name);
  info.summary = std::move(summary);
  info.default_parameters = [] { return std::any(Parameters{}); };
  info.describe = [](Fields& fields, std::any& parameters) {
    describe(fields, std::any_cast<Parameters&>(parameters));
  };
  if constexpr (requires(const Parameters& p) { idle(p, {}, std::string()); }) {
    info.idle = [](const std::any& parameters, const std::set<std::string>& given,
                   const std::string& of) {
      return idle(std::any_cast<const Parameters&>(parameters), given, of);
    };
  }
  return info;
}

}  // namespace phyxel
