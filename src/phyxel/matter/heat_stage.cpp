#include "phyxel/matter/heat_stage.h"

#include <algorithm>

#include "phyxel/colliders/collider_tree.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

// Least relaxation rate, 1/s: powers are never older than 0.05 / 5 s, a hundredth of a second.
constexpr double slowest_relaxation = 5;

struct RowsView {
  const Index *start, *count, *neighbour;
};

HeatView view_of(Particles& p, const HeatStage& heat) {
  return {p.size(),
          p.x.data(),
          p.mass.data(),
          heat.volume.data(),
          p.material.data(),
          heat.thermal_table.data(),
          p.temperature.data()};
}

// In spacings: how far the first layer of particles is from a collider, at most, and a reach that a
// second layer is never within.
constexpr Real first_layer = Real(0.8), one_layer = Real(1.2);

PHYXEL_FN bool touches(const ColliderView& collider, const Vec3& x, Real reach) {
  return contact_at(collider, x).distance <= reach;
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

/// A wall gives what keeps a temperature that rises linearly from it steady, however particles lie
/// there. A particle of the first layer with none behind it, as in a film, gets half of what its
/// face would pass. Where several layers are in reach they share a flux as they share conduction.
void heat_at_colliders(const Environment& environment, const HeatView& p, const RowsView& rows,
                       const ColliderViews& colliders, Real reach, const HeatKernel& kernel,
                       HeatColumns& columns) {
  Real *const power = columns.power.data(), *const conductance = columns.conductance.data();
  const PeriodicBox box = environment.box;
  const int dimensions = environment.dimensions;
  const bool several_layers = reach > one_layer;
  for_each(
      environment.exec, "heat.at_colliders", p.size, PHYXEL_LAMBDA(Index i) {
        const Real spacing = packed_spacing(p.volume[i], dimensions);
        const Real area = dimensions == 2 ? spacing : spacing * spacing;
        const Real conductivity = p.thermal[p.material[i]].conductivity;
        for (const ColliderView& collider :
             colliders_near(colliders, p.x[i], max(reach, Real(1)) * spacing)) {
          const bool warm = std::isfinite(collider.temperature);
          if ((!warm && collider.heat_flux == 0) || !touches(collider, p.x[i], reach * spacing))
            continue;
          const Contact contact = contact_at(collider, p.x[i]);
          const Real whole = one_sided_conduction(p, rows, box, kernel, i, contact.normal);
          const Real share = !several_layers    ? area
                             : conductivity > 0 ? max(whole, Real(0)) / conductivity
                                                : Real(0);
          power[i] += collider.heat_flux * share;
          if (!warm) continue;
          const bool is_first = !several_layers || contact.distance <= first_layer * spacing;
          const Real least = is_first ? conductivity * area / 2 : Real(0);
          const Real g = max(whole, least) / max(contact.distance, Real(0.2) * spacing);
          power[i] += g * (collider.temperature - p.temperature[i]);
          conductance[i] += g;
        }
      });
}

/// Normal from matter to the ambient air, as long as the sum over neighbours is; without the part
/// of it that faces a collider.
PHYXEL_FN Vec3 facing_ambient(const ColliderViews& colliders, const Vec3& x, Real reach,
                              Vec3 outward) {
  for (const ColliderView& collider : colliders_near(colliders, x, reach)) {
    if (!touches(collider, x, reach)) continue;
    const Vec3 normal = contact_at(collider, x).normal;
    outward -= normal * min(dot(outward, normal), Real(0));
  }
  return outward;
}

void convect(const Environment& environment, const HeatView& p, const NeighbourRows& rows,
             const ColliderViews& colliders, Real reach, const HeatKernel& kernel,
             HeatColumns& columns) {
  const Index *const start = rows.start.data(), *const count = rows.count.data(),
                     *const neighbour = rows.neighbour.data();
  Real *const power = columns.power.data(), *const conductance = columns.conductance.data();
  const PeriodicBox box = environment.box;
  const int dimensions = environment.dimensions;
  const Real air = environment.air_temperature;
  for_each(
      environment.exec, "heat.convect", p.size, PHYXEL_LAMBDA(Index i) {
        const Real convection = p.thermal[p.material[i]].convection;
        if (!(convection > 0)) return;
        Vec3 outward = Vec3::zero();
        for (Index e = start[i]; e < start[i] + count[i]; ++e) {
          const Vec3 r = minimum_image(box, p.x[i] - p.x[neighbour[e]]);
          outward += r * (p.volume[neighbour[e]] * kernel.steepness(length(r)));
        }
        const Real spacing = packed_spacing(p.volume[i], dimensions);
        outward = facing_ambient(colliders, p.x[i], reach * spacing, outward);
        const Real area = exposed_area(p.volume[i], length(outward), Real(0.5) / spacing);
        power[i] += convection_power(convection, area, air, p.temperature[i]);
        conductance[i] += convection * area;
      });
}

void heat_from_within(const Exec& exec, const HeatView& p, HeatColumns& columns) {
  Real* const power = columns.power.data();
  for_each(
      exec, "heat.from_within", p.size,
      PHYXEL_LAMBDA(Index i) { power[i] += p.thermal[p.material[i]].heating * p.mass[i]; });
}

}  // namespace

void update_thermal(const std::vector<Material>& materials, const std::vector<Thermal>& thermal,
                    HeatStage& heat) {
  if (!heat.thermal.empty() && heat.thermal != thermal) heat.relaxation_rate = -1;
  heat.thermal = thermal;
  heat.active = heat.convects = false;
  for (const Thermal& t : heat.thermal) {
    heat.active = heat.active || takes_heat(t);
    heat.convects = heat.convects || t.convection > 0;
  }
  heat.in_use = heat.in_use || heat.active;
  if (!heat.active) return;
  heat.thermal_table.assign(heat.thermal);
  std::vector<Real> density;
  for (const Material& material : materials) density.push_back(material.density);
  heat.density.assign(density);
}

void follow_temperatures(const HostParticles& p, HeatStage& heat) {
  HostColumn<double>& enthalpies = heat.enthalpy.for_host();
  const std::size_t n = p.x.size();
  heat.columns.power.resize(n);
  heat.columns.conductance.resize(n);
  heat.columns.held.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Thermal& thermal = heat.thermal[p.material[i]];
    double& enthalpy = enthalpies[i];
    const bool is_new = std::isnan(enthalpy),
               follows = temperature_of(thermal, enthalpy) == p.temperature[i];
    if (is_new || !follows) enthalpy = enthalpy_of(thermal, p.temperature[i]);
    if (!is_new && !follows) heat.relaxation_rate = -1;
  }
}

void measure_volumes(const Exec& exec, const Particles& p, HeatStage& heat) {
  heat.volume.resize(p.x.size());
  Real* const volume = heat.volume.data();
  const Real *const mass = p.mass.data(), *const density = heat.density.data();
  const Index* const material = p.material.data();
  for_each(
      exec, "heat.volumes", p.size(),
      PHYXEL_LAMBDA(Index i) { volume[i] = mass[i] / density[material[i]]; });
}

void hold_temperatures(const Exec& exec, Particles& particles, const KernelTable<PinView>& table,
                       HeatStage& heat) {
  if (table.size() == 0) return;
  const HeatView p = view_of(particles, heat);
  const Index* const pin = particles.pin.data();
  const PinView* const pins = table.data();
  std::uint8_t* const held = heat.columns.held.data();
  double* const enthalpy = heat.enthalpy.for_kernels().data();
  for_each(
      exec, "heat.hold_temperatures", p.size, PHYXEL_LAMBDA(Index i) {
        const bool is_held =
            pin[i] >= 0 && pins[pin[i]].active && std::isfinite(pins[pin[i]].temperature);
        held[i] = is_held;
        if (!is_held) return;
        p.temperature[i] = pins[pin[i]].temperature;
        enthalpy[i] = enthalpy_of(p.thermal[p.material[i]], p.temperature[i]);
      });
}

bool powers_are_valid(const HeatStage& heat) {
  return heat.relaxation_rate >= 0 &&
         heat.age * std::max(heat.relaxation_rate, slowest_relaxation) < 0.05;
}

void find_powers(const Environment& environment, Particles& p, const NeighbourRows& rows,
                 const ColliderViews& colliders, HeatStage& heat) {
  const Exec& exec = environment.exec;
  const HeatView view = view_of(p, heat);
  conduct(exec, view, rows, environment.box, heat.kernel, heat.columns);
  if (heat.touching)
    conduct_also(exec, view, *heat.touching, heat.touching_order, environment.box, heat.kernel,
                 heat.columns);
  if (colliders.count > 0)
    heat_at_colliders(environment, view,
                      {rows.start.data(), rows.count.data(), rows.neighbour.data()}, colliders,
                      heat.contact_reach, heat.kernel, heat.columns);
  if (heat.convects)
    convect(environment, view, rows, colliders, heat.contact_reach, heat.kernel, heat.columns);
  heat_from_within(exec, view, heat.columns);
  heat.relaxation_rate = 1 / stable_heat_dt(exec, view, heat.columns);
  heat.age = 0;
}

void add_heat(const Exec& exec, Particles& p, Real dt, HeatStage& heat) {
  const auto lend = [&] {
    heat.columns.enthalpy.swap(heat.enthalpy.for_kernels());
    heat.columns.power.swap(heat.power.for_kernels());
  };
  lend();
  take_heat(exec, view_of(p, heat), dt, heat.columns);
  lend();
}

void exchange_heat(const Environment& environment, Particles& p, const NeighbourRows& rows,
                   const ColliderViews& colliders, const KernelTable<PinView>& pins, Real dt,
                   HeatStage& heat) {
  hold_temperatures(environment.exec, p, pins, heat);
  if (!powers_are_valid(heat)) {
    find_powers(environment, p, rows, colliders, heat);
    heat.power.for_kernels().swap(heat.columns.power);
  }
  if (dt > 0) add_heat(environment.exec, p, dt, heat);
  heat.age += dt;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
