#include "phyxel/neighbours/pair_state.h"

namespace phyxel {

void match_particles(const Exec& exec, const Column<ParticleId>& old_ids,
                     const Column<ParticleId>& new_ids, ParticleMatch& match) {
  const auto old_count = static_cast<Index>(old_ids.size());
  match.keys.assign(old_ids.begin(), old_ids.end());
  match.by_id.resize(old_count);
  for_each(exec, "neighbours.ids", old_count, [&](Index i) { match.by_id[i] = i; });
  sort_by_key(exec, "neighbours.sort_ids", match.keys, match.by_id, match.sort);
  match.old_index.resize(new_ids.size());
  for_each(exec, "neighbours.match", static_cast<Index>(new_ids.size()), [&](Index i) {
    const auto found = std::lower_bound(match.by_id.begin(), match.by_id.end(), new_ids[i],
                                        [&](Index k, ParticleId id) { return old_ids[k] < id; });
    const bool known = found != match.by_id.end() && old_ids[*found] == new_ids[i];
    match.old_index[i] = known ? *found : -1;
  });
}

}  // namespace phyxel
