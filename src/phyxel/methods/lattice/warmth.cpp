#include "phyxel/methods/lattice/warmth.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

namespace {

HeatView view_of(Particles& p, const Warmth& warmth) {
  return {p.size(),
          p.x.data(),
          p.mass.data(),
          warmth.volume.data(),
          p.material.data(),
          warmth.thermal_column.data(),
          p.temperature.data()};
}

/// Half a spacing of matter between the particle and the wall, and the face of a cell.
void warm_at_colliders(const Exec& exec, const HeatView& p, const ColliderViews& colliders,
                       int dimensions, HeatColumns& heat) {
  Real *const power = heat.power.data(), *const conductance = heat.conductance.data();
  for_each(
      exec, "lattice.warm_at_colliders", p.size, PHYXEL_LAMBDA(Index i) {
        const Real conductivity = p.thermal[p.material[i]].conductivity, volume = p.volume[i];
        const Real spacing = dimensions == 2 ? std::sqrt(volume / Real(cell_volume<2>))
                                             : std::cbrt(volume / Real(cell_volume<3>));
        const Real area = dimensions == 2 ? spacing : spacing * spacing, gap = spacing / 2;
        for (const ColliderView& collider : colliders) {
          if (!std::isfinite(collider.temperature)) continue;
          if (contact_at(collider, p.x[i]).distance > Real(0.75) * spacing) continue;
          power[i] += wall_power(conductivity, area, gap, collider.temperature, p.temperature[i]);
          conductance[i] += conductivity * area / gap;
        }
      });
}

}  // namespace

HeatKernel make_heat_kernel(Real spacing, Real support, int dimensions) {
  HeatKernel kernel{support, 1};
  const double sum = dimensions == 2 ? lattice_conduction<2>(kernel, spacing, support)
                                     : lattice_conduction<3>(kernel, spacing, support);
  kernel.scale = static_cast<Real>(1 / sum);
  return kernel;
}

void follow_temperatures(const HostParticles& p, Warmth& warmth) {
  HostColumn<double>& enthalpies = warmth.enthalpy.for_host();
  const std::size_t n = p.x.size(), old = enthalpies.size();
  enthalpies.resize(n);
  warmth.heat.power.resize(n);
  warmth.heat.conductance.resize(n);
  warmth.heat.held.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Thermal& thermal = warmth.thermal[p.material[i]];
    double& enthalpy = enthalpies[i];
    if (i >= old || temperature_of(thermal, enthalpy) != p.temperature[i])
      enthalpy = enthalpy_of(thermal, p.temperature[i]);
  }
}

void reorder(const Exec& exec, const Particles& p, const Column<Index>& order, Warmth& warmth) {
  permute(exec, "lattice.reorder", warmth.enthalpy.for_kernels(), order, warmth.scratch);
  warmth.volume.resize(p.x.size());
  Real* const volume = warmth.volume.data();
  const Real *const mass = p.mass.data(), *const density = warmth.density.data();
  const Index* const material = p.material.data();
  for_each(
      exec, "lattice.volumes", p.size(),
      PHYXEL_LAMBDA(Index i) { volume[i] = mass[i] / density[material[i]]; });
}

void conduct(const Environment& environment, Particles& p, const NeighbourRows& rows,
             const ColliderViews& colliders, Warmth& warmth) {
  const HeatView view = view_of(p, warmth);
  phyxel::conduct(environment.exec, view, rows, environment.box, warmth.kernel, warmth.heat);
  if (colliders.count > 0)
    warm_at_colliders(environment.exec, view, colliders, environment.dimensions, warmth.heat);
}

double stable_heat_dt(const Exec& exec, Particles& p, const Warmth& warmth) {
  return phyxel::stable_heat_dt(exec, view_of(p, warmth), warmth.heat);
}

void take_heat(const Exec& exec, Particles& p, Real dt, Warmth& warmth) {
  warmth.heat.enthalpy.swap(warmth.enthalpy.for_kernels());
  phyxel::take_heat(exec, view_of(p, warmth), dt, warmth.heat);
  warmth.heat.enthalpy.swap(warmth.enthalpy.for_kernels());
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
