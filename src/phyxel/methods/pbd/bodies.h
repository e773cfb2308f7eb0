#pragma once

#include "phyxel/matter/body_seed.h"
#include "phyxel/matter/material.h"
#include "phyxel/methods/pbd/kinds.h"

namespace phyxel::pbd {

/// A closed surface of triangles between vertices, with gas inside.
struct ClosedBody {
  Index material;
  std::vector<Int3> triangles;  // with their front outside
  double volume;                // at rest, m^3
  std::string name;             // of the body
  double radius = 0;            // m, of a sphere with the area of the skin
  double thickness = 0;         // m
  Index body = -1;              // into World::bodies
  bool burst = false;           // it holds no gas any more
};

/// Where the vertices and triangles of a body begin in the model.
struct BodyStart {
  Index body, material, vertex, triangle;
};

/// The lot of a constraint that has ended.
constexpr Index no_lot = -1;

/// Bodies as vertices and what joins them. Vertices are numbered in the order in which bodies were
/// added, and keep their numbers when particles are removed.
struct Model {
  std::vector<ParticleId> id;  // of the particle of each vertex
  std::vector<Vec3> rest;      // m
  std::vector<Index> body;     // into World::bodies
  std::vector<Int3> triangles;
  std::vector<Vec<Index, 2>> edges;
  std::vector<Lot> lots;
  std::vector<ClosedBody> balloons;
  std::vector<BodyStart> starts;
  // Springs that tears have made, and those that they are copies of.
  std::vector<Vec<Index, 2>> copied_springs;
  AllKinds::Each<Constraints> constraints;

  template <class Kind>
  Constraints<Kind>& of() {
    return std::get<Constraints<Kind>>(constraints);
  }
};

/// Adds a body with the constraints of its kind. `material`: resolved.
void add_to(Model& model, const BodySeed& seed, const Material& material);

/// m, of a sheet: as given, or volume over the area of a point.
double thickness_of(const BodySeed& seed);

/// The number of a lot, which is added where there is none like it.
Index lot_of(Model& model, const Lot& lot);

}  // namespace phyxel::pbd
