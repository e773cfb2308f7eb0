#pragma once

#include "phyxel/methods/lattice/step_view.h"
#include "phyxel/methods/skeleton/extremes.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// The passes of a step. They are compiled for two and for three dimensions apart, in
/// passes_2d_*.cpp and passes_3d_*.cpp, since nvcc takes minutes for all of them.
template <int Dim>
struct Passes {
  /// Finds the particles that colliders may reach before rows are built again.
  static void find_near(const Exec& exec, const StepView<Dim>& view);

  /// Positions and velocities as packs read them.
  static void pack_particles(const Exec& exec, const StepView<Dim>& view);

  /// Empties all slots and clears the calm bits.
  static void clear_assignments(const Exec& exec, const StepView<Dim>& view);

  /// x += v dt, corrected by pins and colliders. Returns the largest squared distance that a
  /// particle has moved since rows were built, m^2.
  static Real move_particles(const Exec& exec, const StepView<Dim>& view, Real dt);

  /// Pass one: assigns neighbours to slots, fits the lattices and finds the forces of
  /// neighbourhoods. With dt = 0 no state is kept. Returns whether an assignment may have changed.
  static bool fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt);

  /// Finds the calm bits again where assignments have changed, of a particle or in its row. No
  /// particle has moved farther than `moved`, m, since rows were built.
  static void update_calm(const Exec& exec, const StepView<Dim>& view, Real moved);

  /// The same for all particles, after rows were built.
  static void update_calm_after_search(const Exec& exec, const StepView<Dim>& view);

  /// Pressures of liquid particles and of solid ones near them; reads the calm bits.
  static void find_pressures(const Exec& exec, const StepView<Dim>& view);

  /// Forces of neighbourhoods, contact and gravity, damping, and v += a dt: pass two. With dt = 0
  /// velocities stay as they are.
  static Extremes apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt);

  /// Melting and freezing, after pass two. Wicke et al. 2006, section 5. Returns whether a phase
  /// may have changed.
  static bool change_phases(const Exec& exec, const StepView<Dim>& view, Real dt);
};

extern template struct Passes<2>;
extern template struct Passes<3>;

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
