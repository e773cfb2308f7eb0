#include "phyxel/surfaces/surfels/contact.h"

#include <memory>

#include "phyxel/colliders/collider.h"
#include "phyxel/surfaces/surfels/bind.h"
#include "phyxel/surfaces/surfels/disc.h"

namespace phyxel {

namespace {

constexpr Real farthest = Real(1e30);

TouchedPoint nearest_of(const std::vector<TouchedSurface>& touched, const Vec3& x) {
  TouchedPoint nearest = {farthest, Vec3::zero(), Vec3::zero(), false};
  for (const TouchedSurface& surface : touched)
    if (const TouchedPoint at = surface(x); at.distance < nearest.distance) nearest = at;
  return nearest;
}

/// The disc of surfel k on the surface that it touches, facing it.
struct ContactDisc {
  Vec3 x, u, v, colour;
};

ContactDisc disc_on(const TouchedPoint& at, const CarriedSurfels& s, Index k) {
  const Vec3 was = disc_normal(s.u[k], s.v[k]), normal = -at.normal;
  return {s.x[k] - at.normal * at.distance, turned(s.u[k], was, normal),
          turned(s.v[k], was, normal), at.has_colour || s.colour.empty() ? at.colour : s.colour[k]};
}

/// A solid is entered deeply only by surfels that belong to its other side.
constexpr Real deepest = 3;  // spacings

}  // namespace

TouchedSurface touched_shape(const Shape& shape) {
  return [shape](const Vec3& x) {
    const SignedDistance d = signed_distance(shape, x);
    return TouchedPoint{d.distance, d.normal, Vec3::zero(), false};
  };
}

TouchedSurface touched_collider(const Collider& collider) {
  return [&collider](const Vec3& x) {
    const Contact c = surface_contact_at(collider, x);
    return TouchedPoint{c.distance, c.normal, Vec3::zero(), false};
  };
}

TouchedSurface touched_surfels(const Exec& exec, const Surfels& surfels, Real spacing,
                               bool hollow) {
  auto points = std::make_shared<PointSurface>(make_point_surface(exec, surfels, spacing));
  const bool has_colour = !surfels.colour.empty();
  return [points, hollow, has_colour](const Vec3& x) {
    const PointFoot first = foot_on_surfels(*points, x, Vec3::zero());
    if (first.nearest < 0) return TouchedPoint{farthest, Vec3::zero(), Vec3::zero(), false};
    const PointFoot foot = foot_on_surfels(*points, first.x, first.normal);
    const Vec3 out = hollow ? -foot.normal : foot.normal;
    return TouchedPoint{dot(x - foot.x, out), out, foot.colour, has_colour};
  };
}

namespace {

/// Whether a surfel touches what is nearest to it, from its outside.
bool is_touching(const TouchedPoint& at, const SurfelOptions& options, Real spacing,
                 const CarriedSurfels& s, Index k) {
  const Real reach = options.touch_distance * spacing * (s.touches[k] ? 2 : 1);
  return at.distance < reach && at.distance > -deepest * spacing &&
         dot(at.normal, cross(s.u[k], s.v[k])) < 0;
}

/// Zombies are not shown in contact; those that solidify on a surface become it with the others.
void adopt_for_zombies(const Exec& exec, const std::vector<TouchedSurface>& touched,
                       const SurfelPhyxels& now, const SurfelOptions& options,
                       SurfelSurface& surface) {
  CarriedSurfels& s = surface.zombies;
  for_each(exec, "surfels.adopt", s.size(), [&](Index k) {
    if (!solidifies(now, s, k)) return;
    const TouchedPoint at = nearest_of(touched, s.x[k]);
    if (!is_touching(at, options, surface.spacing, s, k)) return;
    const ContactDisc disc = disc_on(at, s, k);
    s.x[k] = disc.x, s.u[k] = disc.u, s.v[k] = disc.v;
    if (!s.colour.empty()) s.colour[k] = disc.colour;
  });
}

}  // namespace

void find_contacts(const Exec& exec, const std::vector<TouchedSurface>& touched,
                   const SurfelOptions& options, SurfelSurface& surface) {
  CarriedSurfels& s = surface.detail;
  for_each(exec, "surfels.contact", s.size(), [&](Index k) {
    s.touches[k] = is_touching(nearest_of(touched, s.x[k]), options, surface.spacing, s, k);
  });
  Column<Index> touching;
  for (Index k = 0; k < s.size(); ++k)
    if (s.touches[k]) touching.push_back(k);
  Surfels& c = surface.contact;
  for (Column<Vec3>* const column : {&c.x, &c.u, &c.v}) column->resize(touching.size());
  c.id.resize(touching.size());
  c.colour.resize(s.colour.empty() ? 0 : touching.size());
  for_each(exec, "surfels.contact_discs", c.size(), [&](Index e) {
    const Index k = touching[e];
    const ContactDisc disc = disc_on(nearest_of(touched, s.x[k]), s, k);
    c.x[e] = disc.x, c.u[e] = disc.u, c.v[e] = disc.v, c.id[e] = s.id[k];
    if (!c.colour.empty()) c.colour[e] = disc.colour;
  });
}

void adopt_contacts(const Exec& exec, const std::vector<TouchedSurface>& touched,
                    const SurfelPhyxels& now, const SurfelOptions& options, SurfelSurface& surface,
                    Column<std::uint8_t>& adopted) {
  CarriedSurfels& s = surface.detail;
  adopted.assign(s.x.size(), 0);
  Column<Index> entry(s.x.size());
  for (Index k = 0, at = 0; k < s.size(); ++k) entry[k] = s.touches[k] ? at++ : -1;
  const Surfels& c = surface.contact;
  for_each(exec, "surfels.adopt", s.size(), [&](Index k) {
    if (entry[k] < 0 || !solidifies(now, s, k)) return;
    const Index e = entry[k];
    adopted[k] = 1;
    s.x[k] = c.x[e], s.u[k] = c.u[e], s.v[k] = c.v[e];
    if (!s.colour.empty()) s.colour[k] = c.colour[e];
  });
  adopt_for_zombies(exec, touched, now, options, surface);
}

}  // namespace phyxel
