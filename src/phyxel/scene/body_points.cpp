#include "phyxel/scene/body_points.h"

#include <algorithm>
#include <cmath>

#include "phyxel/geometry/sampling.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

Vec3d world_place(const Scene& scene, const Vec3& x, Real spacing) {
  const double step = std::pow(10.0, std::floor(std::log10(double(spacing))) - 4);
  Vec3d place;
  for (int k = 0; k < 3; ++k)
    place[k] = std::round((scene.origin[k] + double(x[k])) / step) * step + 0.0;
  return place;
}

namespace {

/// Points that are not sampled within the domain and the plane.
void check_points(const Scene& scene, const BodySpec& body, const std::vector<Vec3>& points) {
  const std::string of = body.shape.file.empty() ? "" : fmt::format(" of \"{}\"", body.shape.file);
  const Bounds domain{cast<Real>(scene.world.domain_min), cast<Real>(scene.world.domain_max)};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& x = points[i];
    const bool leaves = scene.dimensions == 2 && x[2] != 0;
    if (leaves || (scene.world.has_domain && !domain.contains(x))) {
      const Vec3d at = world_place(scene, x, rest_spacing(scene, body));
      fail(body.shape.place, "body.{}: point {}{}, at [{:.7g}, {:.7g}, {:.7g}], is {}", body.name,
           i, of, at[0], at[1], at[2],
           leaves ? "not in the plane z = 0 of a flat scene" : "outside world.domain");
    }
  }
}

std::vector<Vec3> checked(const Scene& scene, const BodySpec& body, std::vector<Vec3> points) {
  check_points(scene, body, points);
  return points;
}

/// A periodic axis owns its lower side only: a lattice that fills the box must not meet itself at
/// the upper one.
void drop_upper_side(const Scene& scene, Real spacing, std::vector<Vec3>& points) {
  for (int k = 0; k < 3; ++k) {
    if (!scene.world.periodic[k]) continue;
    const Real limit = Real(scene.world.domain_max[k]) - Real(1e-3) * spacing;
    std::erase_if(points, [&](const Vec3& p) { return p[k] > limit; });
  }
}

/// A box as large as a periodic domain is meant to fill it: its border layer, which samplers leave
/// out, is wanted once.
ShapeSpec filling_periodic_domain(const Scene& scene, ShapeSpec shape, Real spacing) {
  for (int k = 0; k < 3; ++k) {
    const Real edge = Real(scene.world.domain_max[k]) - Real(scene.world.domain_min[k]);
    if (shape.type == "box" && scene.world.periodic[k] &&
        std::abs(shape.size[k] - edge) < Real(1e-3) * spacing)
      shape.size[k] += Real(0.01) * spacing;
  }
  return shape;
}

}  // namespace

// Lattices lie along the body's own axes: a turned box is filled as the straight one, then turned.
std::vector<Vec3> body_points(const Scene& scene, const BodySpec& body, ShapeFiles& files) {
  if (body.shape.type == "particles")
    return checked(scene, body, read_shape_points(body.shape, files));
  if (is_thin(body)) return checked(scene, body, points_of(body_mesh(scene, body, files)));
  const Real spacing = rest_spacing(scene, body);
  const Vec3& turn = body.shape.rotation;
  const bool stays_flat = turn[0] == 0 && turn[1] == 0 && body.shape.centre[2] == 0;
  const bool turned = length(turn) > 0 && (scene.dimensions == 3 || stays_flat);
  const Transform pose{rotation_degrees(body.shape.rotation), cast<Real>(body.shape.centre)};
  ShapeSpec straight = filling_periodic_domain(scene, body.shape, spacing);
  if (turned) straight.rotation = Vec3::zero(), straight.centre = Vec3d::zero();
  const Shape shape = make_shape(straight, files);
  std::vector<Vec3> points = sample_inside(
      shape, body.packing, spacing, static_cast<std::uint32_t>(scene.seed), scene.dimensions);
  if (turned)
    for (Vec3& p : points) p = apply(pose, p);
  drop_upper_side(scene, spacing, points);
  return points;
}

}  // namespace phyxel
