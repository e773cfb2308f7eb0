#pragma once

#include "phyxel/methods/lattice/step_view.h"
#include "phyxel/methods/skeleton/extremes.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// Assignments, in the order of particles.
struct Assignments {
  Column<Index> holder;  // see StepPointers
  int slots = 0;         // of the material with most of them
  // Kept between calls of reorder_holders.
  Column<std::uint8_t> spare_calm;
  Column<Index> place_of;  // after reordering, by place before
  Column<Index> spare_holder;
};

/// Keeps assignments and calm bits while particles get new indices.
void reorder_holders(const Exec& exec, const Column<Index>& order, Column<std::uint8_t>& calm,
                     Assignments& holders);

/// Finds the particles that colliders may reach before rows are built again.
template <int Dim>
void find_near(const Exec& exec, const StepView<Dim>& view);

/// Positions and velocities as packs read them.
template <int Dim>
void pack_particles(const Exec& exec, const StepView<Dim>& view);

/// Empties all slots and clears the calm bits.
template <int Dim>
void forget_holders(const Exec& exec, const StepView<Dim>& view);

/// x += v dt, corrected by pins and colliders. Returns the largest squared distance that a particle
/// has moved since rows were built, m^2.
template <int Dim>
Real move_particles(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Pass one: assigns neighbours to slots, fits the lattices and finds the forces of neighbourhoods.
/// With dt = 0 no state is kept. Returns whether an assignment may have changed.
template <int Dim>
bool fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Finds the calm bits again where assignments have changed, of a particle or in its row. No
/// particle has moved farther than `moved`, m, since rows were built.
template <int Dim>
void look_again(const Exec& exec, const StepView<Dim>& view, Real moved);

/// The same for all particles, after rows were built.
template <int Dim>
void look_again_at_rows(const Exec& exec, const StepView<Dim>& view);

/// Pressures of liquid particles and of solid ones near them; reads the calm bits.
template <int Dim>
void find_pressures(const Exec& exec, const StepView<Dim>& view);

/// Forces of neighbourhoods, contact and gravity, damping, and v += a dt: pass two. With dt = 0
/// velocities stay as they are.
template <int Dim>
Extremes apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Melting and freezing, after pass two. Wicke et al. 2006, section 5. Returns whether a phase may
/// have changed.
template <int Dim>
bool change_phases(const Exec& exec, const StepView<Dim>& view, Real dt);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
