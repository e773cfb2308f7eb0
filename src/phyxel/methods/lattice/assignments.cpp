#include "phyxel/methods/lattice/assignments.h"

#include "phyxel/core/exec.h"
#include "phyxel/methods/lattice/step_view.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

void reorder_assignments(const Exec& exec, const Column<Index>& order, Column<std::uint8_t>& calm,
                         Assignments& assignments) {
  const Index n = static_cast<Index>(order.size());
  permute(exec, "lattice.reorder", calm, order, assignments.spare_calm);
  assignments.lattice_point.resize(n);
  assignments.spare_assigned.resize(assignments.assigned.size());
  const Index *const source = order.data(), *const from = assignments.assigned.data();
  Index *const lattice_point = assignments.lattice_point.data(), *const to =
                                                                     assignments.spare_assigned
                                                                         .data();
  const int slots = assignments.slots;
  for_each(
      exec, "lattice.reorder", n, PHYXEL_LAMBDA(Index k) { lattice_point[source[k]] = k; });
  const Index whole = (n + slot_block - 1) / slot_block * slot_block;
  for_each(
      exec, "lattice.reorder", whole, PHYXEL_LAMBDA(Index k) {
        for (int slot = 0; slot < slots; ++slot)
          to[place_in_block(k, slot, slots)] =
              k < n ? lattice_point[from[place_in_block(source[k], slot, slots)]] : k;
      });
  assignments.assigned.swap(assignments.spare_assigned);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
