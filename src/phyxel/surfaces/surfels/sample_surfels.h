#pragma once

#include <functional>

#include "phyxel/geometry/shape.h"
#include "phyxel/matter/surface_mesh.h"
#include "phyxel/surfaces/surfels/surfels.h"

namespace phyxel {

/// How a surface is sampled. Surfels are discs with a radius of one spacing, so that they overlap.
struct SurfelSampling {
  Real spacing = 0;  // m: there is one surfel for each square of this width
  std::uint32_t seed = 1;
  std::function<Vec3(const Vec3& x)> colour;                    // of a place; empty: none
  std::function<Vec3(const Vec<Real, 2>& texture)> of_texture;  // of u, v of a mesh; empty: none
};

/// No two surfels nearer than this part of the spacing, and no room for another.
constexpr Real surfel_distance = Real(0.83);

/// Surfels on the surface of a solid, evenly (Poisson disks), in the order of cells. The two sides
/// of a thin part do not see each other. Throws InputError for an unbounded shape, and for a
/// spacing that is too coarse or too fine for it.
Surfels sample_surfels(const Exec& exec, const Shape& shape, const SurfelSampling& sampling);

/// The same on a closed mesh. Normals are those of its vertices where it has some. The colour comes
/// from of_texture, else from its attribute `colour`, else from `colour`. Throws InputError where
/// edges are open.
Surfels sample_surfels(const Exec& exec, const SurfaceMesh& mesh, const SurfelSampling& sampling);

}  // namespace phyxel
