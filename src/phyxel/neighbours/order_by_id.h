#pragma once

#include "phyxel/core/exec.h"

// Particles that one key of a sort does not tell apart are put in the order of their ids: results
// then follow from the particles, and not from where they lay in memory.

namespace phyxel {

/// Sorts n particles by their ids. They are nearly in order: only a few came from elsewhere since
/// they were sorted last. After Shell 1959, with the gaps of Ciura 2001 where there are many.
PHYXEL_FN void sort_by_id(const ParticleId* id, Index* particle, Index n) {
  constexpr Index gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
  for (const Index gap : gaps) {
    if (gap > 1 && 16 * gap > n) continue;
    for (Index k = gap; k < n; ++k) {
      const Index moved = particle[k];
      const ParticleId own = id[moved];
      Index to = k;
      for (; to >= gap && own < id[particle[to - gap]]; to -= gap)
        particle[to] = particle[to - gap];
      particle[to] = moved;
    }
  }
}

inline namespace PHYXEL_BACKEND {

/// Sorts each run of equal keys by id; `order` was sorted by the keys.
inline void order_equal_keys_by_id(const Exec& exec, const char* name,
                                   const Column<std::uint64_t>& keys, const Column<ParticleId>& ids,
                                   Column<Index>& order) {
  const auto n = static_cast<Index>(order.size());
  const std::uint64_t* const key = keys.data();
  const ParticleId* const id = ids.data();
  Index* const particle = order.data();
  for_each(
      exec, name, n, PHYXEL_LAMBDA(Index k) {
        if (k > 0 && key[k] == key[k - 1]) return;
        Index last = k + 1;
        while (last < n && key[last] == key[k]) ++last;
        sort_by_id(id, particle + k, last - k);
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
