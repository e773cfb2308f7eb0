#pragma once

#include "phyxel/matter/parameters.h"
#include "phyxel/surfaces/surfels/paint.h"

namespace phyxel {

/// What a surface of surfels is like: keys of a [surface.NAME] table.
struct SurfelSpec {
  Real surfel_spacing = 0;        // m; 0: a quarter of that of the particles
  bool surfel_detail = true;      // what was sampled is kept where topology does not change
  bool surfel_implicit = true;    // where it changes, detail becomes the implicit surface
  bool surfel_contact = true;     // surfels take the shape and colour of what they touch
  bool surfel_resampling = true;  // surfels are split, deleted and spread evenly
  bool surfel_zombies = true;     // unresampled surfels carry colour and shape for the others
  std::string show = "detail";    // the set that is drawn and written
  Paint paint;                    // in place of the colour; width 0: four spacings of particles
};

inline void describe(Fields& field, SurfelSpec& s) {
  const std::vector<std::string> used_by = {"surfels"};
  field("surfel_spacing", s.surfel_spacing, "m",
        {1e-12, infinity, true, true, "leave it out for a good value"},
        "between surfels; a quarter of the spacing of the particles when absent")
      .used_by = used_by;
  field(
      "surfel_detail", s.surfel_detail,
      "keep what was sampled where topology does not change; false: the implicit surface is shown "
      "everywhere")
      .used_by = used_by;
  field("surfel_implicit", s.surfel_implicit,
        "of a method with a reference shape: where topology changes, detail becomes the implicit "
        "surface around the particles")
      .used_by = used_by;
  field("surfel_contact", s.surfel_contact,
        "of a method with a reference shape: surfels take the shape and colour of what they touch")
      .used_by = used_by;
  field("surfel_resampling", s.surfel_resampling,
        "of a method with a reference shape: surfels are split where they are stretched, deleted "
        "where "
        "they crowd, and spread evenly")
      .used_by = used_by;
  field(
      "surfel_zombies", s.surfel_zombies,
      "of a method with a reference shape: surfels that are never resampled carry colour and shape "
      "for those that are")
      .used_by = used_by;
  field
      .choice(
          "show", s.show, {"detail", "sets", "implicit", "contact", "zombies"},
          "the set of surfels that is drawn and written: detail, with contact where it touches; of "
          "a method with a reference shape also the same coloured by set (grey detail, orange "
          "implicit surface, blue contact), or one of the others alone")
      .used_by = used_by;
  field
      .choice("paint", s.paint.pattern, {"none", "stripes", "checker"},
              "colours by place in the shape at the start, around its middle, which stay on the "
              "matter: layers across `paint_direction`, or cubes")
      .used_by = used_by;
  field("paint_width", s.paint.width, "m",
        {1e-12, infinity, true, true, "leave it out for a good value"},
        "of a stripe or a cube; four spacings of the particles when absent")
      .used_by = used_by;
  field("paint_direction", s.paint.direction, "", any_number, "across the stripes").used_by =
      used_by;
  field("paint_colours", s.paint.colours, "", {0, 1, true, true, ""},
        "red, green, blue of one stripe or cube after another, in turn")
      .used_by = used_by;
}

}  // namespace phyxel
