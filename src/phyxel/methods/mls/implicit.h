#pragma once

#include "phyxel/linear/conjugate_gradient.h"
#include "phyxel/methods/mls/coarse_space.h"
#include "phyxel/methods/mls/contact_rows.h"
#include "phyxel/methods/mls/passes.h"
#include "phyxel/methods/mls/stiffness.h"

// Steps by implicit Euler: velocities at the end of a step under the forces at its end, by Newton's
// method with the stiffness of appendix B of Mueller et al. 2004.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

struct ImplicitOptions {
  double tolerance = 0;       // how far the last iterations may move a phyxel, see change_of_step
  double spacing = 0;         // m
  int most_iterations = 200;  // of each solve
  bool coarse = false;        // the coarse space takes part
  // What its matrix depends on beside the step: moduli, and which pins hold. It is made for matter
  // at rest, so that a run that is resumed makes the same one.
  std::vector<Real> coarse_for = {};
};

/// How the steps of a frame went.
struct ImplicitReport {
  double solves = 0, iterations = 0, unfinished = 0;
};

/// What an implicit step works with; kept between steps. Columns have an element for each phyxel.
struct ImplicitSpace {
  Column<Vec3> x, v;      // at the end of the step, as far as known
  Column<Vec3> start;     // velocities without internal forces
  Column<Vec3> at;        // those by which forces were found last
  Column<Vec3> ahead;     // how far velocities are from them
  Column<Vec3> force;     // N
  Column<Vec3> step;      // of Newton's method, m/s
  Column<Quad> hold;      // see holds.h
  Column<Index> holder;   // collider that holds; -1: none
  Column<Vec3> rub;       // impulse of sliding friction, N s
  Column<Real> diagonal;  // of the matrix, about; kg
  linear::SolveVectors<Column<Vec3>> vectors;
  StiffnessSpace stiffness;
  CoarseSpace coarse;
};

/// A step of dt: places and velocities at its end. The view's places, stresses and what others read
/// are those of the last iteration.
ImplicitReport take_implicit_step(const Exec& exec, const StepView& view,
                                  const ContactRows& contact, const StepUse& use,
                                  const ImplicitOptions& options, ImplicitSpace& space);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
