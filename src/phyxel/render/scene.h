#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh.h"
#include "phyxel/geometry/shape.h"
#include "phyxel/geometry/transform.h"
#include "phyxel/render/camera.h"
#include "phyxel/render/image.h"
#include "phyxel/surfaces/field.h"

namespace phyxel::render {

/// What light meets behind a surface.
enum class Interior {
  opaque,       // a diffuse body under a clear glossy coat
  metal,        // nothing: all light is reflected at the surface, in its colour
  translucent,  // light wanders below the surface and leaves it elsewhere: snow, wax
  clear,        // light is refracted and goes on: water, gel, glass
};

/// How light leaves a surface. Looks by name: looks.h.
struct Finish {
  float roughness = 0.35f;  // 0.02 mirror-like to 1 dull
  float coat = 1;           // strength of the coat, 0 chalk to 1 lacquer; of opaque and translucent
  Interior interior = Interior::opaque;
  Real depth = 0;       // m; translucent: mean way of light between two scatterings;
                        // clear: thickness after which white light has the colour of the surface
  Real haze = 0;        // m; clear: mean way between scatterings; 0: none
  float index = 1.33f;  // clear: of refraction
  float sheen = 0;      // opaque: strength of the light that fibres scatter at grazing angles
  float through = 0;    // opaque: share of the body's light that comes out on the other side
};

/// Particles.
struct SphereSet {
  std::vector<Vec3> centres;    // m
  std::vector<Real> radii;      // m; one for all, or one each
  std::vector<Colour> colours;  // one for all, or one each
  Finish finish;
};

struct MeshObject {
  TriangleMesh mesh;
  std::vector<Colour> colours;  // one for all, or one per vertex
  bool smooth = true;           // shaded with normals averaged at the vertices
  Finish finish;
  std::vector<Vec3> normals{};              // one per vertex, instead of those averages; or none
  std::vector<Vec<Real, 2>> coordinates{};  // u, v in the texture; one per vertex, or none
  std::shared_ptr<const Image> texture{};   // its colours multiply `colours`; null: none
  std::optional<Colour> back{};             // colour of the side that is inside; as the other
};

/// The surface where a field around points is zero, drawn without a mesh.
struct FieldObject {
  std::shared_ptr<const PointField> field;
  std::vector<Colour> colours;  // one for all, or one per point
  Finish finish;
};

/// A surface of oriented elliptical discs that overlap, drawn as one smooth surface without a mesh.
struct SurfelSet {
  std::vector<Vec3> centres;    // m
  std::vector<Vec3> u, v;       // half axes of each disc, m; outwards is u x v
  std::vector<Colour> colours;  // one for all, or one each
  Finish finish;
  bool closed = true;  // around a body; else it may be seen from both sides
};

/// A solid given by its signed distance, drawn without a mesh.
struct ShapeObject {
  Shape shape;
  Transform pose;
  Colour colour{0.6f, 0.6f, 0.6f};
  Finish finish{0.5f, 0.7f};
};

/// An infinite plane that melts into the background far from the camera's target. Seen and shadowed
/// from the side of its normal only.
struct Ground {
  bool visible = true;
  bool shadows_only = false;  // the background, where shadows darken it
  Vec3 point{0, 0, 0};        // m
  Vec3 normal{0, 1, 0};
  Colour colour{0.72f, 0.73f, 0.75f};
  Real grid_spacing = 0;        // m between fine lines; 0: no lines
  float grid_strength = 0.12f;  // 0 unseen to 1 black
};

/// A glowing rectangle, bright on the side of `direction`.
struct Panel {
  Vec3 centre;                 // m
  Vec3 direction{0, -1, 0};    // of its light
  Real width = 1, height = 1;  // m; the width lies level
  Colour radiance{1, 1, 1};
};

/// Light from all around and one soft sun, or an environment; and panels.
struct Lighting {
  Colour zenith{0.62f, 0.68f, 0.78f};
  Colour horizon{0.50f, 0.50f, 0.50f};
  Colour nadir{0.30f, 0.29f, 0.28f};       // from below, where there is no ground
  Vec3 key_direction{-0.45f, 0.8f, 0.5f};  // towards the light
  Colour key_colour{0.98f, 0.92f, 0.82f};  // what it adds to a white surface that faces it
  float key_radius = 7;                    // degrees: half the angle it fills; larger is softer
  Vec3 fill_direction{0.8f, 0.25f, 0.5f};
  Colour fill_colour{0.30f, 0.32f, 0.36f};  // largest radiance of the wide, shadowless fill
  std::vector<Panel> panels;
  std::shared_ptr<const Image> environment;  // of the whole sphere, instead of sky and fill: u runs
                                             // around the vertical, v from zenith to nadir
  float environment_turn = 0;                // degrees about the vertical
};

/// What the camera sees behind everything; it does not light the scene.
struct Background {
  Colour top{0.80f, 0.84f, 0.88f};
  Colour bottom{0.88f, 0.89f, 0.90f};
  enum class Kind { gradient, environment, transparent } kind = Kind::gradient;
};

/// Everything one picture shows. Plain data, filled by the caller.
struct PictureScene {
  std::vector<SphereSet> spheres;
  std::vector<MeshObject> meshes;
  std::vector<ShapeObject> shapes;
  std::vector<FieldObject> fields;
  std::vector<SurfelSet> surfels;
  Ground ground;
  Lighting lighting;
  Background background;
};

struct RenderOptions {
  int width = 960;         // pixels
  int height = 540;        // pixels
  int samples = 16;        // paths per pixel
  double seconds = 0;      // more paths until this time is over; 0: no more
  int bounces = 1;         // of indirect light; 0: direct light and sky only
  float brightest = 3;     // cut for light after two reflections: no sparks
  bool denoise = true;     // smooths what noise is left, never across edges
  std::uint32_t seed = 1;  // the same for every frame of a film keeps the grain still
};

/// Light that follows the camera around: the key from the upper left of the picture, the fill from
/// the right. A flat scene gets it more from the front.
Lighting studio_lighting(const Camera& camera);

/// Box of all spheres, meshes, fields, surfels and bounded shapes.
Bounds bounds_of(const PictureScene& scene);

/// Scene light, to be developed before it is shown. Same bits on any number of threads.
Image render_picture(const Exec& exec, const PictureScene& scene, const Camera& camera,
                     const RenderOptions& options = {});

}  // namespace phyxel::render
