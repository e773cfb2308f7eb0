#pragma once

#include <algorithm>

#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

/// Entry among [first, last) that names `j`, or -1. The search starts at `hint`, the entry after
/// the last one found: rows keep most of their order. A row names a particle once.
PHYXEL_FN Index find_entry(const Index* neighbour, Index first, Index last, Index j, Index hint) {
  if (hint < last && neighbour[hint] == j) return hint;
#ifndef __CUDA_ARCH__
  // All of some entries are compared, which is a few instructions for a pack of them.
  for (; first + row_pad <= last; first += row_pad) {
    Index place = 0;
    for (Index l = 0; l < row_pad; ++l) place = neighbour[first + l] == j ? l + 1 : place;
    if (place > 0) return first + place - 1;
  }
#endif
  for (Index e = first; e < last; ++e)
    if (neighbour[e] == j) return e;
  return -1;
}

inline namespace PHYXEL_BACKEND {

/// Index of each particle in an old order, found by its id.
struct ParticleMatch {
  Column<Index> old_index;  // of each new particle, -1 when it is new

  // Kept: a match of the same size allocates nothing.
  Column<std::uint64_t> keys;
  Column<Index> by_id;  // old particles in the order of their ids
  SortScratch sort;
};
/// `order[k]` is the old index of new particle k; an index beyond the old particles means that it
/// was added. This is checked, and where it does not hold, ids are searched for.
void match_particles(const Exec& exec, const Column<ParticleId>& old_ids,
                     const Column<ParticleId>& new_ids, const Column<Index>& order,
                     ParticleMatch& match);

/// One T per entry of neighbour rows (a rest length, a broken flag) that survives rebuilds and
/// re-sorting. value[e] belongs to neighbour[e]; pads hold a fresh one.
template <class T>
struct PairState {
  Column<T> value;

  Column<T> previous;

  /// Memory that holds no entry.
  void give_back() {
    value.shrink_to_fit();
    previous = {};
  }
};

/// Makes `state`, which belongs to old_rows, belong to new_rows: pairs listed in both keep their
/// value, the others start as `fresh`. `match` has the old index of each particle.
template <class T>
void carry_over(const Exec& exec, const NeighbourRows& old_rows, const NeighbourRows& new_rows,
                const ParticleMatch& match, T fresh, PairState<T>& state) {
  state.previous.swap(state.value);
  state.value.resize(new_rows.neighbour.size());
  const Index* const old_index = match.old_index.data();
  const Index *const old_start = old_rows.start.data(), *const old_count = old_rows.count.data(),
                     *const old_neighbour = old_rows.neighbour.data();
  const Index *const start = new_rows.start.data(), *const count = new_rows.count.data(),
                     *const neighbour = new_rows.neighbour.data();
  // Where none of the old pairs had a state all begin anew.
  const T* const previous =
      state.previous.size() == old_rows.neighbour.size() ? state.previous.data() : nullptr;
  T* const value = state.value.data();
  for_each(
      exec, "neighbours.carry_over", static_cast<Index>(new_rows.count.size()),
      PHYXEL_LAMBDA(Index i) {
        // Copies: what is written are often bytes, which the compiler must take for any memory.
        const Index *const index = old_index, *const old = old_neighbour, *const now = neighbour;
        const T *const before = previous, none = fresh;
        T* const after = value;
        const Index old_i = before ? index[i] : -1;
        const Index first = old_i < 0 ? 0 : old_start[old_i];
        const Index last = old_i < 0 ? 0 : first + old_count[old_i];
        const Index listed = start[i] + count[i], end = start[i + 1];
        Index hint = first;
        for (Index e = start[i]; e < listed; ++e) {
          const Index old_j = index[now[e]];
          const Index found = old_j < 0 ? -1 : find_entry(old, first, last, old_j, hint);
          after[e] = found < 0 ? none : before[found];
          if (found >= 0) hint = found + 1;
        }
        for (Index e = listed; e < end; ++e) after[e] = none;
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
