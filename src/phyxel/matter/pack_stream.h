#pragma once

#include <algorithm>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/matter/moving.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

/// The elements that a pack of indices names will be read soon.
template <class T>
PHYXEL_INLINE void ask_for(const T* from, const Index* pack) {
  for (Index l = 0; l < lanes; ++l) __builtin_prefetch(from + pack[l]);
}

/// Gathers the neighbours of a pack while the pack before is summed, across the ends of rows:
/// either alone leaves half of the processor waiting. There is at least one pack, and `at` has one
/// more element, a particle far away that pads of rows name. `ahead`: packs, by which neighbours
/// are asked for before they are gathered, where they are too many for the cache; 0: not.
template <bool with_velocity, Index ahead = 0>
struct PackStream {
  const Moving* const at;
  const Index* const neighbour;
  const Index last_pack;
  Index e;
  QuadPack x, v;

  PHYXEL_INLINE PackStream(const Moving* particles, const Index* neighbours, Index first,
                           Index last)
      : at(particles), neighbour(neighbours), last_pack(last - lanes), e(first) {
    fetch();
  }
  PHYXEL_INLINE void fetch() {
    const Index* const row = neighbour + std::min(e, last_pack);
    const auto address = [&](Index l) __attribute__((always_inline)) {
      return at[row[l]].x.c;
    };
    if constexpr (with_velocity) {
      const TwoQuadPacks both = load_eights(address);
      for (int k = 0; k < 4; ++k) {  // copies of a whole QuadPack go through memory
        x.c[k] = both.first.c[k];
        v.c[k] = both.second.c[k];
      }
    } else {
      const QuadPack fours = load_many_fours(address);
      for (int k = 0; k < 4; ++k) x.c[k] = fours.c[k];
    }
  }
  PHYXEL_INLINE void next() {
    e += lanes;
    __builtin_prefetch(neighbour + e + 16 * lanes);
    if constexpr (ahead > 0) ask_for(at, neighbour + std::min(e + ahead * lanes, last_pack));
    fetch();
  }
};

}  // namespace phyxel
