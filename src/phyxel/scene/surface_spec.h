#pragma once

#include "phyxel/core/error.h"
#include "phyxel/matter/parameters.h"
#include "phyxel/scene/surfel_spec.h"
#include "phyxel/surfaces/surface_parameters.h"

namespace phyxel {

namespace render {
const std::vector<std::string>& look_names();  // of looks.h, which brings the whole renderer
}

enum class SurfacePhase { all, solid, liquid };

/// How the particles of a material or a body are drawn and written.
struct SurfaceSpec : SurfaceParameters, SurfelSpec {
  std::string name;
  Place place;
  std::string of;  // the material or the body; the name when absent
  SurfacePhase phase = SurfacePhase::all;
  bool direct = false;  // the field is traced, without a mesh
  bool visible = true;
  std::string look = "glossy";
  Vec3 colour = Vec3::filled(not_given);
  Vec3 back_colour = Vec3::filled(not_given);
  Real roughness = not_given;
  Real depth = not_given;  // m
  std::string texture;     // file
  std::string mesh;        // file, of a skin or surfels
};

inline void describe(Fields& field, SurfaceSpec& s) {
  field("of", s.of, "the material or body that it is for; its own name when absent");
  field.choice("phase", s.phase, {"all", "solid", "liquid"},
               "of matter that melts or freezes: what part of it");
  describe(field, static_cast<SurfaceParameters&>(s));
  describe(field, static_cast<SurfelSpec&>(s));
  field("direct", s.direct, "draw the field itself, without a mesh; no files are written then")
      .used_by = around_points;
  field("visible", s.visible, "draw it");
  field.choice("look", s.look, render::look_names(), "how light meets it");
  field("colour", s.colour, "", {0, 1, true, true, ""},
        "red, green, blue; that of the material or of the look when absent");
  field("back_colour", s.back_colour, "", {0, 1, true, true, ""},
        "of a sheet: red, green, blue of the side its normals point away from; as the other side "
        "when absent")
      .used_by = {"body"};
  field("roughness", s.roughness, "", {0, 1, true, true, ""},
        "0 mirror-like to 1 dull; that of the look when absent");
  field(
      "depth", s.depth, "m", positive,
      "how far light goes in snow and wax; thickness that has the colour in water, gel and glass");
  field("texture", s.texture,
        "of a skin, a body or surfels: picture that is laid over it (.png, .jpg)")
      .used_by = {"skin", "surfels", "body"};
  field("mesh", s.mesh,
        "of a skin or surfels: .obj, .ply or .stl in the place of the body's shape; the mesh of "
        "the shape when absent")
      .used_by = {"skin", "surfels"};
}

}  // namespace phyxel
