#pragma once

#include "phyxel/core/exec.h"
#include "phyxel/core/mat.h"

namespace phyxel {

/// A surface made of discs: each has a place, two half axes that span its tangent plane, and a
/// colour. Their order has no meaning; ids are unique and survive resampling.
struct Surfels {
  Column<Vec3> x;       // centre, m
  Column<Vec3> u, v;    // half axes of the disc, m; its normal is that of u x v, outwards
  Column<Vec3> colour;  // 0 to 1, linear; empty where there is none
  Column<ParticleId> id;

  Index size() const { return static_cast<Index>(x.size()); }
};

}  // namespace phyxel
