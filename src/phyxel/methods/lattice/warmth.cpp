#include "phyxel/methods/lattice/warmth.h"

#include <algorithm>

#include "phyxel/colliders/collider_tree.h"

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

namespace {

// Least relaxation_rate rate, 1/s: powers are never older than 0.05 / 5 s, a hundredth of a second.
constexpr double slowest_relaxation = 5;

struct RowsView {
  const Index *start, *count, *neighbour;
};

HeatView view_of(Particles& p, const Warmth& warmth) {
  return {p.size(),
          p.x.data(),
          p.mass.data(),
          warmth.volume.data(),
          p.material.data(),
          warmth.thermal_table.data(),
          p.temperature.data()};
}

/// Spacing of the lattice at rest with particles of this volume, m.
PHYXEL_FN Real spacing_of(Real volume, int dimensions) {
  return dimensions == 2 ? std::sqrt(volume / Real(cell_volume<2>))
                         : std::cbrt(volume / Real(cell_volume<3>));
}

/// Particles this near to a collider touch it; at rest they are half a spacing away.
PHYXEL_FN bool touches(const ColliderView& collider, const Vec3& x, Real spacing) {
  return contact_at(collider, x).distance <= Real(0.8) * spacing;
}

/// Power that neighbours would pass to a particle where the temperature rises by one degree per
/// metre along the normal, W m/K. Deep inside it is zero; beside a wall it is what the missing
/// neighbours would take away: the conductivity times the face of a particle.
PHYXEL_FN Real one_sided_conduction(const HeatView& p, const RowsView& rows, const PeriodicBox& box,
                                    const HeatKernel& kernel, Index i, const Vec3& normal) {
  const Real own = p.thermal[p.material[i]].conductivity;
  Real sum = 0;
  for (Index e = rows.start[i]; e < rows.start[i] + rows.count[i]; ++e) {
    const Index j = rows.neighbour[e];
    const Vec3 r = minimum_image(box, p.x[j] - p.x[i]);
    sum += dot(r, normal) * pair_conductance(own, p.thermal[p.material[j]].conductivity,
                                             p.volume[i], p.volume[j], kernel.steepness(length(r)));
  }
  return sum;
}

/// A wall gives what keeps a temperature that rises linearly from it steady, however the lattice
/// is oriented there. A particle with none behind it, as in a film of one layer, gets half of what
/// its face would pass.
void warm_at_colliders(const Environment& environment, const HeatView& p, const RowsView& rows,
                       const ColliderViews& colliders, const HeatKernel& kernel,
                       HeatColumns& heat) {
  Real *const power = heat.power.data(), *const conductance = heat.conductance.data();
  const PeriodicBox box = environment.box;
  const bool flat = environment.dimensions == 2;
  for_each(
      environment.exec, "lattice.warm_at_colliders", p.size, PHYXEL_LAMBDA(Index i) {
        const Real spacing = spacing_of(p.volume[i], flat ? 2 : 3);
        const Real area = flat ? spacing : spacing * spacing;
        const Real least = p.thermal[p.material[i]].conductivity * area / 2;
        for (const ColliderView& collider : colliders_near(colliders, p.x[i], spacing)) {
          const bool warm = std::isfinite(collider.temperature);
          if ((!warm && collider.heat_flux == 0) || !touches(collider, p.x[i], spacing)) continue;
          power[i] += collider.heat_flux * area;
          if (!warm) continue;
          const Contact contact = contact_at(collider, p.x[i]);
          const Real whole = one_sided_conduction(p, rows, box, kernel, i, contact.normal);
          const Real g = max(whole, least) / max(contact.distance, Real(0.2) * spacing);
          power[i] += g * (collider.temperature - p.temperature[i]);
          conductance[i] += g;
        }
      });
}

/// Normal from matter to the ambient air, as long as the sum over neighbours is; without the part
/// of it that faces a collider.
PHYXEL_FN Vec3 facing_ambient(const ColliderViews& colliders, const Vec3& x, Real spacing,
                              Vec3 outward) {
  for (const ColliderView& collider : colliders_near(colliders, x, spacing)) {
    if (!touches(collider, x, spacing)) continue;
    const Vec3 normal = contact_at(collider, x).normal;
    outward -= normal * min(dot(outward, normal), Real(0));
  }
  return outward;
}

void convect(const Environment& environment, const HeatView& p, const NeighbourRows& rows,
             const ColliderViews& colliders, const HeatKernel& kernel, HeatColumns& heat) {
  const Index *const start = rows.start.data(), *const count = rows.count.data(),
                     *const neighbour = rows.neighbour.data();
  Real *const power = heat.power.data(), *const conductance = heat.conductance.data();
  const PeriodicBox box = environment.box;
  const int dimensions = environment.dimensions;
  const Real air = environment.air_temperature;
  for_each(
      environment.exec, "lattice.convect", p.size, PHYXEL_LAMBDA(Index i) {
        const Real convection = p.thermal[p.material[i]].convection;
        if (!(convection > 0)) return;
        Vec3 outward = Vec3::zero();
        for (Index e = start[i]; e < start[i] + count[i]; ++e) {
          const Vec3 r = minimum_image(box, p.x[i] - p.x[neighbour[e]]);
          outward += r * (p.volume[neighbour[e]] * kernel.steepness(length(r)));
        }
        const Real spacing = spacing_of(p.volume[i], dimensions);
        outward = facing_ambient(colliders, p.x[i], spacing, outward);
        const Real area = exposed_area(p.volume[i], length(outward), Real(0.5) / spacing);
        power[i] += convection_power(convection, area, air, p.temperature[i]);
        conductance[i] += convection * area;
      });
}

void warm_from_within(const Exec& exec, const HeatView& p, HeatColumns& heat) {
  Real* const power = heat.power.data();
  for_each(
      exec, "lattice.warm_from_within", p.size,
      PHYXEL_LAMBDA(Index i) { power[i] += p.thermal[p.material[i]].heating * p.mass[i]; });
}

void hold_temperatures(const Exec& exec, const HeatView& p, const Index* pin, const PinView* pins,
                       Column<double>& enthalpies, HeatColumns& heat) {
  std::uint8_t* const held = heat.held.data();
  double* const enthalpy = enthalpies.data();
  for_each(
      exec, "lattice.hold_temperatures", p.size, PHYXEL_LAMBDA(Index i) {
        const bool is_held =
            pin[i] >= 0 && pins[pin[i]].active && std::isfinite(pins[pin[i]].temperature);
        held[i] = is_held;
        if (!is_held) return;
        p.temperature[i] = pins[pin[i]].temperature;
        enthalpy[i] = enthalpy_of(p.thermal[p.material[i]], p.temperature[i]);
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
  const std::size_t n = p.x.size();
  warmth.heat.conductance.resize(n);
  warmth.heat.held.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Thermal& thermal = warmth.thermal[p.material[i]];
    double& enthalpy = enthalpies[i];
    const bool is_new = std::isnan(enthalpy),
               follows = temperature_of(thermal, enthalpy) == p.temperature[i];
    if (is_new || !follows) enthalpy = enthalpy_of(thermal, p.temperature[i]);
    if (!is_new && !follows) warmth.relaxation_rate = -1;
  }
}

void measure_volumes(const Exec& exec, const Particles& p, Warmth& warmth) {
  warmth.volume.resize(p.x.size());
  Real* const volume = warmth.volume.data();
  const Real *const mass = p.mass.data(), *const density = warmth.density.data();
  const Index* const material = p.material.data();
  for_each(
      exec, "lattice.volumes", p.size(),
      PHYXEL_LAMBDA(Index i) { volume[i] = mass[i] / density[material[i]]; });
}

namespace {

bool powers_are_valid(const Warmth& warmth) {
  return warmth.relaxation_rate >= 0 &&
         warmth.age * std::max(warmth.relaxation_rate, slowest_relaxation) < 0.05;
}

void find_powers(const Environment& environment, const HeatView& view, const NeighbourRows& rows,
                 const ColliderViews& colliders, Warmth& warmth) {
  const Exec& exec = environment.exec;
  phyxel::conduct(exec, view, rows, environment.box, warmth.kernel, warmth.heat);
  if (colliders.count > 0)
    warm_at_colliders(environment, view,
                      {rows.start.data(), rows.count.data(), rows.neighbour.data()}, colliders,
                      warmth.kernel, warmth.heat);
  if (warmth.convects) convect(environment, view, rows, colliders, warmth.kernel, warmth.heat);
  warm_from_within(exec, view, warmth.heat);
  warmth.relaxation_rate = 1 / stable_heat_dt(exec, view, warmth.heat);
  warmth.age = 0;
}

}  // namespace

void let_heat_flow(const Environment& environment, Particles& p, const NeighbourRows& rows,
                   const ColliderViews& colliders, const KernelTable<PinView>& pins, Real dt,
                   Warmth& warmth) {
  const HeatView view = view_of(p, warmth);
  if (pins.size() > 0)
    hold_temperatures(environment.exec, view, p.pin.data(), pins.data(),
                      warmth.enthalpy.for_kernels(), warmth.heat);
  const auto lend = [&] {
    warmth.heat.enthalpy.swap(warmth.enthalpy.for_kernels());
    warmth.heat.power.swap(warmth.power.for_kernels());
  };
  lend();
  if (!powers_are_valid(warmth)) find_powers(environment, view, rows, colliders, warmth);
  if (dt > 0) take_heat(environment.exec, view, dt, warmth.heat);
  lend();
  warmth.age += dt;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
