#pragma once

#include <cstdint>
#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel::grid {

/// Numbers for the blocks of a sparse grid, in the order of their insertion. An open hash table:
/// memory grows with the number of blocks, wherever they lie.
class BlockMap {
 public:
  void clear() {
    places_.clear();
    slots_.assign(slots_.size(), -1);
  }
  Index size() const { return static_cast<Index>(places_.size()); }
  const Int3& place(Index number) const { return places_[number]; }

  /// The number of a block, a new one where it had none.
  Index insert(const Int3& place) {
    if (2 * places_.size() >= slots_.size()) grow();
    std::size_t k = slot_of(place);
    if (slots_[k] < 0) {
      slots_[k] = size();
      places_.push_back(place);
    }
    return slots_[k];
  }

  /// -1 where there is no such block.
  Index find(const Int3& place) const { return slots_.empty() ? -1 : slots_[slot_of(place)]; }

  void swap(BlockMap& other) {
    places_.swap(other.places_);
    slots_.swap(other.slots_);
  }

 private:
  std::size_t slot_of(const Int3& p) const {
    std::uint64_t h = 0;
    for (int k = 0; k < 3; ++k)
      h = (h ^ static_cast<std::uint32_t>(p[k])) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t k = h & mask;; k = (k + 1) & mask) {
      if (slots_[k] < 0) return k;
      const Int3& q = places_[slots_[k]];
      if (q[0] == p[0] && q[1] == p[1] && q[2] == p[2]) return k;
    }
  }
  void grow() {
    slots_.assign(slots_.empty() ? 256 : 2 * slots_.size(), -1);
    for (Index n = 0; n < size(); ++n) slots_[slot_of(places_[n])] = n;
  }

  std::vector<Int3> places_;
  std::vector<Index> slots_;  // a power of two of them; -1: free
};

}  // namespace phyxel::grid
