#pragma once

#include "phyxel/colliders/packed_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/conduction.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/heat_kernel.h"
#include "phyxel/matter/particles.h"
#include "phyxel/matter/shared_column.h"

// The stage of a step in which heat flows, for methods with neighbour rows.

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Heat of the particles of a method.
struct HeatStage {
  bool active = false;            // some material takes heat
  bool in_use = false;            // it does or did: particles have enthalpies
  bool convects = false;          // some material has a convection coefficient
  HeatColumns columns;            // its enthalpy and power are lent from those below
  SharedColumn<double> enthalpy;  // J/kg
  SharedColumn<Real> power;       // as it was last found, W
  std::vector<Thermal> thermal;   // by material
  KernelTable<Thermal> thermal_table;
  KernelTable<Real> density;  // by material, kg/m^3
  Column<Real> volume;        // of particles at rest, m^3
  HeatKernel kernel;
  Real contact_reach = Real(0.8);  // spacings; particles this near to a collider touch it. At rest
                                   // they are half a spacing away

  const NeighbourRows* touching = nullptr;  // pairs beside those of the rows; null: none
  const Index* touching_order = nullptr;    // the particle of each of these rows

  double relaxation_rate = -1;  // largest conductance / (mass specific heat) of a particle, 1/s;
                                // -1: not known
  double age = 0;               // time since powers were found, s
};

/// What materials do with heat: an element of `thermal` for each.
void update_thermal(const std::vector<Material>& materials, const std::vector<Thermal>& thermal,
                    HeatStage& heat);

/// Enthalpies of particles that are new, or whose temperature was set from outside.
void follow_temperatures(const HostParticles& p, HeatStage& heat);

/// Volumes of particles at rest, in the order of new rows.
void measure_volumes(const Exec& exec, const Particles& p, HeatStage& heat);

/// Particles held by a pin that has a temperature take it.
void hold_temperatures(const Exec& exec, Particles& p, const KernelTable<PinView>& pins,
                       HeatStage& heat);

/// Powers are used until a particle could have closed a twentieth of its difference to the
/// temperatures around it, and for a hundredth of a second at most.
bool powers_are_valid(const HeatStage& heat);

/// Powers of all particles, in heat.columns, and the relaxation rate.
void find_powers(const Environment& environment, Particles& p, const NeighbourRows& rows,
                 const ColliderViews& colliders, HeatStage& heat);

/// Adds the heat of dt by the powers in heat.power.
void add_heat(const Exec& exec, Particles& p, Real dt, HeatStage& heat);

/// Adds the heat of dt: conduction between particles, convection to the ambient temperature, heat
/// from colliders through the layer of particles beside them, and from within. Heat is slow beside
/// sound: powers are used for many steps. Rows must reach the support of the kernel.
void exchange_heat(const Environment& environment, Particles& p, const NeighbourRows& rows,
                   const ColliderViews& colliders, const KernelTable<PinView>& pins, Real dt,
                   HeatStage& heat);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
