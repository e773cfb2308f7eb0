#pragma once

#include <set>
#include <string>
#include <vector>

#include "phyxel/core/error.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

/// A shape as written: its type and numbers, and the shapes it is made of.
struct ShapeSpec {
  std::string type;
  Place place;
  Vec3d centre = Vec3d::zero();          // m
  Vec3 rotation = Vec3::zero();          // degrees about x, then y, then z
  Vec3 size = Vec3::filled(not_given);   // m: box, heightfield
  Vec3 radii = Vec3::filled(not_given);  // m: ellipsoid
  Vec3d point = Vec3d::zero();           // m: plane
  Vec3 normal = {0, 1, 0};               // plane
  Real height = not_given;               // m: cylinder, capsule, cone; and of models
  Real radius = not_given;               // m
  Real top_radius = 0;                   // m: cone
  Real thickness = not_given;            // m: torus
  Real width = not_given;                // m: sheet
  std::vector<Vec3> points;              // m: polyline
  Real rounding = 0;                     // m: box
  Real scale = 1;                        // mesh, particles
  Real blend = 0;                        // m: union, intersection, difference
  Real fps = 24;                         // 1/s: mesh_sequence
  std::string file;                      // mesh, particles, heightfield; {} in a mesh_sequence
  std::vector<ShapeSpec> of;             // union, intersection, difference
};

/// Whether a list of words has this one.
template <class Words>
bool contains(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

/// Words a shape's `type` may be.
inline std::vector<std::string> shape_types() {
  return {"box",   "sphere", "ellipsoid",    "cylinder",      "capsule",   "cone",    "torus",
          "plane", "mesh",   "heightfield",  "mesh_sequence", "particles", "bunny",   "bust",
          "die",   "union",  "intersection", "difference",    "sheet",     "polyline"};
}

inline bool is_operation(const std::string& type) {
  return type == "union" || type == "intersection" || type == "difference";
}

inline void describe_files(Fields& field, ShapeSpec& s) {
  if (s.type == "mesh") field("file", s.file, "closed triangle mesh: .obj, .ply or .stl");
  if (s.type == "particles")
    field("file", s.file,
          "points: .ply, .xyz, .csv, .vtk or .vtp; with velocities where it has them");
  if (s.type == "heightfield")
    field("file", s.file,
          "text file with one row of heights in m per line, along z; x runs along a row");
  if (s.type == "mesh_sequence") {
    field("file", s.file, "meshes with {} for the number, e.g. \"blade_{}.obj\"");
    field("fps", s.fps, "1/s", positive, "meshes per second");
  }
  if (s.type != "heightfield") field("scale", s.scale, "", positive, "makes it larger");
}

/// Only the parameters of a shape of this type.
inline void describe(Fields& field, ShapeSpec& s) {
  const std::string& t = s.type;
  const auto is = [&](std::set<std::string> types) { return types.count(t) > 0; };
  if (t == "plane") {
    field("point", s.point, "m", any_number, "on the plane");
    field("normal", s.normal, "", any_number, "out of the solid");
    return;
  }
  field("centre", s.centre, "m", any_number, "where its middle is");
  field("rotation", s.rotation, "degrees", any_number, "about x, then y, then z");
  if (is({"box", "heightfield"}))
    field("size", s.size, "m", positive,
          "edges along x, y, z (heightfield: y is the depth of the solid)");
  if (t == "box") field("rounding", s.rounding, "m", not_negative, "radius of the edges");
  if (t == "ellipsoid") field("radii", s.radii, "m", positive, "along x, y, z");
  if (is({"sphere", "cylinder", "capsule", "cone", "torus"}))
    field("radius", s.radius, "m", positive, "radius (torus: of the ring)");
  if (t == "cone") field("top_radius", s.top_radius, "m", not_negative, "radius at the upper end");
  if (t == "torus") field("thickness", s.thickness, "m", positive, "radius of the tube");
  if (is({"cylinder", "capsule", "cone"}))
    field("height", s.height, "m", positive, "along y (capsule: between the centres of its caps)");
  if (t == "sheet") {
    field("width", s.width, "m", positive, "along its own x axis");
    field("height", s.height, "m", positive, "along its own y axis; z is across the sheet");
  }
  if (t == "polyline")
    field("points", s.points, "m", any_number,
          "corners of the line, from one end to the other, relative to centre");
  if (is({"bunny", "bust", "die"})) field("size", s.height, "m", positive, "height (die: edge)");
  if (is_operation(t))
    field("blend", s.blend, "m", not_negative, "radius over which surfaces melt together");
  if (is({"mesh", "particles", "heightfield", "mesh_sequence"})) describe_files(field, s);
}

}  // namespace phyxel
