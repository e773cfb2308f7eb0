#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/render/ray_scene.h"
#include "phyxel/render/reflection.h"

namespace phyxel::render {
namespace {

constexpr int most_clear_surfaces = 32;  // in the way of one ray

}  // namespace

Colour RayScene::transmitted(Ray ray) const {
  if (!has_clear()) return Colour::filled(occluded(ray) ? 0 : 1);
  ray.start = RayStart::anywhere;
  Colour left = Colour::filled(1);
  float last = ray.near;
  bool starts_inside = false;
  for (int surfaces = 0; surfaces < most_clear_surfaces; ++surfaces) {
    const auto hit = intersect(ray);
    if (!hit) return left;
    if (hit->finish.interior != Interior::clear) break;
    // Light is not bent here. A ray through a body meets both faces as if from outside; one that
    // starts within is reflected as it would be.
    starts_inside = starts_inside || (surfaces == 0 && hit->inside);
    const float index = hit->finish.index;
    left = left * (1 - fresnel(-dot(ray.direction, hit->normal),
                               starts_inside && hit->inside ? 1 / index : index));
    if (hit->inside) {
      const float way = hit->distance - last, haze = static_cast<float>(hit->finish.haze);
      left = scaled(left, clear_share(hit->albedo, static_cast<float>(hit->finish.depth), way));
      if (haze > 0) left = left * std::exp(-way / haze);  // what is scattered comes by other paths
    }
    last = hit->distance;
    ray.near = last + hit->offset;
  }
  return Colour::zero();
}

PictureUnits picture_units(const Camera& camera) {
  const Real distance = camera.orthographic_height > 0 ? camera.orthographic_height * Real(1.8)
                                                       : length(camera.target - camera.position);
  if (!(distance > 0) || !std::isfinite(distance))
    throw InputError(fmt::format(
        "render.camera: position and target are {} m apart; they must be different finite points",
        distance));
  return {camera.target, 1 / distance};
}

}  // namespace phyxel::render
