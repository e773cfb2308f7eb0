#include <set>

#include "phyxel/render/colour_map.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

void describe(Fields& field, Scene& s) {
  field("schema", s.schema, "", {1, 1, true, true, "this program reads schema 1"},
        "version of the scene format");
  field("name", s.name, "name of the scene and of its output folder; the file's name when absent");
  field("description", s.description, "one line for `phyxel list scenes`");
  field("duration", s.duration, "s", positive, "simulated time");
  field("fps", s.fps, "1/s", {1e-6, 100000, true, true, ""}, "frames per simulated second");
  field("seed", s.seed, "", {0, 2147483647, true, true, ""}, "start of all random numbers");
  field("dimensions", s.dimensions, "", {2, 3, true, true, ""},
        "3, or 2 for flat scenes in the plane z = 0");
  field("resolution", s.resolution, "", positive,
        "divides the spacing of all matter: 0.5 leaves an eighth of the particles, 2 makes eight "
        "times as many");
}

void describe(Fields& field, WorldSpec& w) {
  field("gravity", w.gravity, "m/s^2", any_number, "acceleration of everything; y is up");
  field("air_temperature", w.air_temperature, "degC", above_absolute_zero,
        "of the air around materials that have convection");
  field("periodic", w.periodic,
        "what leaves the domain on one side of an axis comes back on the other");
  field.choice("walls", w.walls, {"open", "closed", "sticky"},
               "what the sides of the domain do that are not periodic; sticky ones hold what "
               "touches them");
  field.choice("out_of_memory", w.out_of_memory, {"refuse", "stop", "stop_emitting"},
               "where emitters would need more memory than there is: the scene is not begun, or "
               "runs until then and ends with a checkpoint, or its emitters shut for good");
}

void describe_domain(Fields& field, WorldSpec& w) {
  field("min", w.domain_min, "m", any_number, "lower corner");
  field("max", w.domain_max, "m", any_number, "upper corner");
}

void describe(Fields& field, TimeSpec& t) {
  field("max_dt", t.max_dt, "s", positive, "upper limit of the automatic step");
  field("fixed_dt", t.fixed_dt, "s", positive, "this step always, whatever the methods say");
  field("settle", t.settle, "s", not_negative,
        "lets packings come to rest before time 0, without gravity and colliders");
  field("safety", t.safety, "", {0, 1, false, true, ""}, "factor on the automatic step");
}

namespace {

void describe_filling(Fields& field, BodySpec& b) {
  field("material", b.material, "name of a [material.NAME] table");
  field("spacing", b.spacing, "m", positive,
        "distance between neighbouring particles; what the material has at rest when absent");
  field.choice(
      "packing", b.packing, {"closest", "hexagonal", "cubic", "jittered", "poisson", "random"},
      b.nozzle ? "how the stream is filled; poisson has no order and no layers, for grains; "
                 "random is refused"
               : "how the shape is filled");
}

}  // namespace

void describe_emitter(Fields& field, BodySpec& e) {
  describe_filling(field, e);
  NozzleSpec& n = *e.nozzle;
  field("direction", n.direction, "", any_number, "of the stream");
  field("speed", n.speed, "m/s", not_negative, "of the stream; this or rate");
  field("rate", n.rate, "m^3/s", not_negative,
        "volume that comes out in a second; m^2/s in flat scenes");
  field("start", n.start, "s", not_negative, "when the stream begins");
  field("stop", n.stop, "s", not_negative,
        "when it ends, and what is left in the nozzle falls out; never when absent");
  field("active", n.active, "an event may halt the stream and let it go on");
  field("temperature", e.temperature, "degC", above_absolute_zero, "of what comes out");
}

void describe(Fields& field, BodySpec& b) {
  describe_filling(field, b);
  field("velocity", b.velocity, "m/s", any_number, "at the start");
  field("angular_velocity", b.angular_velocity, "degrees/s", any_number,
        "at the start, about the centre of the body");
  field("temperature", b.temperature, "degC", above_absolute_zero, "at the start");
}

void describe(Fields& field, ColliderSpec& c) {
  field("friction", c.friction, "", not_negative, "Coulomb coefficient");
  field("restitution", c.restitution, "", fraction, "speed after a bounce over speed before");
  field.choice("contact", c.contact, {"separate", "slip", "sticky"},
               "what touches it may leave, only slide along it, or moves with it; for methods that "
               "collide by velocity");
  field("temperature", c.temperature, "degC", above_absolute_zero,
        "of its surface, which warms or cools what touches it; passes no heat when absent");
  field("heat_flux", c.heat_flux, "W/m^2", any_number,
        "heat that passes into what touches it, whatever its temperature");
  field("visible", c.visible, "whether pictures show it");
  field("colour", c.colour, "", fraction, "red, green and blue from 0 to 1");
  field("voxel", c.voxel, "m", positive,
        "edge of the cells of a grid that stands for a mesh or a mesh_sequence; exact and slower "
        "when absent");
}

void describe(Fields& field, PinSpec& p) {
  field("body", p.body, "name of the body that is held");
  field("temperature", p.temperature, "degC", above_absolute_zero,
        "that the held particles keep; theirs changes freely when absent");
  field("active", p.active, "an event may let go or take hold");
}

void describe(Fields& field, Motion& m) {
  field("times", m.times, "s", any_number, "times of the keys, rising");
  field("positions", m.positions, "m", any_number,
        "where it has moved at each key, from where its shape was described");
  field("rotations", m.rotations, "degrees", any_number,
        "how it has turned at each key, about x, then y, then z");
  field("pivot", m.pivot, "m", any_number, "the point it turns about");
  field.choice("interpolation", m.interpolation, {"linear", "smooth", "step"}, "between keys");
}

void describe(Fields& field, SurfaceSpec& s) {
  field("of", s.of, "the material or body that it is for; its own name when absent");
  field.choice("phase", s.phase, {"all", "solid", "liquid"},
               "of matter that melts or freezes: what part of it");
  field("method", s.method,
        "zhu_bridson, anisotropic, sph or blobs: a surface around the points; flow: one around the "
        "border of their flow; skin: a mesh that follows them; particles: no surface");
  field("radius", s.radius, "m", positive, "reach of a point; from the spacing when absent");
  field("blobbiness", s.blobbiness, "", positive, "of blobs: the smaller, the more they melt");
  field("iso", s.iso, "", positive,
        "value on the surface, not of zhu_bridson; keeps the volume when absent");
  field("cell", s.cell, "m", positive, "width of the grid; half of the spacing when absent");
  field("alpha", s.alpha, "", {0, 10, false, true, ""},
        "of flow: points are neighbours below alpha times the mean distance of all pairs; 0.1 when "
        "absent");
  field("longest_edge", s.longest_edge, "m", positive,
        "of flow: that distance itself, the same in all frames");
  field("border", s.border, "", {0, 1, false, true, ""},
        "of flow: share of the largest average close vector that makes a border; 0.8 when absent");
  field.choice("relative_to", s.relative_to, {"frame", "local"},
               "of flow: the largest of all points, or of the neighbours");
  field("smooth", s.smooth, "", {0, 1000, true, true, ""}, "passes of smoothing; the volume stays");
  field("decimate", s.decimate, "", {0, 1, false, true, ""},
        "share of the triangles that is kept; the surface stays closed");
  field("direct", s.direct, "draw the field itself, without a mesh; no files are written then");
  field("visible", s.visible, "draw it");
  field("look", s.look, "matte, glossy, metal, snow, wax, water, gel or glass");
  field("colour", s.colour, "", {0, 1, true, true, ""},
        "red, green, blue; that of the material or of the look when absent");
  field("roughness", s.roughness, "", {0, 1, true, true, ""},
        "0 mirror-like to 1 dull; that of the look when absent");
  field(
      "depth", s.depth, "m", positive,
      "how far light goes in snow and wax; thickness that has the colour in water, gel and glass");
  field("texture", s.texture, "of a skin: picture that is laid over it (.png, .jpg)");
  field("mesh", s.mesh,
        "of a skin: .obj, .ply or .stl in the place of the body's shape; the mesh of "
        "the shape when absent");
}

void describe(Fields& field, LightSpec& l) {
  field("position", l.position, "m", any_number, "of its middle");
  field("target", l.target, "m", any_number, "where it shines to");
  field("width", l.width, "m", positive, "level");
  field("height", l.height, "m", positive, "across the width");
  field("colour", l.colour, "", {0, 1, true, true, ""}, "red, green, blue");
  field("strength", l.strength, "", not_negative,
        "radiance: 1 is as bright as white paper in the picture");
}

void describe(Fields& field, RenderSpec& r) {
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

void describe(Fields& field, OutputSpec& o) {
  field.choice("particles", o.particles, {"ply", "vtp", "both", "none"},
               "format of the particle files");
  field.choice("surface", o.surface, {"ply", "obj", "vtp", "glb", "none"},
               "format of the surface files, where there are [surface.NAME] tables");
  field("volume", o.volume, "write the surfaces as OpenVDB level set and density too");
  field("usd", o.usd, "join particles and surfaces to animation.usda at the end");
  field("contact_sheet", o.contact_sheet, "", {0, 400, true, true, ""},
        "pictures of the run on one sheet, contact_sheet.png; 0: none");
  field("video", o.video, "join the pictures to video.mp4");
  field("video_fps", o.video_fps, "1/s", {0, 1000, false, true, ""},
        "pictures per second of the video; real time when absent");
  field("checkpoint_every", o.checkpoint_every, "frames", {1, 1000000, true, true, ""},
        "a checkpoint every so many frames");
  field("every", o.every, "frames", {1, 1000000, true, true, ""},
        "a particle file every so many frames");
}

std::vector<std::string> shape_types() {
  return {"box",   "sphere", "ellipsoid", "cylinder",    "capsule",       "cone",
          "torus", "plane",  "mesh",      "heightfield", "mesh_sequence", "particles",
          "bunny", "bust",   "die",       "union",       "intersection",  "difference"};
}

namespace {

bool is_operation(const std::string& type) {
  return type == "union" || type == "intersection" || type == "difference";
}

void describe_files(Fields& field, ShapeSpec& s) {
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

}  // namespace

void describe(Fields& field, ShapeSpec& s) {
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
  if (is({"bunny", "bust", "die"})) field("size", s.height, "m", positive, "height (die: edge)");
  if (is_operation(t))
    field("blend", s.blend, "m", not_negative, "radius over which surfaces melt together");
  if (is({"mesh", "particles", "heightfield", "mesh_sequence"})) describe_files(field, s);
}

}  // namespace phyxel
