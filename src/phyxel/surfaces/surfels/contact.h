#pragma once

#include <functional>

#include "phyxel/geometry/shape.h"
#include "phyxel/surfaces/surfels/point_surface.h"
#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

struct Collider;  // colliders/collider.h

/// The surface of something that surfels touch, seen from a place.
struct TouchedPoint {
  Real distance;            // m, negative inside of it
  Vec3 normal;              // out of it
  Vec3 colour;              // of its surface
  bool has_colour = false;  // false: surfels keep their own
};

/// What surfels may touch, as a function of the place. Many threads call it at once.
using TouchedSurface = std::function<TouchedPoint(const Vec3& x)>;

TouchedSurface touched_shape(const Shape& shape);
/// Where the last move_to has put it. The collider must outlive the surface.
TouchedSurface touched_collider(const Collider& collider);
/// Another surface of surfels, which must outlive it; hollow: matter is inside of it, as in a
/// mould.
TouchedSurface touched_surfels(const Exec& exec, const Surfels& surfels, Real spacing, bool hollow);

/// Finds L_C: surfels that come onto one of the surfaces take its place, normal and colour, facing
/// it. They stay while they are within twice the distance of touching.
void find_contacts(const Exec& exec, const std::vector<TouchedSurface>& touched,
                   const SurfelOptions& options, SurfelSurface& surface);

/// Surfels of L_D and zombies that solidify while they touch become what they touch: L_D <- L_C.
/// `adopted` marks those of L_D.
void adopt_contacts(const Exec& exec, const std::vector<TouchedSurface>& touched,
                    const SurfelPhyxels& now, const SurfelOptions& options, SurfelSurface& surface,
                    Column<std::uint8_t>& adopted);

}  // namespace phyxel
