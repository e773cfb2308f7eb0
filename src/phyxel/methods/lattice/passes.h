#pragma once

#include "phyxel/methods/lattice/step_view.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// State of a step beside what particles remember; see StepView.
struct StepColumns {
  Column<Quad> x, v, flow, spin, drift;
  Column<Row16> force;
  Column<Vec3> own_force;
  Column<std::uint8_t> takes_torque, calm, changed, beside_changed;
  Column<Index> holder;
  int slots = 0;
  Column<Real> energy;
  Column<Index> is_near;
  Column<Vec3> x_at_build;
};

/// Kept between calls of reorder_holders.
struct HolderScratch {
  Column<std::uint8_t> byte;
  Column<Index> place_of;  // after reordering, by place before
  Column<Index> slot;
};

/// Who holds what stays, under new names.
void reorder_holders(const Exec& exec, const Column<Index>& order, StepColumns& columns,
                     HolderScratch& scratch);

/// Largest values that limit a step.
struct Extremes {
  Real speed_squared = 0;                               // m^2/s^2
  Index first_bad = std::numeric_limits<Index>::max();  // particle with a non-finite number
};

/// Finds the particles that colliders may reach before rows are built again.
template <int Dim>
void find_near(const Exec& exec, const StepView<Dim>& view);

/// Positions and velocities as packs read them.
template <int Dim>
void pack_particles(const Exec& exec, const StepView<Dim>& view);

/// Nobody holds anything, and nothing is known.
template <int Dim>
void forget_holders(const Exec& exec, const StepView<Dim>& view);

/// x += v dt, and what pins and colliders do about it. Returns the largest squared distance from
/// where the rows were built, m^2.
template <int Dim>
Real move_particles(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Who holds which slot, how lattices lie, and the forces of neighbourhoods: pass one. With dt = 0
/// nothing is remembered. Returns whether somebody's holders have changed.
template <int Dim>
bool fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Finds out who is calm where holders have changed; nobody has moved farther since rows were
/// built.
template <int Dim>
void look_again(const Exec& exec, const StepView<Dim>& view, Real moved);

/// The same for everybody, after rows were built.
template <int Dim>
void look_again_at_rows(const Exec& exec, const StepView<Dim>& view);

/// Pressures of liquids and beside them, once it is known who is calm.
template <int Dim>
void find_pressures(const Exec& exec, const StepView<Dim>& view);

/// Forces of neighbourhoods, contact and gravity, damping, and v += a dt: pass two. With dt = 0
/// velocities stay as they are.
template <int Dim>
Extremes apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Of all neighbourhoods and contacts, J.
double measure_energy(const Exec& exec, const StepColumns& columns);

/// Who melts and who freezes, after pass two. Wicke et al. 2006, section 5. Returns whether anybody
/// does.
template <int Dim>
bool change_phases(const Exec& exec, const StepView<Dim>& view, Real dt);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
