#include "phyxel/neighbours/pair_state.h"

#include <bit>

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

/// Whether `order` is right. Ids are never used twice: a particle without an old index is new.
bool match_by_order(const Exec& exec, const Column<ParticleId>& old_ids,
                    const Column<ParticleId>& new_ids, const Column<Index>& order,
                    ParticleMatch& match) {
  if (order.size() != new_ids.size() || new_ids.size() < old_ids.size()) return false;
  const auto old_count = static_cast<Index>(old_ids.size());
  Index* const old_index = match.old_index.data();
  const ParticleId *const before = old_ids.data(), *const now = new_ids.data();
  const Index* const from = order.data();
  return reduce_max(
             exec, "neighbours.match", static_cast<Index>(order.size()), Index(0),
             PHYXEL_LAMBDA(Index i) {
               const bool was_there = from[i] < old_count;
               old_index[i] = was_there ? from[i] : -1;
               return Index(was_there && before[from[i]] != now[i]);
             }) == 0;
}

}  // namespace

void match_particles(const Exec& exec, const Column<ParticleId>& old_ids,
                     const Column<ParticleId>& new_ids, const Column<Index>& order,
                     ParticleMatch& match) {
  const auto old_count = static_cast<Index>(old_ids.size());
  match.old_index.resize(new_ids.size());
  if (match_by_order(exec, old_ids, new_ids, order, match)) return;
  match.keys.resize(old_count);
  match.by_id.resize(old_count);
  std::uint64_t* const keys = match.keys.data();
  Index *const by_id = match.by_id.data(), *const old_index = match.old_index.data();
  const ParticleId *const ids = old_ids.data(), *const wanted = new_ids.data();
  for_each(
      exec, "neighbours.ids", old_count, PHYXEL_LAMBDA(Index i) {
        keys[i] = ids[i];
        by_id[i] = i;
      });
  const ParticleId largest = reduce_max(
      exec, "neighbours.ids", old_count, ParticleId{0}, PHYXEL_LAMBDA(Index i) { return ids[i]; });
  sort_pairs(exec, "neighbours.sort_ids", match.keys, match.by_id, std::bit_width(largest),
             match.sort);
  const std::uint64_t* const sorted = match.keys.data();  // sorting may have swapped the memory
  const Index* const sorted_index = match.by_id.data();
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
        old_index[i] = known ? sorted_index[first] : -1;
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
