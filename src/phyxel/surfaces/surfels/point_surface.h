#pragma once

#include "phyxel/surfaces/surfels/disc_search.h"
#include "phyxel/surfaces/surfels/surfels.h"

// The surface between surfels, by moving least squares.

namespace phyxel {

/// Surfels to be asked for the surface between them.
struct PointSurface {
  const Surfels* surfels = nullptr;
  Column<Vec3> normal;
  DiscSearch search;
  Real spacing = 0;  // m
};
PointSurface make_point_surface(const Exec& exec, const Surfels& surfels, Real spacing);

/// The place on it below or above p, with means over the surfels around.
struct PointFoot {
  Vec3 x, normal;
  Vec3 colour;    // zero where surfels have none
  Index nearest;  // surfel, of those that count; -1: there is none in reach
  bool beyond;    // p lies outside of them: there is no surface, only its continuation
};

/// Only surfels with a normal near `normal` count, or where there are none those that do not oppose
/// it; zero: all. Edges stay sharp, and thin parts have two sides. The surface is where
/// sum w (n + n_i)/2 . (x - x_i) = 0, with the mean normal n: unlike a plane through the mean it
/// does not shrink what is curved.
PointFoot foot_on_surfels(const PointSurface& surface, const Vec3& p, const Vec3& normal);

/// True above another face beside the one at x of normal n: beyond a convex edge.
bool is_beyond_edge(const PointSurface& surface, const Vec3& x, const Vec3& n);

}  // namespace phyxel
