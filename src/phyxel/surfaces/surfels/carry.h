#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/surfaces/surfels/links.h"
#include "phyxel/surfaces/surfels/surfels.h"

// The displacement approach of Mueller et al. 2004, section 5.1.

namespace phyxel {

/// Surfels on phyxels, with the places from which these carry them: in the reference shape, or
/// where they were in the frame before.
struct CarriedSurfels : Surfels {
  Column<Vec3> anchor, anchor_u, anchor_v;  // m; one more than surfels, for loads of four numbers
  Column<LinkPhyxels> phyxel;               // indices into the phyxels
  Column<LinkWeights> weight;
  Column<std::uint8_t> flows;    // 1: anchored in the frame before, 0: in the reference shape
  Column<Real> play;             // change of P since it was last counted, within the dead zone
  Column<Real> blend;            // Gamma: how far it has become the implicit surface, 0 to 1
  Column<std::uint8_t> touches;  // 1: in contact, where another surface is shown instead of it
  Column<Index> object;          // body whose phyxels carry it, besides those that flow with it

  Links links(Index s) const { return {phyxel[s], weight[s]}; }
};

/// f(column) for all columns of surfels that are carried; `colour` may be empty.
template <class Set, class F>
void for_columns(Set& s, F&& f) {
  f(s.x), f(s.u), f(s.v), f(s.id), f(s.anchor), f(s.anchor_u), f(s.anchor_v), f(s.phyxel);
  f(s.weight), f(s.flows), f(s.play), f(s.blend), f(s.touches), f(s.object);
  if (!s.colour.empty()) f(s.colour);
}

/// x -> M x + c by columns of four: those of M, each with a zero behind, then c and |det M|.
using AffineRow = Row16;
struct AffineMap {
  Mat3 linear;
  Vec3 shift;
  Vec3 operator()(const Vec3& x) const { return linear * x + shift; }
};
AffineRow row_of(const AffineMap& map);

/// The maps of all phyxels: first those from the reference shape to now, then those from the frame
/// before to now.
void find_maps(const Exec& exec, const SurfelPhyxels& before, const SurfelPhyxels& now,
               Column<AffineRow>& maps);

/// The weighed mean of the maps of a surfel; where its phyxels have turned apart, so that a mean
/// would fold space, that of the nearest one. `first`: of the rows that count for it.
AffineMap mean_map(const Column<AffineRow>& maps, const Links& links, Index first);
/// The same of phyxels where they are, from the reference shape.
AffineMap mean_map(const SurfelPhyxels& phyxels, const Links& links);

/// Half axes are cut at it: matter that is torn about its phyxels says nothing of its surface.
constexpr Real longest_axis = 4;  // spacings

/// x = sum w (F (p - X) + x_i) and both half axes, for all surfels. `longest`: of half axes, m.
void carry(const Exec& exec, const Column<AffineRow>& maps, Real longest, CarriedSurfels& surfels);

/// Moves a surfel that is anchored in the reference shape to another place: its anchor follows.
/// `near`: a place of the reference shape beside it, about which flattened matter is spread.
void move_anchor(const AffineMap& map, const Vec3& near, Index s, CarriedSurfels& surfels);

}  // namespace phyxel
