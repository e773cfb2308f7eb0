#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/geometry/box_tree.h"
#include "phyxel/render/scene.h"
#include "phyxel/render/trace.h"

namespace phyxel::render {
namespace {

void check(const RenderOptions& o) {
  const auto limit = [](const char* name, int value, int least, int most) {
    if (value < least || value > most)
      throw InputError(
          fmt::format("render.{} = {} must lie between {} and {}", name, value, least, most));
  };
  limit("width", o.width, 1, 16384);
  limit("height", o.height, 1, 16384);
  limit("samples", o.samples, 1, 65536);
  limit("bounces", o.bounces, 0, 64);
}

void include_shape(Bounds& b, const ShapeObject& object) {
  const Bounds box = bounds_of(object.shape);
  if (!is_bounded(box)) return;
  for (int corner = 0; corner < 8; ++corner) b.include(apply(object.pose, corner_of(box, corner)));
}

/// Light of what covers a pixel, without the nothing beside it.
void cut_out(Image& image, const Film& film) {
  image.alpha = film.alpha;
  for (float& a : image.alpha) a = std::clamp(a, 0.0f, 1.0f);
  for (std::size_t p = 0; p < image.pixels.size(); ++p)
    if (image.alpha[p] > 0) image.pixels[p] = image.pixels[p] / image.alpha[p];
}

}  // namespace

Lighting studio_lighting(const Camera& camera) {
  const Vec3 forward = frame_of(camera).forward;
  Vec3 toward{-forward[0], 0, -forward[2]};
  toward = length(toward) > Real(1e-3) ? normalized(toward) : Vec3{0, 0, 1};
  const Vec3 right{toward[2], 0, -toward[0]};
  // A flat scene is lit from the front, where its backdrop can see the light.
  const bool flat = camera.orthographic_height > 0;
  const Vec3 key =
      flat ? Vec3{Real(-0.4), Real(0.6), Real(0.9)} : Vec3{Real(-0.55), Real(0.9), Real(0.35)};
  Lighting lighting;
  lighting.key_direction = normalized(right * key[0] + Vec3{0, key[1], 0} + toward * key[2]);
  lighting.fill_direction =
      normalized(right * Real(0.9) + Vec3{0, Real(0.2), 0} + toward * Real(0.45));
  return lighting;
}

Bounds bounds_of(const PictureScene& scene) {
  Bounds b;
  for (const SphereSet& set : scene.spheres)
    for (std::size_t i = 0; i < set.centres.size(); ++i) {
      const Vec3 r = Vec3::filled(set.radii[set.radii.size() == 1 ? 0 : i]);
      b.include(Bounds{set.centres[i] - r, set.centres[i] + r});
    }
  for (const MeshObject& object : scene.meshes)
    for (const Vec3& v : object.mesh.vertices) b.include(v);
  for (const ShapeObject& object : scene.shapes) include_shape(b, object);
  for (const FieldObject& object : scene.fields)
    for (Index i = 0; i < object.field->size(); ++i) b.include(object.field->place(i));
  for (const SurfelSet& set : scene.surfels)
    for (const Vec3& x : set.centres) b.include(x);
  return b;
}

Image render_picture(const Exec& exec, const PictureScene& scene, const Camera& camera,
                     const RenderOptions& options) {
  check(options);
  Film film = trace(exec, scene, camera, options);
  if (options.denoise) denoise(exec, film);
  Image image = flatten(film);
  if (scene.background.kind == Background::Kind::transparent) cut_out(image, film);
  return image;
}

}  // namespace phyxel::render
