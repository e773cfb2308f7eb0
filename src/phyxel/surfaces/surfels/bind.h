#pragma once

#include "phyxel/surfaces/surfels/carry.h"

// Where surfels are anchored, and when that changes.

namespace phyxel {

constexpr Index any_object = -1;  // of a surfel that phyxels of any body may carry

/// Binds all surfels to the phyxels around them: in the reference shape, or where one of those
/// absorbs, in this frame.
void bind_all(const Exec& exec, const SurfelPhyxels& phyxels, CarriedSurfels& surfels);

/// The same for those that are marked.
void bind_marked(const Exec& exec, const SurfelPhyxels& phyxels, const Column<std::uint8_t>& marked,
                 CarriedSurfels& surfels);

/// Which phyxels' reference shape changes between two frames of the same phyxels.
Column<std::uint8_t> phyxels_that_flow(const Exec& exec, const SurfelPhyxels& before,
                                       const SurfelPhyxels& now);

/// Surfels with a phyxel that flows are anchored where they are in the frame before, by the phyxels
/// around them there. `frame`: its number.
void anchor_flowing(const Exec& exec, const SurfelPhyxels& before,
                    const Column<std::uint8_t>& flows, const LinkSearch& search,
                    std::uint64_t frame, CarriedSurfels& surfels);

/// True for a surfel that flowed and none of whose phyxels absorbs now.
bool solidifies(const SurfelPhyxels& now, const CarriedSurfels& surfels, Index s);
/// Those that solidify are anchored in the reference shape, where they are now.
void anchor_solidified(const Exec& exec, const SurfelPhyxels& now, const Column<AffineRow>& maps,
                       CarriedSurfels& surfels);

/// The phyxels of `before` in the order of `now`; those that are new are as they are now. Both are
/// in the order of ids.
SurfelPhyxels aligned(const SurfelPhyxels& before, const SurfelPhyxels& now);
/// Links to phyxels of the ids `from` become links to the same of `to`. Surfels without any left
/// are removed; those that lost some go on from where they are in the frame `before`.
void relink(const Exec& exec, const Column<ParticleId>& from, const Column<ParticleId>& to,
            const SurfelPhyxels& before, CarriedSurfels& surfels);

/// Removes surfels where `kept` is 0; the others keep their order.
void keep_surfels(const Column<std::uint8_t>& kept, CarriedSurfels& surfels);

}  // namespace phyxel
