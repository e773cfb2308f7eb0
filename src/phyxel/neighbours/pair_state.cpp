#include "phyxel/neighbours/pair_state.h"

#include <bit>

namespace phyxel {

namespace {

void sort_ids(const Exec& exec, const Column<ParticleId>& ids, Column<std::uint64_t>& keys,
              Column<Index>& order, CountingSort& counting) {
  const auto n = static_cast<Index>(ids.size());
  keys.resize(n);
  order.resize(n);
  for_each(exec, "neighbours.ids", n, [&](Index i) {
    keys[i] = ids[i];
    order[i] = i;
  });
  const auto largest =
      reduce_max(exec, "neighbours.ids", n, ParticleId{0}, [&](Index i) { return ids[i]; });
  counting_sort(exec, std::bit_width(largest), keys, order, counting);
}

}  // namespace

void match_particles(const Exec& exec, const Column<ParticleId>& old_ids,
                     const Column<ParticleId>& new_ids, ParticleMatch& match) {
  sort_ids(exec, old_ids, match.old_keys, match.old_order, match.counting);
  sort_ids(exec, new_ids, match.new_keys, match.new_order, match.counting);
  const Column<std::uint64_t>& old_keys = match.old_keys;
  match.old_index.resize(new_ids.size());
  for_each(exec, "neighbours.match", static_cast<Index>(new_ids.size()), [&](Index k) {
    const std::uint64_t id = match.new_keys[k];
    const auto found = std::lower_bound(old_keys.begin(), old_keys.end(), id);
    const bool known = found != old_keys.end() && *found == id;
    match.old_index[match.new_order[k]] = known ? match.old_order[found - old_keys.begin()] : -1;
  });
}

}  // namespace phyxel
