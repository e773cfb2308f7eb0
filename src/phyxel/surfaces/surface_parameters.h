#pragma once

#include "phyxel/surfaces/flow_options.h"
#include "phyxel/surfaces/surface_options.h"

namespace phyxel {

/// Ways to show points: the fields, flow, skin (a mesh that follows them), surfels (discs that
/// follow them), body (the mesh whose vertices they are) and particles (none).
inline const std::vector<std::string>& surface_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = field_names();
    all.insert(all.end(), {"flow", "skin", "surfels", "body", "particles"});
    return all;
  }();
  return names;
}

/// A surface as tables of scenes and `phyxel surface` ask for it.
struct SurfaceParameters {
  std::string method = "zhu_bridson";  // one of surface_methods()
  SurfaceOptions options;
  FlowOptions flow;     // of the method flow
  double decimate = 1;  // share of the triangles that is kept
};

template <class Fields>
void describe(Fields& field, SurfaceParameters& s) {
  field.choice(
      "method", s.method, surface_methods(),
      "zhu_bridson, anisotropic, sph or blobs: a surface around the points; flow: one around the "
      "border of their flow; skin: a mesh that follows them; surfels: discs that follow them; "
      "body: "
      "the mesh of a sheet, whose vertices they are; particles: no surface");
  describe(field, s.options);
  describe(field, s.flow);
  field("decimate", s.decimate, "", {1e-3, 1, true, true, ""},
        "share of the triangles that is kept; the surface stays closed")
      .used_by = around_points;
}

/// The options with the kind of field that belongs to the method.
inline SurfaceOptions surface_options(const SurfaceParameters& parameters) {
  SurfaceOptions options = parameters.options;
  options.field.kind = field_kind(parameters.method);
  return options;
}

}  // namespace phyxel
