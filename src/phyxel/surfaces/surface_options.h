#pragma once

#include <string>
#include <vector>

#include "phyxel/core/range.h"

namespace phyxel {

enum class FieldKind {
  blobs,        // Blinn 1982: a sum of bells
  sph,          // Mueller et al. 2003: the colour field, a smoothed fraction of volume
  zhu_bridson,  // Zhu and Bridson 2005: distance from the mean of the points around
  anisotropic,  // Yu and Turk 2013: as sph, with kernels stretched along the surface
};
/// Their names, in the order of the enumeration.
const std::vector<std::string>& field_names();
/// The kind of that name; zhu_bridson for others, as flow.
FieldKind field_kind(const std::string& name);

struct FieldOptions {
  FieldKind kind = FieldKind::blobs;
  Real spacing = 0;  // m, between neighbouring particles; 0: measured
  Real radius = 0;   // m; blobs: of a lone particle, others: of the kernel; 0: by default
  Real blobbiness = Real(0.5);  // of blobs: the smaller, the more they merge
  Real iso = 0;                 // sum on the surface, not of zhu_bridson; 0: by default
};

/// Methods that make a surface around points, with options of their own.
inline const std::vector<std::string> around_points = {"blobs", "sph", "zhu_bridson", "anisotropic",
                                                       "flow"};
/// Squares and cubes of smaller numbers are 0.
constexpr Range workable{1e-12, infinity, true, true, "leave it out for a good value"};

/// Not of the kind, which belongs to the method of a surface, nor of the spacing, which bodies
/// have.
template <class Fields>
void describe(Fields& field, FieldOptions& o) {
  field("radius", o.radius, "m", workable,
        "blobs: of a lone particle, others: reach of a point; from the spacing when absent")
      .used_by = {"blobs", "sph", "zhu_bridson", "anisotropic", "flow", "skin"};
  field("blobbiness", o.blobbiness, "", {0.01, 20, true, true, ""},
        "of blobs: the smaller, the more they merge")
      .used_by = {"blobs"};
  field("iso", o.iso, "", workable,
        "value on the surface, not of zhu_bridson; when absent it keeps the volume, or with a "
        "radius makes lone blobs as large as that")
      .used_by = {"blobs", "sph", "anisotropic"};
}

struct SurfaceOptions {
  FieldOptions field;
  Real cell = 0;         // m, of the grid; 0: half of the spacing
  int smooth = 0;        // passes of smoothing that keep the volume
  bool separate = true;  // a closed surface for each material instead of one around all
};

template <class Fields>
void describe(Fields& field, SurfaceOptions& o) {
  describe(field, o.field);
  field("cell", o.cell, "m", workable, "width of the grid; half of the spacing when absent")
      .used_by = around_points;
  field("smooth", o.smooth, "", {0, 1000, true, true, ""}, "passes of smoothing; the volume stays")
      .used_by = around_points;
}

}  // namespace phyxel
