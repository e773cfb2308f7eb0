#pragma once

#include <optional>

#include "phyxel/colliders/collider_parameters.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/matter/pin_parameters.h"
#include "phyxel/scene/shape_spec.h"

namespace phyxel {

/// How matter comes out of the shape of an emitter.
struct NozzleSpec {
  Vec3 direction = {0, -1, 0};
  Real speed = not_given;  // m/s
  Real rate = not_given;   // m^3/s; m^2/s in 2D
  double start = 0;        // s
  double stop = infinity;  // s
  bool active = true;
  Motion motion;
};

inline void describe(Fields& field, NozzleSpec& n) {
  field("direction", n.direction, "", any_number, "of the stream");
  field("speed", n.speed, "m/s", not_negative, "of the stream; this or rate").changeable = true;
  field("rate", n.rate, "m^3/s", not_negative,
        "volume that comes out in a second; m^2/s in flat scenes")
      .changeable = true;
  field("start", n.start, "s", not_negative, "when the stream begins");
  field("stop", n.stop, "s", not_negative,
        "when it ends, and what is left in the nozzle falls out; never when absent");
  field("active", n.active, "an event may halt the stream and let it go on").changeable = true;
}

/// What of a mesh is filled: the inside, or its vertices are the particles of a sheet.
enum class Fill { volume, surface };

/// Matter that is there from the start, or comes out of a nozzle.
struct BodySpec {
  std::string name;
  Place place;
  std::string material;
  ShapeSpec shape;
  Real spacing = not_given;  // m
  Packing packing = Packing::closest;
  Fill fill = Fill::volume;
  Real thickness = not_given;            // m, of sheets and lines
  Vec3 velocity = Vec3::zero();          // m/s
  Vec3 angular_velocity = Vec3::zero();  // degrees/s about the centre of the body
  Real temperature = 20;                 // degrees C
  std::optional<NozzleSpec> nozzle;      // of an emitter

  /// "body.NAME" or "emitter.NAME", as in the scene file.
  std::string path() const { return (nozzle ? "emitter." : "body.") + name; }
};

/// Whether its particles lie in a sheet or on a line instead of filling a volume.
inline bool is_thin(const BodySpec& body) {
  return body.shape.type == "sheet" || body.shape.type == "polyline" || body.fill == Fill::surface;
}

inline void describe(Fields& field, BodySpec& b) {
  field("material", b.material, "name of a [material.NAME] table");
  field("spacing", b.spacing, "m", positive,
        "distance between neighbouring particles; what the material has at rest when absent");
  field.choice(
      "packing", b.packing, {"closest", "hexagonal", "cubic", "jittered", "poisson", "random"},
      b.nozzle ? "how the stream is filled; poisson has no order and no layers, for grains; "
                 "random is refused"
               : "how the shape is filled");
  if (b.nozzle) {
    describe(field, *b.nozzle);
  } else {
    field.choice("fill", b.fill, {"volume", "surface"},
                 "of a mesh: fill what it encloses, or make its vertices the particles of a sheet");
    field("thickness", b.thickness, "m", positive,
          "of a sheet, or diameter of a polyline, for the mass; when absent their particles are as "
          "heavy as those of a filled body");
    field("velocity", b.velocity, "m/s", any_number, "at the start").changeable = true;
    field("angular_velocity", b.angular_velocity, "degrees/s", any_number,
          "at the start, about the centre of the body");
  }
  field("temperature", b.temperature, "degC", above_absolute_zero,
        b.nozzle ? "of what comes out" : "at the start")
      .changeable = true;
}

/// The table of a collider. Its parameters are described beside ColliderParameters.
struct ColliderSpec : ColliderParameters {
  std::string name;
  Place place;
  ShapeSpec shape;
  Motion motion;
};

/// Particles of a body inside `shape` at the start follow `motion`.
struct PinSpec : PinParameters {
  std::string name;
  Place place;
  std::string body;
  ShapeSpec shape;
  Motion motion;
};

inline void describe(Fields& field, PinSpec& p) {
  field("body", p.body, "name of the body that is held");
  describe(field, static_cast<PinParameters&>(p));
}

}  // namespace phyxel
