#include "phyxel/surfaces/block_items.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

Index block_of(Index node) {
  return static_cast<Index>(std::floor(double(node) / SparseField::edge));
}

struct BlockBox {
  Int3 low = Int3::filled(std::numeric_limits<Index>::max());
  Int3 high = Int3::filled(std::numeric_limits<Index>::min());

  std::int64_t count() const {
    std::int64_t n = 1;
    for (int k = 0; k < 3; ++k) n *= std::int64_t{high[k]} - low[k] + 1;
    return n;
  }
};

BlockBox blocks_of(const NodeBox& nodes) {
  BlockBox box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = block_of(nodes.low[k]);
    box.high[k] = block_of(nodes.high[k]);
  }
  return box;
}

[[noreturn]] void refuse(Real cell, const std::string& why) {
  throw InputError(fmt::format("cell = {}: {}; take larger cells", cell, why));
}

/// Where the blocks of each item begin in a list of all; returns the length of the list.
Index count_blocks(const Exec& exec, Index items, Real cell,
                   const std::function<NodeBox(Index)>& nodes_of, Column<Index>& begin) {
  begin.resize(items);
  for_each(exec, "volume.count_blocks", items, [&](Index i) {
    const std::int64_t n = blocks_of(nodes_of(i)).count();
    if (n > 1 << 24) refuse(cell, fmt::format("one item reaches {:.3g} blocks", double(n)));
    begin[i] = static_cast<Index>(n);
  });
  return scan(exec, "volume.count_blocks", begin);
}

void list_blocks(const Exec& exec, Index items, const BlockKeys& packing,
                 const std::function<NodeBox(Index)>& nodes_of, const Column<Index>& begin,
                 Column<std::uint64_t>& keys, Column<Index>& item) {
  for_each(exec, "volume.list_blocks", items, [&](Index i) {
    const BlockBox box = blocks_of(nodes_of(i));
    Index at = begin[i];
    for (Index z = box.low[2]; z <= box.high[2]; ++z)
      for (Index y = box.low[1]; y <= box.high[1]; ++y)
        for (Index x = box.low[0]; x <= box.high[0]; ++x, ++at) {
          keys[at] = packing.key({x, y, z});
          item[at] = i;
        }
  });
}

}  // namespace

Index checked_node(double node, Real cell) {
  if (!(std::abs(node) < 1e9)) refuse(cell, fmt::format("a place lies {:.3g} cells away", node));
  return static_cast<Index>(node);
}

BlockItems items_by_block(const Exec& exec, Index items, Real cell,
                          const std::function<NodeBox(Index)>& nodes_of) {
  BlockItems found;
  if (items > 0) {
    const BlockBox all = reduce(
        exec, "volume.box", items, BlockBox{}, [&](Index i) { return blocks_of(nodes_of(i)); },
        [](const BlockBox& a, const BlockBox& b) {
          return BlockBox{min(a.low, b.low), max(a.high, b.high)};
        });
    const BlockKeys packing(all.low, all.high);
    if (packing.all_bits() > 63) refuse(cell, "the grid spreads over too many cells");
    Column<Index> begin;
    const Index entries = count_blocks(exec, items, cell, nodes_of, begin);
    Column<std::uint64_t> keys(entries);
    found.item.resize(entries);
    list_blocks(exec, items, packing, nodes_of, begin, keys, found.item);
    SortScratch scratch;
    sort_pairs(exec, "volume.sort_blocks", keys, found.item, packing.all_bits(), scratch);
    for (Index k = 0; k < entries; ++k)
      if (k == 0 || keys[k] != keys[k - 1]) {
        found.block.push_back(packing.block(keys[k]));
        found.first.push_back(k);
      }
  }
  found.first.push_back(static_cast<Index>(found.item.size()));
  return found;
}

}  // namespace phyxel
