#include "phyxel/methods/pbd/groups.h"

#include <algorithm>

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

constexpr Index piece_size = 256, block_size = 64;

}  // namespace

void Groups::build(const std::vector<std::vector<Index>>& groups) {
  std::vector<Index> member, group, anchor, start = {0}, first_piece = {0}, first_block = {0};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    member.insert(member.end(), groups[g].begin(), groups[g].end());
    group.insert(group.end(), groups[g].size(), static_cast<Index>(g));
    anchor.push_back(groups[g].front());
    const Index end = static_cast<Index>(member.size());
    while (start.back() < end) start.push_back(std::min(start.back() + piece_size, end));
    const Index pieces = static_cast<Index>(start.size()) - 1;
    while (first_piece.back() < pieces)
      first_piece.push_back(std::min(first_piece.back() + block_size, pieces));
    first_block.push_back(static_cast<Index>(first_piece.size()) - 1);
  }
  assign(member_, member);
  assign(group_, group);
  assign(anchor_, anchor);
  assign(start_, start);
  assign(first_piece_, first_piece);
  assign(first_block_, first_block);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
