#pragma once

#include "phyxel/methods/pbd/rows.h"
#include "phyxel/methods/pbd/step_view.h"

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

/// Velocities by gravity, and where particles would be after a step of dt; pins move theirs.
/// Returns the longest way, m.
Real predict(const Exec& exec, const StepView& view, Real dt);

/// Marks particles that are within `reach` (m) of a collider.
void find_near(const Exec& exec, const StepView& view, Real reach);
/// Their numbers, rising.
void list_near(const Exec& exec, const StepView& view, Column<Index>& places, Column<Index>& near);

/// The planes that keep particles out of colliders, from their paths in the step.
void find_touches(const Exec& exec, const StepView& view, Real dt);
void project_touches(const Exec& exec, const StepView& view);

/// How rows are projected in a step.
struct Sweep {
  Real dt;
  bool by_share = false;  // projection = "stiffness"
  bool several = false;   // there are several of them
};

/// Multipliers of a step with several sweeps.
void clear_multipliers(const Exec& exec, AllRows& rows);
/// Projects the rows of all kinds, colour by colour.
void project_rows(const Exec& exec, const StepView& view, const Sweep& sweep, AllRows& rows);

/// Masses times ends of free particles over dt, and the moments of that about the origin, kg m/s.
Impulse momentum_of_ends(const Exec& exec, const StepView& view, Real dt);
/// Writes a - b where kernels keep it.
void store_difference(const Exec& exec, const Impulse& a, const Impulse& b, Impulse* to);

/// Counts what ties do to a pin in a step of dt.
void count_ties(const Exec& exec, const StepView& view, Index pin, Real dt);

/// Velocities from positions, which particles take; reactions of pins and colliders.
Extremes finish(const Exec& exec, const StepView& view, Real dt);
/// The same without a step: nothing moves.
Extremes measure_extremes(const Exec& exec, const StepView& view);

/// Of edges and springs over their rest lengths, and of triangles along both of their directions.
struct Strains {
  double squares = 0, largest = 0, count = 0;
};
Strains measure_strains(const Exec& exec, const StepView& view, AllRows& rows);

/// Energy of the compliant constraints of each kind where particles are now, J, by its name for
/// stats: "distance_energy".
std::vector<std::pair<std::string, double>> strain_energies(const Exec& exec, const StepView& view,
                                                            AllRows& rows);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
