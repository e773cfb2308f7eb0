#pragma once

#include "phyxel/methods/mls/step_view.h"

// The product of the stiffness matrix and displacements, without the matrix: displacements take the
// place of positions in the sums over neighbours, and changes of stress that of stresses.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

/// What a product works with; kept between products.
struct StiffnessSpace {
  Column<Moving> place;  // X and mass, displacement; one more for pads
  Column<Row16> pull;
  Column<Quad> own_force;
};

/// force = -K p of neighbourhoods in the state that find_stresses has left in `view`.
/// `over_dt`: 1 over the length of the step where damping acts, 1/s; else 0.
void apply_stiffness(const Exec& exec, const StepView& view, const Column<Vec3>& p, Real over_dt,
                     StiffnessSpace& space, Column<Vec3>& force);

/// force = what neighbourhoods and contact do to phyxels, N.
void sum_forces_of(const Exec& exec, const StepView& view, Column<Vec3>& force);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
