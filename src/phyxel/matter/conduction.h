#pragma once

#include <limits>

#include "phyxel/core/exec.h"
#include "phyxel/matter/heat.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Heat of all particles, in their order. Enthalpy is double: a step changes it by less than a
/// float can show.
struct HeatColumns {
  Column<double> enthalpy;    // J/kg
  Column<Real> power;         // into the particle now, W
  Column<Real> conductance;   // to everything around, W/K: limits the step
  Column<std::uint8_t> held;  // 1: the temperature is fixed, whatever the power
};

/// What the loops read of the particles.
struct HeatView {
  Index size;
  const Vec3* x;
  const Real *mass, *volume;
  const Index* material;
  const Thermal* thermal;  // by material
  Real* temperature;
};

/// Enthalpies from temperatures; all powers are zero and no temperature is held.
inline void start_heat(const Exec& exec, const HeatView& p, HeatColumns& heat) {
  heat.enthalpy.resize(p.size);
  heat.power.resize(p.size);
  heat.conductance.resize(p.size);
  heat.held.resize(p.size);
  fill(exec, "heat.start_power", heat.power, Real(0));
  fill(exec, "heat.start_conductance", heat.conductance, Real(0));
  fill(exec, "heat.start_held", heat.held, std::uint8_t(0));
  double* const enthalpy = heat.enthalpy.data();
  for_each(
      exec, "heat.start", p.size, PHYXEL_LAMBDA(Index i) {
        enthalpy[i] = enthalpy_of(p.thermal[p.material[i]], p.temperature[i]);
      });
}

/// What a particle exchanges with those of a row.
struct PairHeat {
  Real power = 0;        // W
  Real conductance = 0;  // W/K
};
template <class Kernel>
PHYXEL_FN PairHeat pair_heat(const HeatView& p, const PeriodicBox& box, const Kernel& kernel,
                             Index i, const Index* row, Index count) {
  const Real own = p.thermal[p.material[i]].conductivity;
  PairHeat sum;
  for (Index k = 0; k < count; ++k) {
    const Index j = row[k];
    const Real r = length(minimum_image(box, p.x[j] - p.x[i]));
    const Real g = pair_conductance(own, p.thermal[p.material[j]].conductivity, p.volume[i],
                                    p.volume[j], kernel.steepness(r));
    sum.power += g * (p.temperature[j] - p.temperature[i]);
    sum.conductance += g;
  }
  return sum;
}

/// Sets power and conductance of every particle from its neighbours; sources are added afterwards.
/// kernel.steepness(r) is -W'(r) / r, zero beyond its support, and finite for r = 0.
template <class Kernel>
void conduct(const Exec& exec, const HeatView& p, const NeighbourRows& rows, const PeriodicBox& box,
             const Kernel& kernel, HeatColumns& heat) {
  const Index *const start = rows.start.data(), *const count = rows.count.data(),
                     *const neighbour = rows.neighbour.data();
  Real *const power = heat.power.data(), *const conductance = heat.conductance.data();
  for_each(
      exec, "heat.conduct", p.size, PHYXEL_LAMBDA(Index i) {
        const PairHeat sum = pair_heat(p, box, kernel, i, neighbour + start[i], count[i]);
        power[i] = sum.power;
        conductance[i] = sum.conductance;
      });
}

/// Adds what flows through further pairs. Row a is that of particle order[a].
template <class Kernel>
void conduct_also(const Exec& exec, const HeatView& p, const NeighbourRows& rows,
                  const Index* order, const PeriodicBox& box, const Kernel& kernel,
                  HeatColumns& heat) {
  const Index *const start = rows.start.data(), *const count = rows.count.data(),
                     *const neighbour = rows.neighbour.data();
  Real *const power = heat.power.data(), *const conductance = heat.conductance.data();
  for_each(
      exec, "heat.conduct_also", p.size, PHYXEL_LAMBDA(Index a) {
        const Index i = order[a];
        const PairHeat sum = pair_heat(p, box, kernel, i, neighbour + start[a], count[a]);
        power[i] += sum.power;
        conductance[i] += sum.conductance;
      });
}

/// Rate at which a particle approaches the temperatures around it, 1/s.
PHYXEL_FN Real relaxation_rate_of(const HeatView& p, const Real* conductance, Index i) {
  return conductance[i] / (p.mass[i] * p.thermal[p.material[i]].specific_heat);
}

/// Largest step in which no particle passes the temperatures around it, s.
inline double stable_heat_dt(const Exec& exec, const HeatView& p, const HeatColumns& heat) {
  const Real* const conductance = heat.conductance.data();
  const Real fastest = reduce_max<Real>(
      exec, "heat.stable_dt", p.size, Real(0),
      PHYXEL_LAMBDA(Index i) { return relaxation_rate_of(p, conductance, i); });
  return fastest > 0 ? 1.0 / fastest : std::numeric_limits<double>::infinity();
}

/// Adds the power of a step to the enthalpies and finds the new temperatures.
inline void take_heat(const Exec& exec, const HeatView& p, Real dt, HeatColumns& heat) {
  double* const enthalpy = heat.enthalpy.data();
  const Real* const power = heat.power.data();
  const std::uint8_t* const held = heat.held.data();
  for_each(
      exec, "heat.take", p.size, PHYXEL_LAMBDA(Index i) {
        if (held[i] != 0) return;
        enthalpy[i] += double(dt) * power[i] / p.mass[i];
        p.temperature[i] = temperature_of(p.thermal[p.material[i]], enthalpy[i]);
      });
}

/// Sum of mass times enthalpy, J: conduction between free particles conserves it.
inline double total_heat(const Exec& exec, const HeatView& p, const HeatColumns& heat) {
  const double* const enthalpy = heat.enthalpy.data();
  return reduce_sum(
      exec, "heat.total", p.size, PHYXEL_LAMBDA(Index i) { return p.mass[i] * enthalpy[i]; });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
