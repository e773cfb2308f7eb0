#pragma once

#include "phyxel/methods/mpm/kernels.h"

namespace phyxel::mpm {

/// Where pins act: changes only where rows change their order.
struct PinnedPlaces {
  std::vector<char> chunks;   // of each chunk: some particle has a pin
  std::vector<Index> blocks;  // of nodes, around such chunks
};
void find_pinned_places(const Blocks& blocks, const Rows& rows, const Index* pin,
                        PinnedPlaces& places);

/// Nodes around pinned particles move with their pin; nodes.pinned marks them. It is not enough to
/// move the particles: forces on them would move the nodes of their tile in every step, and matter
/// would creep away from the pin. Uses nodes.work. Returns the largest |component|.
Real move_pinned_nodes(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                       const Blocks& blocks, const PinnedPlaces& places, const Index* pin,
                       const Rows& rows, Nodes& nodes);

/// The pin that moves a pinned node.
Index pin_of_node(const Boundaries& boundaries, const Nodes& nodes, std::size_t node);

}  // namespace phyxel::mpm
