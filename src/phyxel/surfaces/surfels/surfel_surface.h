#pragma once

#include "phyxel/surfaces/surface_options.h"
#include "phyxel/surfaces/surfels/carry.h"

namespace phyxel {

/// How a surface of surfels follows its phyxels. Mueller et al. 2004, section 5.
struct SurfelOptions {
  bool blends = true;           // detail becomes the implicit surface where topology changes
  bool implicit = true;         // the implicit surface L_I is sampled and kept
  bool contact = true;          // surfels take the shape and colour of what they touch
  bool resamples = true;        // surfels are split, deleted and spread evenly
  bool zombies = true;          // unresampled surfels carry colour and shape for the resampled ones
  Real gain = 10;               // lambda: blend over change of the boundary probability
  Real dead_zone = Real(0.03);  // change of the boundary probability that does not count
  Index least_neighbours = 7;   // surfels within two spacings; fewer: one is split
  Index most_neighbours = 20;   // more: one is deleted
  Real touch_distance = Real(0.3);  // spacings, at which a surface takes another's shape
  std::uint32_t seed = 1;
  FieldOptions field;  // of the implicit surface; its kind is blobs
};

/// Only carried by phyxels: exact and quick where no topology changes and nothing is stretched far.
inline SurfelOptions displacement_only() {
  SurfelOptions o;
  o.blends = o.implicit = o.contact = o.resamples = o.zombies = false;
  return o;
}

/// A surface of surfels and all it must remember from frame to frame.
struct SurfelSurface {
  Real spacing = 0;           // m, between surfels
  Real phyxel_spacing = 0;    // m, between phyxels at the start
  int dimensions = 3;         // of the phyxels
  CarriedSurfels detail;      // L_D: shown
  CarriedSurfels zombies;     // as sampled, never resampled; empty without them
  CarriedSurfels implicit;    // L_I; empty without it
  Surfels contact;            // L_C: in place of those of L_D that touch, with their ids and order
  Column<ParticleId> phyxel;  // that links refer to
  ParticleId next_id = 0;
  std::uint64_t frame = 0;  // how often it advanced
};

/// Surfels bound to phyxels where both are now. `objects`: of each surfel, or empty: that of the
/// phyxel nearest to it. Throws InputError where there is nothing to bind to.
SurfelSurface make_surfel_surface(const Exec& exec, Surfels surfels, const SurfelPhyxels& phyxels,
                                  Real spacing, const SurfelOptions& options, int dimensions = 3,
                                  const Column<Index>& objects = {});

/// The blobs whose surface is L_I: make_surface of the same phyxels with these options gives a
/// watertight mesh of it.
FieldOptions implicit_field(const SurfelSurface& surface, const SurfelOptions& options);

/// What to draw: L_D, with L_C where it touches.
Surfels shown(const SurfelSurface& surface);
/// The same, coloured by the set that each surfel is of: grey detail, the more orange the more of
/// it has become the implicit surface, blue contact.
Surfels shown_by_set(const SurfelSurface& surface);

/// The columns of one of the sets, or numbers; their lengths differ between groups.
struct SurfelColumns {
  std::string name;
  std::vector<FrameColumn> columns;
};
/// All of the state, to the bit, and back. load throws Error where something is missing.
std::vector<SurfelColumns> save(const SurfelSurface& surface);
SurfelSurface load_surfels(const std::vector<SurfelColumns>& saved);

}  // namespace phyxel
