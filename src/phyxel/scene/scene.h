#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "phyxel/colliders/contact.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/matter/material.h"
#include "phyxel/surfaces/flow_options.h"

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
  Real rounding = 0;                     // m: box
  Real scale = 1;                        // mesh, particles
  Real blend = 0;                        // m: union, intersection, difference
  Real fps = 24;                         // 1/s: mesh_sequence
  std::string file;                      // mesh, particles, heightfield; {} in a mesh_sequence
  std::vector<ShapeSpec> of;             // union, intersection, difference
};

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

/// Matter that is there from the start, or comes out of a nozzle.
struct BodySpec {
  std::string name;
  Place place;
  std::string material;
  ShapeSpec shape;
  Real spacing = not_given;  // m
  Packing packing = Packing::closest;
  Vec3 velocity = Vec3::zero();          // m/s
  Vec3 angular_velocity = Vec3::zero();  // degrees/s about the centre of the body
  Real temperature = 20;                 // degrees C
  std::optional<NozzleSpec> nozzle;      // of an emitter

  /// "body.NAME" or "emitter.NAME", as in the scene file.
  std::string path() const { return (nozzle ? "emitter." : "body.") + name; }
};

struct ColliderSpec {
  std::string name;
  Place place;
  ShapeSpec shape;
  Real friction = Real(0.3);
  Real restitution = Real(0.5);
  ContactKind contact = ContactKind::separate;
  Real temperature = not_given;  // degrees C
  Real heat_flux = 0;            // W/m^2
  bool visible = true;
  Vec3 colour = Vec3::filled(not_given);
  Real voxel = not_given;  // m
  Motion motion;
};

/// Particles of a body inside `shape` at the start follow `motion`.
struct PinSpec {
  std::string name;
  Place place;
  std::string body;
  ShapeSpec shape;
  Motion motion;
  Real temperature = not_given;  // degrees C
  bool active = true;
};

/// "material.wax.damping" <- value.
struct Assignment {
  std::string path;
  ParameterValue value;
  Place place;
};

struct EventSpec {
  double time = 0;  // s
  std::vector<Assignment> set;
};

/// A number or three numbers that follow keys in time.
struct KeyframeSpec {
  std::string path;
  std::vector<double> times;                // s
  std::vector<std::vector<double>> values;  // one or three numbers a key
  Interpolation interpolation = Interpolation::linear;
  Place place;
};

enum class Walls { open, closed, sticky };

/// What to do where emitters would need more memory than there is. refuse: such a scene does not
/// start. stop: it runs until then, and can be resumed. stop_emitting: emitters close for good.
enum class OutOfMemory { refuse, stop, stop_emitting };

struct WorldSpec {
  Vec3 gravity = {0, Real(-9.81), 0};  // m/s^2
  Real air_temperature = 20;           // degrees C
  Bool3 periodic = {false, false, false};
  bool has_domain = false;
  Vec3d domain_min = Vec3d::zero();  // m
  Vec3d domain_max = Vec3d::zero();
  Walls walls = Walls::open;
  OutOfMemory out_of_memory = OutOfMemory::refuse;
};

struct TimeSpec {
  double max_dt = infinity;     // s
  double fixed_dt = not_given;  // s; instead of the automatic step
  double settle = 0;            // s, of rest before time 0
  double safety = 1;            // factor on the automatic step
};

enum class SurfacePhase { all, solid, liquid };

/// How the particles of a material or a body are drawn and written.
struct SurfaceSpec {
  std::string name;
  Place place;
  std::string of;  // the material or the body; the name when absent
  SurfacePhase phase = SurfacePhase::all;
  std::string method = "zhu_bridson";  // a field, flow, skin or particles
  Real radius = not_given;             // m
  Real blobbiness = not_given;
  Real iso = not_given;
  Real cell = not_given;                               // m
  Real alpha = not_given, border = not_given;          // of flow
  Real longest_edge = not_given;                       // m, of flow
  BorderRule relative_to = FlowOptions{}.relative_to;  // of flow
  int smooth = 0;
  Real decimate = 1;    // share of the triangles that is kept
  bool direct = false;  // the field is traced, without a mesh
  bool visible = true;
  std::string look = "glossy";
  Vec3 colour = Vec3::filled(not_given);
  Real roughness = not_given;
  Real depth = not_given;  // m
  std::string texture;     // file
  std::string mesh;        // file, of a skin
};

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

enum class ParticleFormat { ply, vtp, both, none };

enum class SurfaceFormat { ply, obj, vtp, glb, none };

struct OutputSpec {
  ParticleFormat particles = ParticleFormat::ply;
  SurfaceFormat surface = SurfaceFormat::ply;
  bool volume = false;
  bool usd = false;
  int contact_sheet = 0;  // pictures on it
  bool video = true;
  double video_fps = not_given;  // 1/s; the scene's fps when absent
  int checkpoint_every = 1;      // frames
  int every = 1;                 // frames
};

struct MaterialSpec {
  Place place;
  std::string preset;
  Material material;       // values as given; resolved by refresh()
  bool unresolved = true;  // changed since
};

/// A scene file as plain data. `places` has the place of each value in the file. All points in
/// space (centres, domain, camera, lights, pivots) are relative to `origin`.
struct Scene {
  std::string file;              // as named by the user
  std::filesystem::path folder;  // other files are relative to it
  int schema = 1;
  std::string name;
  std::string description;
  double duration = 2;  // s
  double fps = 24;
  int seed = 1;
  int dimensions = 3;
  double resolution = 1;         // lengths of bodies and materials below have been divided by it
  Vec3d origin = Vec3d::zero();  // m, in the world; choose_origin() has put it where matter is
  WorldSpec world;
  TimeSpec time;
  std::vector<MaterialSpec> materials;
  std::vector<BodySpec> bodies;
  std::vector<ColliderSpec> colliders;
  std::vector<PinSpec> pins;
  std::vector<EventSpec> events;  // in order of time
  std::vector<KeyframeSpec> keyframes;
  std::vector<SurfaceSpec> surfaces;
  std::vector<LightSpec> lights;
  RenderSpec render;
  OutputSpec output;
  std::map<std::string, Place> places;  // "body.bunny.spacing" -> file:line:col
  // "body.bunny" -> into bodies, for material, body (emitters too), collider and pin: index_of
  std::unordered_map<std::string, Index> names;
  std::string resolved;  // the scene file with overrides put in
  std::string physics;   // the part of it that the motion depends on

  /// The place of a value, or of the nearest table above it.
  Place place_of(const std::string& path) const;
  double video_fps() const;  // pictures per second of the video
  int frames() const;        // frame 0 is the initial state; this is the number of the last
};

// Into the list of a scene that has such things, or -1: the first of that name. Looked up in
// Scene::names; searched for where a scene was made by other means than the reader.
Index material_index(const Scene& scene, const std::string& name);
Index body_index(const Scene& scene, const std::string& name);  // emitters too
Index collider_index(const Scene& scene, const std::string& name);
Index pin_index(const Scene& scene, const std::string& name);

/// The message with the place of `path` in front: "file:line:col: message".
[[noreturn]] void fail(const Scene& scene, const std::string& path, const std::string& message);

/// The place of the first value that a message names ("material.wax.cutoff = 1 ..."), or the file.
Place place_named_in(const Scene& scene, const std::string& message);

// Every parameter of the scene file, described once: the reader, `check`, events, the schema and
// the docs use these.
void describe(Fields& field, Scene& scene);
void describe(Fields& field, WorldSpec& world);
void describe_domain(Fields& field, WorldSpec& world);
void describe(Fields& field, TimeSpec& time);
void describe(Fields& field, BodySpec& body);
/// Parameters of an emitter: those that bodies have, too, and its nozzle.
void describe_emitter(Fields& field, BodySpec& emitter);
void describe(Fields& field, ColliderSpec& collider);
void describe(Fields& field, PinSpec& pin);
void describe(Fields& field, Motion& motion);
void describe(Fields& field, SurfaceSpec& surface);
void describe(Fields& field, LightSpec& light);
void describe(Fields& field, RenderSpec& render);
void describe(Fields& field, OutputSpec& output);
/// Only the parameters of a shape of this type.
void describe(Fields& field, ShapeSpec& shape);

/// Words a shape's `type` may be.
std::vector<std::string> shape_types();

}  // namespace phyxel
