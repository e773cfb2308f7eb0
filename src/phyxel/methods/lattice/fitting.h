#pragma once

#include "phyxel/methods/lattice/assigning.h"

// The neighbourhood of one particle: pass one.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

/// The bond of a slot breaks: it acts no more from the next step on.
template <int Dim>
PHYXEL_FN void break_bond(const StepView<Dim>& s, Index i, int slot) {
  s.rates[i][slot] = 0;
  s.slot_ids[i][slot] = no_particle;
  s.calm[i] &= static_cast<std::uint8_t>(~calm_steady);
}

/// Density of i as a liquid over that at rest, without its own part; solids around it count.
struct SumDensity {
  Share share;

  template <int Dim>
  PHYXEL_FN Real operator()(const StepView<Dim>& s, Index i) const {
    Real ratio = 0;
    const auto add = [&](Index j) {
      ratio += s.volume(j) * weight(s.kernel, length(s.between(i, j)));
    };
    for_row(s, i, add, share);
    return ratio;
  }
};

/// Share of the kernel of a liquid particle that colliders do not cover.
template <int Dim>
PHYXEL_FN Real open_share(const StepView<Dim>& s, Index i) {
  sph::WallSum sum;
  if (s.meets_colliders(i))
    for (const ColliderView& collider : colliders_near(s.colliders, s.x[i], s.kernel.reach()))
      sum.add(sph::wall_term(*s.walls, s.kernel, contact_at(collider, s.x[i]).distance));
  return sum.open;
}

/// Pressure of a liquid particle or one beside it.
template <class Sum, int Dim>
PHYXEL_FN void find_pressure(const StepView<Dim>& s, Index i, const Sum& sum_density) {
  const sph::Law& law = s.solid(i).liquid;
  const bool liquid = s.is_liquid(i);
  Quad flow{{law.viscosity, law.bulk_viscosity, Real(liquid), 0}};
  if ((s.calm[i] & calm_mutual) == 0) {
    Real ratio = s.self * s.volume(i) + sum_density(s, i);
    if (liquid) ratio += 1 - open_share(s, i);
    flow.c[3] = sph::pressure(law, ratio) / (ratio * ratio);
    if (liquid) s.energy[i] = static_cast<Real>(s.volume(i) * sph::compression_energy(law, ratio));
  }
  s.flow[i] = flow;
}

template <int Dim>
PHYXEL_FN Quad quad_of(const Vec<Real, Dim>& v) {
  Quad q{};
  for (int k = 0; k < Dim; ++k) q.c[k] = v[k];
  return q;
}

/// How the neighbourhood moves, for damping.
template <int Dim>
PHYXEL_FN void find_motion(const StepView<Dim>& s, Index i) {
  using V = Vec<Real, Dim>;
  const V v_i = s.velocity(i);
  MotionMoments<Real, Dim> moments(s.mass[i]);
  for_assigned(s, i, [&](Index j, int, Real w, const V& r, const V&) {
    add(moments, w * s.mass[j], r, s.velocity(j) - v_i);
  });
  const RigidMotion<Real, Dim> motion = rigid_motion(moments);
  s.spin[i] = quad_of(motion.spin);
  s.drift[i] = quad_of(motion.velocity - turned(motion.spin, motion.centre));
}

/// The elastic part of a fit; plastic flow is remembered.
template <int Dim>
PHYXEL_FN Fit<Real, Dim> let_flow(const StepView<Dim>& s, Index i, const Fit<Real, Dim>& fit,
                                  Real dt) {
  const Solid& solid = s.solid(i);
  Mat<Real, Dim> q = narrow<Dim>(s.plastic[i]);
  const Fit<Real, Dim> elastic = elastic_part(solid.hookean, solid.yield_stress, fit, q);
  if (dt > 0) s.plastic[i] = widen(q);
  return elastic;
}

/// Fits the lattice of i to its neighbours, and finds the forces of its neighbourhood.
template <int Dim>
PHYXEL_FN void fit_solid(const StepView<Dim>& s, Index i, Real dt) {
  using V = Vec<Real, Dim>;
  const Solid& solid = s.solid(i);
  Moments<Real, Dim> m;
  m.unit = solid.unit;
  for_assigned(s, i, [&](Index, int, Real w, const V& r, const V& l) { add(m, w, r, l); });
  Fit<Real, Dim> fit = fit_lattice(m, narrow<Dim>(s.a[i]));
  if (solid.yields && fit.full) fit = let_flow(s, i, fit, dt);
  NeighbourhoodForce<Real, Dim> force = force_of(solid, m, fit);
  add_torque(force, m, spin_of<Dim>(s.torque[i]));
  write(for_assigned_of(force), s.force[i].c);
  s.own_force[i] = widen(force_on_centre(force, m));
  s.takes_torque[i] = fit.full;
  if (solid.damping > 0) find_motion(s, i);
  Real energy = strain_energy_of(solid, fit);
  for_assigned(s, i, [&](Index, int, Real w, const V& r, const V& l) {
    energy += residual_energy_of(solid, force, fit, w, r, l);
  });
  s.energy[i] = energy;
  if (dt <= 0) return;
  s.a[i] = widen(fit.a);
  if (!solid.fractures) return;
  for_assigned(s, i, [&](Index, int slot, Real, const V&, const V& l) {
    if (breaks(solid, fit, l)) break_bond(s, i, slot);
  });
}

template <int Dim>
PHYXEL_FN void fit_liquid(const StepView<Dim>& s, Index i) {
  s.force[i] = {};
  s.spin[i] = s.drift[i] = {};
  s.own_force[i] = Vec3::zero();
  s.takes_torque[i] = 0;
  s.energy[i] = 0;
}

/// Pass one once neighbours are assigned.
template <int Dim>
PHYXEL_FN void fit_particle(const StepView<Dim>& s, Index i, Real dt) {
  if (s.is_liquid(i))
    fit_liquid(s, i);
  else
    fit_solid(s, i, dt);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
