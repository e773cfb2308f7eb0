#pragma once

#include "phyxel/colliders/contact.h"
#include "phyxel/core/range.h"

// What the table of a collider says besides shape and motion: each parameter with its description.
// Tables of scenes, colliders and views for kernels have these structs as bases.

namespace phyxel {

/// What a collider does to matter that touches it; kernels read these.
struct ContactParameters {
  Real friction = Real(0.3);     // Coulomb's coefficient
  Real restitution = Real(0.5);  // part of the normal speed that comes back, 0 to 1
  ContactKind contact = ContactKind::separate;
  Real temperature = not_given;  // degrees C; not given: passes no heat
  Real heat_flux = 0;            // W/m^2, into what touches it
};

template <class Fields>
void describe(Fields& field, ContactParameters& c) {
  field("friction", c.friction, "", not_negative, "Coulomb coefficient").changeable = true;
  field("restitution", c.restitution, "", fraction, "speed after a bounce over speed before")
      .changeable = true;
  field
      .choice("contact", c.contact, {"separate", "slip", "sticky"},
              "what touches it may leave, only slide along it, or moves with it; for methods that "
              "collide by velocity")
      .changeable = true;
  field("temperature", c.temperature, "degC", above_absolute_zero,
        "of its surface, which warms or cools what touches it; passes no heat when absent")
      .changeable = true;
  field("heat_flux", c.heat_flux, "W/m^2", any_number,
        "heat that passes into what touches it, whatever its temperature")
      .changeable = true;
}

struct ColliderParameters : ContactParameters {
  bool visible = true;  // in pictures
  Vec3 colour = Vec3::filled(not_given);
  Real voxel = not_given;  // m, of the grid that stands for a mesh or a sequence; otherwise exact
};

template <class Fields>
void describe(Fields& field, ColliderParameters& c) {
  describe(field, static_cast<ContactParameters&>(c));
  field("visible", c.visible, "whether pictures show it").changeable = true;
  field("colour", c.colour, "", fraction, "red, green and blue from 0 to 1");
  field("voxel", c.voxel, "m", positive,
        "edge of the cells of a grid that stands for a mesh or a mesh_sequence; exact and slower "
        "when absent");
}

}  // namespace phyxel
