#pragma once

#include "phyxel/methods/lattice/contact.h"
#include "phyxel/methods/lattice/step_view.h"

// What one particle gathers from those around it: pass two.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// What a particle gathers from those around it.
template <int Dim>
struct Gathered {
  Vec<Real, Dim> force = Vec<Real, Dim>::zero();     // N
  Vec<Real, Dim> change = Vec<Real, Dim>::zero();    // of velocity by damping, m/s
  Spin<Real, Dim> torque = Spin<Real, Dim>::zero();  // by friction, for the next step, N m
  Real energy = 0;                                   // half of that of its contacts, J
};

/// Distance at which contact begins, m: a spacing, or less where matter froze nearer.
template <int Dim>
PHYXEL_FN Real contact_distance(const StepView<Dim>& s, Index i, Index j) {
  const Real spacings = s.solid(i).spacing + s.solid(j).spacing;
  return (s.contact_offset ? spacings - s.contact_offset[i] - s.contact_offset[j] : spacings) / 2;
}

/// Contact of particles that do not belong to one lattice: repulsion, damping of their approach and
/// friction, equal and opposite for both. Friction acts across the distance between them: the
/// moment that it leaves is applied to their neighbourhoods, half to each, in the next step.
template <int Dim>
PHYXEL_FN void add_contact(const StepView<Dim>& s, Index i, Index j, const Vec<Real, Dim>& r,
                           Gathered<Dim>& sum) {
  const Solid &a = s.solid(i), &b = s.solid(j);
  const Real spacing = contact_distance(s, i, j), distance = length(r);
  if (!(distance < spacing) || distance <= 0) return;
  const Real ka = a.springs.stiffness, kb = b.springs.stiffness, k = 2 * ka * kb / (ka + kb);
  const Real mass = s.mass[i] * s.mass[j] / (s.mass[i] + s.mass[j]);
  const Real critical = (a.contact_damping + b.contact_damping) * sqrt(k * mass);
  const Vec<Real, Dim> push = contact_force(k, spacing, r), along = r / distance;
  const Vec<Real, Dim> v = s.velocity(j) - s.velocity(i);
  const Real leaving = dot(v, along);
  const Vec<Real, Dim> pushed = repulsive_part(r, push - along * (critical * leaving));
  sum.force -= pushed;
  sum.energy += k * (spacing - distance) * (spacing - distance) / 4;
  if (!s.takes_torque[i] || !s.takes_torque[j]) return;
  const Real most = (a.friction + b.friction) / 2 * length(pushed);
  const Vec<Real, Dim> rubbed = contact_friction(most, sqrt(k * mass), along * leaving - v);
  sum.force += rubbed;
  sum.torque += wedge(r, rubbed) * Real(0.5);
}

/// Force between liquids, or liquid and solid: pressure and viscosity after Monaghan, along r.
template <int Dim>
PHYXEL_FN void add_liquid(const StepView<Dim>& s, Index i, Index j, const Vec<Real, Dim>& r,
                          Gathered<Dim>& sum) {
  const sph::Law &p = s.solid(i).liquid, &q = s.solid(j).liquid;
  sph::Pair<Real> pair{
      length_squared(r), dot(s.velocity(j) - s.velocity(i), r), s.flow[i].c[3] + s.flow[j].c[3],
      sph::shared_viscosity(p.viscosity, q.viscosity), (p.bulk_viscosity + q.bulk_viscosity) / 2};
  // Solids have no viscosity of their own.
  if (!s.is_liquid(i)) pair.viscosity = q.viscosity;
  if (!s.is_liquid(j)) pair.viscosity = p.viscosity;
  sum.force += r * (s.volume(i) * s.volume(j) * pull(s.kernel, Dim, pair));
}

/// Share of the non-rigid velocity that each neighbourhood of a solid takes off in a step.
PHYXEL_FN Real damped_share(const Solid& solid, Real dt) {
  return damped_fraction(solid.damping, dt, Real(1), solid.full_weight);
}

template <int Dim>
PHYXEL_FN Vec<Real, Dim> vector_of(const Quad& q) {
  Vec<Real, Dim> v;
  for (int k = 0; k < Dim; ++k) v[k] = q.c[k];
  return v;
}

/// Force and damping on i by its own neighbourhood.
template <int Dim>
PHYXEL_FN Gathered<Dim> own_part(const StepView<Dim>& s, Index i, Real dt) {
  Gathered<Dim> sum;
  sum.force = narrow<Dim>(s.own_force[i]);
  if (const Solid& solid = s.solid(i); solid.damping > 0)
    sum.change = vector_of<Dim>(s.drift[i]) * damped_share(solid, dt);
  return sum;
}

/// Force and damping on i by the neighbourhood of j, where it is assigned to this slot.
template <int Dim>
PHYXEL_FN void add_bond(const StepView<Dim>& s, Index i, Index j, int slot, Real dt,
                        Gathered<Dim>& sum) {
  using V = Vec<Real, Dim>;
  const Solid& solid = s.solid(j);
  const V r = s.between(j, i), l = s.rest_of(j, slot);
  const Real w = weight_of<Dim>(solid.weights, slot);
  sum.force += force_on_assigned(read<Dim>(s.force[j].c), w, r, l);
  if (solid.damping <= 0) return;
  Spin<Real, Dim> spin;
  for (int k = 0; k < static_cast<int>(sizeof(spin) / sizeof(Real)); ++k) spin[k] = s.spin[j].c[k];
  const V rest = s.velocity(i) - s.velocity(j) - vector_of<Dim>(s.drift[j]) - turned(spin, r);
  sum.change -= rest * (damped_share(solid, dt) * w);
}

/// The slot of j that i is assigned to, most likely opposite to that of i that has j.
template <int Dim>
PHYXEL_FN int slot_opposite(const StepView<Dim>& s, Index j, Index i, int opposite) {
  if (opposite >= 0 && s.assigned(j, opposite ^ 1) == i) return opposite ^ 1;
  return slot_assigned_to(s, j, i);
}

/// What a solid particle gathers from another one: a bond or a contact.
template <int Dim>
PHYXEL_FN void add_solid(const StepView<Dim>& s, Index i, Index j, Real dt, Gathered<Dim>& sum) {
  const int opposite = slot_assigned_to(s, i, j), slot = slot_opposite(s, j, i, opposite);
  if (slot >= 0)
    add_bond(s, i, j, slot, dt, sum);
  else if (opposite < 0)
    add_contact(s, i, j, s.between(i, j), sum);
}

/// From the whole row.
template <int Dim>
PHYXEL_FN Gathered<Dim> gather_row(const StepView<Dim>& s, Index i, Real dt,
                                   const Share& share = {}) {
  const bool liquid = s.is_liquid(i);
  Gathered<Dim> sum;
  if (share.first == 0) sum = own_part(s, i, dt);
  const auto add = [&](Index j) {
    const Vec<Real, Dim> r = s.between(i, j);
    if (liquid || s.is_liquid(j))
      add_liquid(s, i, j, r, sum);
    else if (length_squared(r) <
             s.largest_reach * s.largest_reach)  // assigned particles are no farther
      add_solid(s, i, j, dt, sum);
  };
  for_row(s, i, add, share);
  return sum;
}

/// From assigned particles only, where all bonds are mutual and no other particle is near.
template <int Dim>
PHYXEL_FN Gathered<Dim> gather_assigned(const StepView<Dim>& s, Index i, Real dt,
                                        const Share& share = {}) {
  Gathered<Dim> sum;
  if (share.first == 0) sum = own_part(s, i, dt);
  for (Index slot = share.first; slot < s.slots; slot += share.of)
    if (const Index j = s.assigned(i, slot); j != i) add_bond(s, i, j, slot ^ 1, dt, sum);
  return sum;
}

template <int Dim>
PHYXEL_FN bool needs_assigned_only(const StepView<Dim>& s, Index i) {
  return (s.calm[i] & (calm_mutual | calm_alone)) == (calm_mutual | calm_alone);
}

/// What particle i gathers.
template <int Dim>
PHYXEL_FN Gathered<Dim> gather(const StepView<Dim>& s, Index i, Real dt, const Share& share = {}) {
  return needs_assigned_only(s, i) ? gather_assigned(s, i, dt, share) : gather_row(s, i, dt, share);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
