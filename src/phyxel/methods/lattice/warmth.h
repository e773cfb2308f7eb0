#pragma once

#include "phyxel/colliders/packed_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/conduction.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/matter/shared_column.h"
#include "phyxel/methods/lattice/lattice_sum.h"

namespace phyxel::lattice {

/// -W'(r) / r of a smoothing kernel: (1 - r / support)^3, as Wendland's C2 kernel has it, scaled so
/// that conduction is exact on the lattice at rest.
struct HeatKernel {
  Real support = 1;  // m
  Real scale = 1;    // 1/m^(Dim + 2)

  PHYXEL_FN Real steepness(Real r) const {
    const Real t = max(1 - r / support, Real(0));
    return scale * t * t * t;
  }
};
inline namespace PHYXEL_BACKEND {

HeatKernel make_heat_kernel(Real spacing, Real support, int dimensions);

/// Heat of the particles of a method.
struct Warmth {
  bool flows = false;             // some material takes heat
  bool convects = false;          // some material has a convection coefficient
  HeatColumns heat;               // except for enthalpy and power
  SharedColumn<double> enthalpy;  // J/kg
  SharedColumn<Real> power;       // as it was last found, W
  std::vector<Thermal> thermal;   // by material
  KernelTable<Thermal> thermal_table;
  KernelTable<Real> density;  // by material, kg/m^3
  Column<Real> volume;        // of particles at rest, m^3
  HeatKernel kernel;

  double relaxation_rate = -1;  // largest conductance / (mass specific heat) of a particle, 1/s;
                                // -1: not known
  double age = 0;               // time since powers were found, s
};

/// Enthalpies of particles that are new, or whose temperature was set from outside.
void follow_temperatures(const HostParticles& p, Warmth& warmth);

/// Volumes of particles at rest, in the order of new rows.
void measure_volumes(const Exec& exec, const Particles& p, Warmth& warmth);

/// Adds the heat of dt: conduction between particles, convection to the ambient temperature, heat
/// from colliders through the lattice's own layer, and from within. A particle held by a pin that
/// has a temperature takes it. Heat is slow beside sound: powers are used for many steps, until a
/// particle could have closed a twentieth of its difference to the temperatures around it.
void let_heat_flow(const Environment& environment, Particles& p, const NeighbourRows& rows,
                   const ColliderViews& colliders, const KernelTable<PinView>& pins, Real dt,
                   Warmth& warmth);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
