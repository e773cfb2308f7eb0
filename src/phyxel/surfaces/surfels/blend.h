#pragma once

#include "phyxel/surfaces/surfels/implicit_surface.h"
#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

/// Blends surfels towards the implicit surface by how much the topology around them has changed
/// between two frames. Marks those that moved in `moved`, and removes those that have
/// become it and are not in reach of it: buried where bodies merge, or between those that part.
void blend_detail(const Exec& exec, const SurfelPhyxels& before, const SurfelPhyxels& now,
                  const Column<AffineRow>& maps, const PointField& blobs,
                  const SurfelOptions& options, CarriedSurfels& surfels,
                  Column<std::uint8_t>& moved);

/// Moves all surfels of L_I to the surface of the blobs; those that do not find it get kept = 0.
void project_on_implicit(const Exec& exec, const PointField& blobs, const Column<AffineRow>& maps,
                         CarriedSurfels& surfels, Column<std::uint8_t>& kept);

/// Places a surfel, its axes turned to another normal; its anchor follows where it has one.
void place(const Column<AffineRow>& maps, const Vec3& x, const Vec3& normal, Index s,
           CarriedSurfels& surfels);

/// True for a place farther from the phyxels of a surfel than matter reaches: in a gap between
/// bodies that part, or beyond an edge.
bool is_away(const SurfelPhyxels& phyxels, const Links& links, const Vec3& x);

/// How far surfels may be from the implicit surface, in spacings of the phyxels.
constexpr Real implicit_reach = 2;

}  // namespace phyxel
