#include "phyxel/render/camera.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::render {
namespace {

/// Never flat and never empty, so that there is something to look at.
Bounds sensible(const Bounds& bounds) {
  if (!is_finite(bounds.min) || !is_finite(bounds.max))
    throw InputError("the camera cannot frame a scene whose bounds are not finite; give a camera");
  if (bounds.empty()) return {{-1, -1, -1}, {1, 1, 1}};
  const Vec3 size = bounds.size();
  const Real largest = std::max({size[0], size[1], size[2]});
  const Real reach =
      std::max({std::abs(bounds.min[0]), std::abs(bounds.min[1]), std::abs(bounds.min[2]),
                std::abs(bounds.max[0]), std::abs(bounds.max[1]), std::abs(bounds.max[2])});
  const Real least = largest > 0 ? largest * Real(1e-3) : std::max(reach, Real(1)) * Real(1e-3);
  const Vec3 half = max(size, Vec3::filled(least)) * Real(0.5);
  return {bounds.centre() - half, bounds.centre() + half};
}

/// Largest value of dot(corner, axis) over the corners of a box.
Real support(const Bounds& b, const Vec3& axis) {
  Real sum = 0;
  for (int k = 0; k < 3; ++k) sum += axis[k] * (axis[k] > 0 ? b.max[k] : b.min[k]);
  return sum;
}

Vec3 usable_up(const Vec3& forward) {
  return std::abs(forward[1]) < Real(0.999) ? Vec3{0, 1, 0} : Vec3{0, 0, -1};
}

Real tangent_of_half(Real degrees) {
  return std::tan(degrees * static_cast<Real>(M_PI / 360));
}

Camera frame_flat(const Bounds& b, Real aspect, Real margin) {
  const Vec3 size = b.size(), centre = b.centre();
  Camera camera;
  camera.orthographic_height = std::max(size[1], size[0] / aspect) / (1 - margin);
  camera.target = centre;
  camera.position = centre + Vec3{0, 0, size[2] + 2 * camera.orthographic_height};
  return camera;
}

/// The frustum's side planes touch the box: with slopes tx, ty the eye p must satisfy
/// p.(+-right - tx forward) >= max over corners c of c.(+-right - tx forward), and the same with
/// up. Adding the two of a pair bounds p.forward, their difference centres the picture.
Camera frame_perspective(const Bounds& b, const Vec3& direction, Real fov, Real aspect,
                         Real margin) {
  Camera camera;
  camera.field_of_view = fov;
  const Vec3 forward = normalized(-direction);
  camera.up = usable_up(forward);
  const Vec3 right = normalized(cross(forward, camera.up)), up = cross(right, forward);
  const Real ty = tangent_of_half(fov) * (1 - margin), tx = ty * aspect;
  const Bounds box{b.min - b.centre(), b.max - b.centre()};
  const Real a = support(box, right - forward * tx), c = support(box, -right - forward * tx);
  const Real d = support(box, up - forward * ty), e = support(box, -up - forward * ty);
  const Real depth = std::min(-(a + c) / (2 * tx), -(d + e) / (2 * ty));
  camera.target = b.centre() + right * ((a - c) / 2) + up * ((d - e) / 2);
  camera.position = camera.target + forward * depth;
  return camera;
}

}  // namespace

CameraFrame frame_of(const Camera& camera) {
  const Vec3 forward = normalized(camera.target - camera.position);
  Vec3 right = cross(forward, camera.up);
  if (!(length(right) > Real(1e-4) * length(camera.up))) right = cross(forward, usable_up(forward));
  right = normalized(right);
  return {right, cross(right, forward), forward};
}

Vec2 project(const Camera& camera, Real aspect, const Vec3& point) {
  const CameraFrame f = frame_of(camera);
  const Vec3 v = point - camera.position;
  const Real half = camera.orthographic_height > 0
                        ? camera.orthographic_height / 2
                        : dot(v, f.forward) * tangent_of_half(camera.field_of_view);
  return {dot(v, f.right) / (half * aspect), dot(v, f.up) / half};
}

Camera frame_bounds(const Bounds& bounds, const Vec3& direction, Real field_of_view, Real aspect,
                    bool flat, Real margin) {
  if (!(field_of_view > 0 && field_of_view < 179))
    throw InputError(fmt::format(
        "render.camera.field_of_view = {} must lie between 0 and 179 degrees; 30 is usual",
        field_of_view));
  const Bounds b = sensible(bounds);
  if (flat) return frame_flat(b, aspect, margin);
  const Vec3 d = length(direction) > 0 ? direction : three_quarter_direction;
  return frame_perspective(b, d, field_of_view, aspect, margin);
}

}  // namespace phyxel::render
