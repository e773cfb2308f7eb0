#pragma once

#include "phyxel/matter/heat.h"
#include "phyxel/methods/mls/step_view.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

/// Numbers of a step that change the law.
struct StepUse {
  Real dt = 0;
  bool yields = false, damps = false;
  bool keep = false;  // plastic strain and what damping remembers are those after the step
};

/// Volumes and supports into the rows of the reference shape.
void prepare_rest(const Exec& exec, const StepView& view);

/// Drops neighbours that belong to other objects.
void drop_strangers(const Exec& exec, const StepView& view, Index* count, Index* neighbour);

/// Moments of reference shapes, where these have changed. Returns whether all neighbourhoods are
/// bodies: none is flat, a line or a phyxel alone.
bool find_moments(const Exec& exec, const StepView& view);

/// Marks phyxels that may meet a collider before the next search.
void find_near(const Exec& exec, const StepView& view);

/// Fills the places of phyxels.
void pack_places(const Exec& exec, const StepView& view);

/// v += a dt / 2 by the accelerations of the step before.
void accelerate(const Exec& exec, const StepView& view, Real dt);

/// x += v dt, with pins and contact with colliders: pass one of a step.
Moved move_phyxels(const Exec& exec, const StepView& view, Real dt);

/// Deformation gradients, laws and what neighbourhoods do to their phyxels: pass two of a step.
/// Returns the largest squared frequency, 1/s^2.
Real find_stresses(const Exec& exec, const StepView& view, const StepUse& use);

/// Forces, gravity and contact, and v += a dt / 2: pass three of a step.
Extremes apply_forces(const Exec& exec, const StepView& view, Real dt);

/// Speeds, and how far phyxels have moved since the last search.
Extremes measure_extremes(const Exec& exec, const StepView& view);

/// The deformation of flowing phyxels becomes part of their reference shape.
void absorb(const Exec& exec, const StepView& view);

/// Densities that flowing phyxels keep, where they have none yet.
void keep_densities(const Exec& exec, const StepView& view);

/// Molten fractions of phyxels whose material melts.
/// `thermal`: by material; `enthalpy`: null where no heat flows.
void find_molten(const Exec& exec, const StepView& view, const Thermal* thermal,
                 const double* enthalpy);
/// Whether some phyxel of a material has molten.
bool some_molten(const Exec& exec, const StepView& view, Index material);

/// Energies and deformation gradients now.
void measure_energies(const Exec& exec, const StepView& view);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
