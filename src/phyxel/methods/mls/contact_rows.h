#pragma once

#include "phyxel/methods/mls/step_view.h"

// Contact of phyxels that are not neighbours in a reference shape: of two bodies, or of parts of
// one that have come together.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

/// Which phyxels may touch before the next search. Rows have an order of their own, by cells of
/// where phyxels are; their entries are indices of phyxels.
struct ContactRows {
  CellTable cells;
  NeighbourRows rows;
  Column<Vec3> x;
  bool some = false;  // some row has an entry
};

/// Finds all pairs nearer than `radius`, m, that are not neighbours.
void find_contact_rows(const Exec& exec, const StepView& view, const Column<Vec3>& x, Real radius,
                       const PeriodicBox& box, ContactRows& contact);

/// Forces of contact, N, of all phyxels, and the torques of friction about their centres, N m.
void find_contact_forces(const Exec& exec, const StepView& view, const ContactRows& contact);

/// Adds these torques to what neighbourhoods do to their phyxels, so that friction keeps angular
/// momentum.
void turn_neighbourhoods(const Exec& exec, const StepView& view);

/// force -= the stiffness of contact times displacements p, along the lines between phyxels.
void add_contact_stiffness(const Exec& exec, const StepView& view, const ContactRows& contact,
                           const Column<Vec3>& p, Column<Vec3>& force);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
