#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "phyxel/matter/material.h"
#include "phyxel/scene/body_spec.h"
#include "phyxel/scene/field_spec.h"
#include "phyxel/scene/output_spec.h"
#include "phyxel/scene/render_spec.h"
#include "phyxel/scene/sink_spec.h"
#include "phyxel/scene/surface_spec.h"
#include "phyxel/scene/timeline_spec.h"
#include "phyxel/scene/world_spec.h"

namespace phyxel {

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
  std::vector<SinkSpec> sinks;
  std::vector<FieldSpec> fields;
  std::vector<EventSpec> events;  // in order of time
  std::vector<KeyframeSpec> keyframes;
  std::vector<SurfaceSpec> surfaces;
  std::vector<LightSpec> lights;
  RenderSpec render;
  OutputSpec output;
  std::map<std::string, Place> places;  // "body.bunny.spacing" -> file:line:col
  // "body.bunny" -> into bodies, for material, body (emitters too), collider, pin and sink:
  // index_of
  std::unordered_map<std::string, Index> names;

  /// The place of a value, or of the nearest table above it.
  Place place_of(const std::string& path) const;
  double video_fps() const;  // pictures per second of the video
  int frames() const;        // frame 0 is the initial state; this is the number of the last
};

inline void describe(Fields& field, Scene& s) {
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

// Into the list of a scene that has such things, or -1: the first of that name. Looked up in
// Scene::names; searched for where a scene was made by other means than the reader.
Index material_index(const Scene& scene, const std::string& name);
Index body_index(const Scene& scene, const std::string& name);  // emitters too
Index collider_index(const Scene& scene, const std::string& name);
Index pin_index(const Scene& scene, const std::string& name);
Index sink_index(const Scene& scene, const std::string& name);
Index field_index(const Scene& scene, const std::string& name);

/// visit(path, shape, motion) for every body, emitter, collider, pin and sink; `motion` is null for
/// a body, which has none.
template <class SceneOrConst, class Visit>
void for_each_solid(SceneOrConst& scene, const Visit& visit) {
  for (auto& body : scene.bodies)
    visit(body.path(), body.shape, body.nozzle ? &body.nozzle->motion : nullptr);
  for (auto& collider : scene.colliders)
    visit("collider." + collider.name, collider.shape, &collider.motion);
  for (auto& pin : scene.pins) visit("pin." + pin.name, pin.shape, &pin.motion);
  for (auto& sink : scene.sinks) visit("sink." + sink.name, sink.shape, &sink.motion);
}

/// The place of the first value that a message names ("material.wax.cutoff = 1 ..."), or the file.
Place place_named_in(const Scene& scene, const std::string& message);

}  // namespace phyxel
