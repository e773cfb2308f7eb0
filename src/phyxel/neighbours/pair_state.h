#pragma once

#include <algorithm>

#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

/// Which particle of an old order is which of a new one, by their ids.
struct ParticleMatch {
  Column<Index> old_index;  // of each new particle, -1 when it is new

  // Kept: a match of the same size allocates nothing.
  Column<std::uint64_t> keys;
  Column<Index> by_id;  // old particles in the order of their ids
  SortScratch sort;
};
void match_particles(const Exec& exec, const Column<ParticleId>& old_ids,
                     const Column<ParticleId>& new_ids, ParticleMatch& match);

/// One T per entry of neighbour rows (a rest length, a broken flag) that survives rebuilds and
/// re-sorting. value[e] belongs to neighbour[e].
template <class T>
struct PairState {
  Column<T> value;

  Column<T> previous;
  ParticleMatch match;
};

/// Entry of old row `i` that names `j`, or -1. The search starts at `hint`, the entry after the
/// last one found: rows keep most of their order.
inline Index find_entry(const NeighbourRows& rows, Index i, Index j, Index hint) {
  const Index first = rows.start[i], last = rows.start[i + 1];
  for (Index e = hint; e < last; ++e)
    if (rows.neighbour[e] == j) return e;
  for (Index e = first; e < hint; ++e)
    if (rows.neighbour[e] == j) return e;
  return -1;
}

/// Makes `state`, which belongs to old_rows, belong to new_rows: pairs listed in both keep their
/// value, the others start as `fresh`.
template <class T>
void carry_over(const Exec& exec, const NeighbourRows& old_rows, const Column<ParticleId>& old_ids,
                const NeighbourRows& new_rows, const Column<ParticleId>& new_ids, T fresh,
                PairState<T>& state) {
  match_particles(exec, old_ids, new_ids, state.match);
  const Column<Index>& old_index = state.match.old_index;
  state.previous.swap(state.value);
  state.value.resize(new_rows.neighbour.size());
  for_each(exec, "neighbours.carry_over", static_cast<Index>(new_ids.size()), [&](Index i) {
    const Index old_i = old_index[i];
    Index hint = old_i < 0 ? 0 : old_rows.start[old_i];
    for (Index e = new_rows.start[i]; e < new_rows.start[i + 1]; ++e) {
      const Index old_j = old_index[new_rows.neighbour[e]];
      const Index found = old_i < 0 || old_j < 0 ? -1 : find_entry(old_rows, old_i, old_j, hint);
      state.value[e] = found < 0 ? fresh : state.previous[found];
      if (found >= 0) hint = found + 1;
    }
  });
}

}  // namespace phyxel
