#pragma once

#include "phyxel/colliders/packed_colliders.h"
#include "phyxel/core/kernel_table.h"
#include "phyxel/matter/conduction.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/matter/shared_column.h"
#include "phyxel/methods/lattice/lattice_sum.h"

namespace phyxel::lattice {

/// The slope of a smoothing kernel over r, a plain cube as Wendland's, as large as conduction on
/// the lattice of rest needs.
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
  bool airs = false;              // some material passes heat to the air
  HeatColumns heat;               // but for enthalpy and power
  SharedColumn<double> enthalpy;  // J/kg
  SharedColumn<Real> power;       // as it was found last, W
  std::vector<Thermal> thermal;   // by material
  KernelTable<Thermal> thermal_table;
  KernelTable<Real> density;  // by material, kg/m^3
  Column<Real> volume;        // of particles at rest, m^3
  HeatKernel kernel;
  Column<double> scratch;
  Column<Real> power_scratch;

  double levelling = -1;  // how fast a particle takes the temperatures around it at most, 1/s; -1:
                          // not known
  double age = 0;         // time since powers were found, s
};

/// Enthalpies of particles that are new, or whose temperature somebody else has set.
void follow_temperatures(const HostParticles& p, Warmth& warmth);

/// Into the order of new rows; volumes are made anew.
void reorder(const Exec& exec, const Particles& p, const Column<Index>& order, Warmth& warmth);

/// Takes in the powers of dt: what particles pass to each other and to the air, get from colliders
/// through the lattice's own layer, and from within. Who is held by a pin that has a temperature
/// takes it. Heat is slow beside sound: powers serve for many steps, so long that no particle comes
/// nearer to the temperatures around it than by a twentieth.
void let_heat_flow(const Environment& environment, Particles& p, const NeighbourRows& rows,
                   const ColliderViews& colliders, const KernelTable<PinView>& pins, Real dt,
                   Warmth& warmth);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
