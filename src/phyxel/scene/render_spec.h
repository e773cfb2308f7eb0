#pragma once

#include "phyxel/core/error.h"
#include "phyxel/matter/parameters.h"

namespace phyxel {

/// A glowing rectangle.
struct LightSpec {
  std::string name;
  Place place;
  Vec3d position = Vec3d::filled(not_given);  // m
  Vec3d target = Vec3d::zero();               // m
  Real width = 1;                             // m
  Real height = 1;                            // m
  Vec3 colour = {1, 1, 1};
  Real strength = 5;
};

inline void describe(Fields& field, LightSpec& l) {
  field("position", l.position, "m", any_number, "of its middle");
  field("target", l.target, "m", any_number, "where it shines to");
  field("width", l.width, "m", positive, "level");
  field("height", l.height, "m", positive, "across the width");
  field("colour", l.colour, "", {0, 1, true, true, ""}, "red, green, blue");
  field("strength", l.strength, "", not_negative,
        "radiance: 1 is as bright as white paper in the picture");
}

enum class GroundLook { solid, shadow, none };

enum class BackgroundLook { studio, environment, transparent };

struct RenderSpec {
  bool enabled = true;
  int width = 960;
  int height = 540;
  int samples = 16;
  Real seconds = 0;
  int bounces = 1;
  Real exposure = 1;
  GroundLook ground = GroundLook::solid;
  BackgroundLook background = BackgroundLook::studio;
  std::string environment;     // file
  Real environment_turn = 0;   // degrees
  Real key_light = not_given;  // strength
  std::string colour_by;       // attribute; "" means by material
  std::string colour_map = "viridis";
  Real colour_min = not_given;
  Real colour_max = not_given;
  bool legend = true;
  Real particle_radius = Real(0.5);  // fraction of the spacing
  Vec3d camera_position = Vec3d::filled(not_given);
  Vec3d camera_target = Vec3d::filled(not_given);
  Vec3 view_direction = Vec3::filled(not_given);  // from the camera to the scene
  Real field_of_view = 30;                        // degrees, vertical
  Real zoom = 1;
  Real aperture = 0;       // m
  Real focus = not_given;  // m
  int every = 1;
};

inline void describe(Fields& field, RenderSpec& r) {
  field("enabled", r.enabled, "make pictures");
  field("width", r.width, "pixels", {16, 16384, true, true, ""}, "of a picture");
  field("height", r.height, "pixels", {16, 16384, true, true, ""}, "of a picture");
  field("samples", r.samples, "", {1, 65536, true, true, ""},
        "rays per pixel: more is smoother and slower");
  field("seconds", r.seconds, "s", not_negative,
        "time for a picture, filled with as many rays as fit; 0: as many as `samples` says");
  field("bounces", r.bounces, "", {0, 64, true, true, ""}, "of light between surfaces");
  field("exposure", r.exposure, "", positive, "brightness of the picture");
  field.choice("ground", r.ground, {"solid", "shadow", "none"},
               "how a floor is drawn; shadow: the background with the shadows on it");
  field.choice("background", r.background, {"studio", "environment", "transparent"},
               "behind everything; transparent: pictures with alpha");
  field("environment", r.environment,
        "picture of the surroundings that lights the scene (.hdr, or .png, .jpg); a studio when "
        "absent");
  field("environment_turn", r.environment_turn, "degrees", any_number, "about the vertical");
  field("key_light", r.key_light, "", not_negative,
        "strength of the sun; when absent 1, or 0 with an environment");
  field("colour_by", r.colour_by,
        "attribute that colours the particles (speed, height, pair_energy, temperature ...); by "
        "material when absent");
  field("colour_map", r.colour_map, "name of a colour map");
  field("colour_min", r.colour_min, "", any_number,
        "value at the lower end of the colour map; found when absent");
  field("colour_max", r.colour_max, "", any_number, "value at the upper end");
  field("legend", r.legend, "draw the colour bar and the time");
  field("particle_radius", r.particle_radius, "spacing", {0, 2, false, true, ""},
        "of the drawn spheres, as a fraction of the spacing");
  field("camera_position", r.camera_position, "m", any_number, "chosen for you when absent");
  field("camera_target", r.camera_target, "m", any_number,
        "the point in the middle of the picture");
  field("view_direction", r.view_direction, "", any_number,
        "from where a chosen camera looks, as a vector towards the scene");
  field("field_of_view", r.field_of_view, "degrees", {1, 120, true, true, ""},
        "vertical opening angle");
  field("zoom", r.zoom, "", {0.01, 100, true, true, ""},
        "makes the scene larger in a chosen camera");
  field("aperture", r.aperture, "m", not_negative, "width of the lens; 0: everything is sharp");
  field("focus", r.focus, "m", positive, "distance that is sharp; that of the target when absent");
  field("every", r.every, "frames", {1, 1000000, true, true, ""}, "a picture every so many frames");
}

}  // namespace phyxel
