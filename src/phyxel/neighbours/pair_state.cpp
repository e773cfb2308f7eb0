#include "phyxel/neighbours/pair_state.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

void match_particles(const Exec& exec, const Column<ParticleId>& old_ids,
                     const Column<ParticleId>& new_ids, ParticleMatch& match) {
  const auto old_count = static_cast<Index>(old_ids.size());
  match.keys.resize(old_count);
  match.by_id.resize(old_count);
  match.old_index.resize(new_ids.size());
  std::uint64_t* const keys = match.keys.data();
  Index *const by_id = match.by_id.data(), *const old_index = match.old_index.data();
  const ParticleId *const ids = old_ids.data(), *const wanted = new_ids.data();
  for_each(
      exec, "neighbours.ids", old_count, PHYXEL_LAMBDA(Index i) {
        keys[i] = ids[i];
        by_id[i] = i;
      });
  sort_pairs(exec, "neighbours.sort_ids", match.keys, match.by_id, 32, match.sort);
  const std::uint64_t* const sorted = match.keys.data();  // sorting may have swapped the memory
  const Index* const order = match.by_id.data();
  for_each(
      exec, "neighbours.match", static_cast<Index>(new_ids.size()), PHYXEL_LAMBDA(Index i) {
        Index first = 0, last = old_count;
        while (first < last) {
          const Index middle = first + (last - first) / 2;
          if (sorted[middle] < wanted[i])
            first = middle + 1;
          else
            last = middle;
        }
        const bool known = first < old_count && sorted[first] == wanted[i];
        old_index[i] = known ? order[first] : -1;
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
