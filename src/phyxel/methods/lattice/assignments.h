#pragma once

#include "phyxel/core/column.h"
#include "phyxel/core/exec.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// Assignments, in the order of particles.
struct Assignments {
  Column<Index> assigned;  // see StepPointers
  int slots = 0;           // of the material with most of them
  // Kept between calls of reorder_assignments.
  Column<std::uint8_t> spare_calm;
  Column<Index> lattice_point;  // after reordering, by place before
  Column<Index> spare_assigned;
};

/// Keeps assignments and calm bits while particles get new indices.
void reorder_assignments(const Exec& exec, const Column<Index>& order, Column<std::uint8_t>& calm,
                         Assignments& assignments);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
