#include "phyxel/methods/lattice/passes.h"

#include "phyxel/methods/lattice/contact.h"

namespace phyxel::lattice {

namespace {

using OpenClaims = Holders<Real, most_slots>;

/// Centres of particles keep half a spacing from colliders.
PHYXEL_FN Real gap_of(const Solid& solid) {
  return Real(0.5) * solid.spacing;
}

/// A surface that leans over the plane of a flat scene acts along the plane only.
template <int Dim>
PHYXEL_FN Contact contact_in(const ColliderView& collider, const Vec3& x) {
  Contact contact = contact_at(collider, x);
  if (Dim == 2) {
    contact.normal[2] = contact.velocity[2] = 0;
    contact.normal = normalized(contact.normal);
  }
  return contact;
}

PHYXEL_FN Vec3 velocity_beside(const ColliderView& collider, const Contact& contact,
                               const Vec3& v) {
  return collider.contact == ContactKind::separate
             ? contact_response(v, contact, collider.friction, collider.restitution)
             : velocity_on(v, contact, collider.contact, collider.friction);
}

/// A particle that would come nearer than the gap takes the velocity it may have there, and is put
/// at the gap: one that stopped short would fall again, and never come to rest. Who is nearer
/// already stays so, because to push it out would do work on the body; nobody gets inside.
template <int Dim>
PHYXEL_FN Vec3 beside_colliders(const StepView<Dim>& s, const Vec3& from, Real gap, Real dt,
                                Vec3& v) {
  Vec3 x = from + v * dt;
  for (const ColliderView& collider : s.colliders) {
    Contact contact = contact_in<Dim>(collider, x);
    if (contact.distance >= gap) continue;
    const Vec3 after = velocity_beside(collider, contact, v);
    x += (after - v) * dt;
    v = after;
    contact = contact_in<Dim>(collider, x);
    x -= contact.normal * (contact.distance - clamp(contact.distance, Real(0), gap));
  }
  return x;
}

/// What colliders leave of the velocity that forces have given to a particle that touches them: at
/// rest nothing. Restitution is for those that arrive: who is pressed does not bounce.
template <int Dim>
PHYXEL_FN Vec3 held_by_colliders(const StepView<Dim>& s, const Vec3& x, Real gap, Vec3 v) {
  for (const ColliderView& collider : s.colliders)
    if (const Contact contact = contact_in<Dim>(collider, x); contact.distance < gap)
      v = velocity_on(v, contact, collider.contact, collider.friction);
  return v;
}

template <int Dim>
PHYXEL_FN Real move_particle(const StepView<Dim>& s, Index i, Real dt) {
  const Vec3 from = s.x[i];
  Vec3 v = s.v[i], x = from + v * dt;
  if (s.is_held(i)) {
    const PinView& pin = s.pins[s.pin[i]];
    x = apply(pin.moved, from);
    v = pin.pose.velocity +
        cross(pin.pose.angular_velocity, x - apply(pin.pose.transform, pin.pivot));
  } else if (s.meets_colliders(i)) {
    x = beside_colliders(s, from, gap_of(s.solid(i)), dt, v);
    if (Dim == 2) x[2] = from[2], v[2] = 0;
  }
  s.x[i] = wrap(s.box, x);
  s.v[i] = v;
  return squared_move(s.box, s.x[i], s.x_at_build[i]);
}

/// visit(j) for all neighbours of i.
template <int Dim, class Visit>
PHYXEL_FN void for_row(const StepView<Dim>& s, Index i, const Visit& visit) {
  const Index* const row = s.neighbour + s.row_start[i];
  for (Index k = 0; k < s.row_count[i]; ++k) visit(row[k]);
}

/// A slot takes those that come this near to its lattice point, in units of the spacing, and keeps
/// them while no other point is nearer, about half a spacing: bonds begin with little energy and
/// end with more. Wicke et al. 2006 take whoever is nearest, which does work on matter that flows.
constexpr Real capture = Real(0.25);

/// The closest claimant of each slot. A holder stays while it claims its slot, however close others
/// come.
template <int Dim>
PHYXEL_FN void collect_claims(const StepView<Dim>& s, Index i, OpenClaims& claims) {
  const Solid& solid = s.solid(i);
  const Mat<Real, Dim> inverse_a = to_lattice(narrow<Dim>(s.a[i]));
  const Real reach = reach_of(solid);
  clear(claims);
  for_row(s, i, [&](Index j) {
    if (s.body[j] != s.body[i] || s.is_liquid(j)) return;
    const Vec<Real, Dim> r = s.between(i, j);
    if (length_squared(r) >= reach * reach) return;
    Claim<Real> claim = claim_of(inverse_a, r, solid.spacing, solid.weights.shells);
    if (claim.slot < 0) return;
    const ParticleId kept = s.holders[i][claim.slot];
    const Real near = capture * solid.spacing;
    if (kept == s.id[j])
      claim.distance_squared = -1;
    else if (kept != any_holder && claim.distance_squared > near * near)
      return;
    settle(claims, claim, j, s.id[j]);
  });
}

/// Draws for slots that were empty, and lets docking rates follow. Wicke et al. 2006, section 4.2.
template <int Dim>
PHYXEL_FN void dock(const StepView<Dim>& s, Index i, Real dt, OpenClaims& claims) {
  const Solid& solid = s.solid(i);
  SlotRates rates = s.rates[i];
  SlotHolders holders = s.holders[i];
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    Index& holder = claims.entry[slot];
    const bool stays =
        holders[slot] == any_holder || (holder >= 0 && claims.id[slot] == holders[slot]);
    if (solid.fractures && holder >= 0 && !stays &&
        !docks(rates[slot], s.seed, s.id[i], slot, s.step, dt))
      holder = -1;
    rates[slot] = docking_rate(solid.docking, rates[slot], holder >= 0, dt);
    holders[slot] = holder >= 0 ? claims.id[slot] : no_holder;
  }
  if (dt <= 0) return;
  s.rates[i] = rates;
  s.holders[i] = holders;
}

/// Slots whose bond is pulled too hard give way from the next step on.
template <int Dim>
PHYXEL_FN void break_bonds(const StepView<Dim>& s, Index i, const Fit<Real, Dim>& fit,
                           const OpenClaims& claims) {
  const Solid& solid = s.solid(i);
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    if (claims.entry[slot] < 0 || !breaks(solid, fit, slot_offset<Dim>(slot, solid.spacing)))
      continue;
    s.rates[i][slot] = 0;
    s.holders[i][slot] = no_holder;
  }
}

/// visit(j, w, r, l) for the holders of slots of i.
template <int Dim, class Visit>
PHYXEL_FN void for_holders(const StepView<Dim>& s, Index i, const OpenClaims& claims,
                           const Visit& visit) {
  const Solid& solid = s.solid(i);
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot)
    if (const Index j = claims.entry[slot]; j >= 0)
      visit(j, weight_of<Dim>(solid.weights, slot), s.between(i, j),
            slot_offset<Dim>(slot, solid.spacing));
}

/// Density of i as a liquid over that at rest; solids around it count.
template <int Dim>
PHYXEL_FN Real density_ratio(const StepView<Dim>& s, Index i) {
  Real ratio = s.self * s.volume(i);
  for_row(s, i, [&](Index j) { ratio += s.volume(j) * weight(s.kernel, length(s.between(i, j))); });
  return ratio;
}

/// A liquid particle has no lattice.
template <int Dim>
PHYXEL_FN void leave_lattice(Neighbourhood<Dim>& around) {
  using V = Vec<Real, Dim>;
  const Spin<Real, Dim> none = Spin<Real, Dim>::zero();
  around.force = {Mat<Real, Dim>::zero(), Real(0), V::zero(), none};
  around.motion = {V::zero(), V::zero(), none};
  around.own_force = V::zero();
  for (Index& holder : around.holder) holder = -1;
  around.takes_torque = false;
}

template <int Dim>
PHYXEL_FN void fit_solid(const StepView<Dim>& s, Index i, Real dt);

template <int Dim>
PHYXEL_FN void fit_particle(const StepView<Dim>& s, Index i, Real dt) {
  Neighbourhood<Dim>& around = s.around[i];
  const sph::Law& law = s.solid(i).liquid;
  const Real ratio = s.flows ? density_ratio(s, i) : Real(1);
  around.tension = sph::pressure(law, ratio) / (ratio * ratio);
  around.is_liquid = s.is_liquid(i);
  around.v = narrow<Dim>(s.v[i]);
  if (!around.is_liquid) return fit_solid(s, i, dt);
  leave_lattice(around);
  s.energy[i] = static_cast<Real>(s.volume(i) * sph::compression_energy(law, ratio));
}

template <int Dim>
PHYXEL_FN void fit_solid(const StepView<Dim>& s, Index i, Real dt) {
  using V = Vec<Real, Dim>;
  const Solid& solid = s.solid(i);
  OpenClaims claims;
  collect_claims(s, i, claims);
  dock(s, i, dt, claims);
  const V v_i = narrow<Dim>(s.v[i]);
  Moments<Real, Dim> m;
  MotionMoments<Real, Dim> motion(s.mass[i]);
  for_holders(s, i, claims, [&](Index j, Real w, const V& r, const V& l) {
    add(m, w, r, l);
    add(motion, w * s.mass[j], r, narrow<Dim>(s.v[j]) - v_i);
  });
  const Fit<Real, Dim> fit = fit_lattice(m, narrow<Dim>(s.a[i]));
  Neighbourhood<Dim>& around = s.around[i];
  around.force = force_of(solid, m, fit);
  add_torque(around.force, m, spin_of<Dim>(s.torque[i]));
  around.motion = rigid_motion(motion);
  around.takes_torque = fit.full;
  around.own_force = force_on_centre(around.force, m);
  for (int slot = 0; slot < most_slots; ++slot) around.holder[slot] = claims.entry[slot];
  Real energy = strain_energy_of(solid, fit);
  for_holders(s, i, claims, [&](Index, Real w, const V& r, const V& l) {
    energy += residual_energy_of(solid, around.force, fit, w, r, l);
  });
  s.energy[i] = energy;
  if (dt <= 0) return;
  s.a[i] = widen(fit.a);
  if (solid.fractures) break_bonds(s, i, fit, claims);
}

/// The slot of a neighbourhood that particle k holds, or -1.
template <int Dim>
PHYXEL_FN int slot_held_by(const Neighbourhood<Dim>& around, Index k) {
  int found = -1;
  for (int slot = 0; slot < most_slots; ++slot)
    if (around.holder[slot] == k) found = slot;
  return found;
}

/// What a particle gathers from those around it.
template <int Dim>
struct Gathered {
  Vec<Real, Dim> force = Vec<Real, Dim>::zero();     // N
  Vec<Real, Dim> change = Vec<Real, Dim>::zero();    // of velocity by damping, m/s
  Spin<Real, Dim> torque = Spin<Real, Dim>::zero();  // owed to the neighbourhood, N m
  Real energy = 0;                                   // half of that of its contacts, J
};

/// Particles that do not belong to one lattice push each other away, lose some of their approach
/// and rub. The same for both, with opposite signs. Friction acts across the distance between them:
/// the moment it leaves is taken up by their neighbourhoods, half by each, in the next step.
template <int Dim>
PHYXEL_FN void add_contact(const StepView<Dim>& s, Index i, Index j, const Vec<Real, Dim>& r,
                           Gathered<Dim>& sum) {
  const Solid &a = s.solid(i), &b = s.solid(j);
  const Real spacing = (a.spacing + b.spacing) / 2, distance = length(r);
  if (!(distance < spacing) || distance <= 0) return;
  const Real ka = a.springs.stiffness, kb = b.springs.stiffness, k = 2 * ka * kb / (ka + kb);
  const Real mass = s.mass[i] * s.mass[j] / (s.mass[i] + s.mass[j]);
  const Real critical = (a.contact_damping + b.contact_damping) * sqrt(k * mass);
  const Vec<Real, Dim> push = contact_force(k, spacing, r), along = r / distance;
  const Vec<Real, Dim> v = s.around[j].v - s.around[i].v;
  const Real leaving = dot(v, along);
  const Vec<Real, Dim> pushed = repulsive_part(r, push - along * (critical * leaving));
  sum.force -= pushed;
  sum.energy += k * (spacing - distance) * (spacing - distance) / 4;
  if (!s.around[i].takes_torque || !s.around[j].takes_torque) return;
  const Real most = (a.friction + b.friction) / 2 * length(pushed);
  const Vec<Real, Dim> rubbed = contact_friction(most, sqrt(k * mass), along * leaving - v);
  sum.force += rubbed;
  sum.torque += wedge(r, rubbed) * Real(0.5);
}

/// Liquids among themselves and against solids: pressure and viscosity of Monaghan, along r.
template <int Dim>
PHYXEL_FN void add_liquid(const StepView<Dim>& s, Index i, Index j, const Vec<Real, Dim>& r,
                          Gathered<Dim>& sum) {
  const Neighbourhood<Dim>&a = s.around[i], &b = s.around[j];
  const sph::Law &p = s.solid(i).liquid, &q = s.solid(j).liquid;
  sph::Pair<Real> pair{length_squared(r), dot(b.v - a.v, r), a.tension + b.tension,
                       sph::shared_viscosity(p.viscosity, q.viscosity),
                       (p.bulk_viscosity + q.bulk_viscosity) / 2};
  // Solids have no viscosity of their own.
  if (!a.is_liquid) pair.viscosity = q.viscosity;
  if (!b.is_liquid) pair.viscosity = p.viscosity;
  sum.force += r * (s.volume(i) * s.volume(j) * pull(s.kernel, Dim, pair));
}

template <int Dim>
PHYXEL_FN Gathered<Dim> gather(const StepView<Dim>& s, Index i, Real dt) {
  using V = Vec<Real, Dim>;
  const Neighbourhood<Dim>& own = s.around[i];
  const auto fraction = [&](Index j) {
    const Solid& solid = s.solid(j);
    return damped_fraction(solid.damping, dt, Real(1), solid.full_weight);
  };
  Gathered<Dim> sum;
  sum.force = own.own_force;
  sum.change = damping(own.motion, fraction(i), Real(1), V::zero(), V::zero());
  for_row(s, i, [&](Index j) {
    const Neighbourhood<Dim>& around = s.around[j];
    if (own.is_liquid || around.is_liquid) return add_liquid(s, i, j, s.between(i, j), sum);
    const int slot = slot_held_by(around, i);
    if (slot < 0) {
      if (slot_held_by(own, j) < 0) add_contact(s, i, j, s.between(i, j), sum);
      return;
    }
    const Solid& solid = s.solid(j);
    const V r = s.between(j, i);
    const Real w = weight_of<Dim>(solid.weights, slot);
    sum.force += force_on_holder(around.force, w, r, slot_offset<Dim>(slot, solid.spacing));
    if (solid.damping > 0)
      sum.change += damping(around.motion, fraction(j), w, r, own.v - around.v);
  });
  return sum;
}

template <int Dim>
PHYXEL_FN Extremes force_particle(const StepView<Dim>& s, Index i, Real dt) {
  const Gathered<Dim> sum = gather(s, i, dt);
  s.energy[i] += sum.energy;
  if (dt > 0) s.torque[i] = as_column(sum.torque);
  if (!s.is_held(i) && dt > 0) {
    const Vec<Real, Dim> acceleration = sum.force / s.mass[i] + narrow<Dim>(s.gravity);
    Vec3 v = widen<Dim>(s.around[i].v + sum.change + acceleration * dt);
    // A hundredth more than the gap: who hovers that near must not start to fall again.
    const Real gap = gap_of(s.solid(i)) * Real(1.01);
    if (s.meets_colliders(i)) v = held_by_colliders(s, s.x[i], gap, v);
    s.v[i] = v;
  }
  Extremes e{length_squared(s.v[i])};
  if (!std::isfinite(e.speed_squared + length_squared(s.x[i]) + length_squared(sum.force)))
    e.first_bad = i;
  return e;
}

/// What a liquid particle finds around it, and the nearest solid, -1 where there is none.
template <int Dim>
PHYXEL_FN FreezingSite look_around(const StepView<Dim>& s, Index i, Index& nearest_solid) {
  const Real reach = reach_of(s.solid(i));
  Real count = 0, least = reach * reach;
  Vec<Real, Dim> sum = Vec<Real, Dim>::zero();
  nearest_solid = -1;
  for_row(s, i, [&](Index j) {
    const Real squared = length_squared(s.between(i, j));
    if (s.around[j].is_liquid || squared >= reach * reach) return;
    ++count;
    sum += s.around[j].v;
    if (squared < least) least = squared, nearest_solid = j;
  });
  const Real speed = count > 0 ? length(s.around[i].v - sum / count) : Real(0);
  return {s.temperature[i], count, speed, 0};
}

template <int Dim>
PHYXEL_FN void change_phase(const StepView<Dim>& s, Index i, Real dt) {
  const Solid& solid = s.solid(i);
  if (!s.around[i].is_liquid) {
    if (melts(solid.melting, s.temperature[i], s.seed, s.id[i], s.step, dt))
      s.phase[i] = static_cast<std::uint8_t>(Phase::liquid);
    return;
  }
  Index beside;
  const FreezingSite site = look_around(s, i, beside);
  if (beside < 0 || !freezes(solid.freezing, site, s.seed, s.id[i], s.step, dt)) return;
  s.phase[i] = static_cast<std::uint8_t>(Phase::solid);
  s.a[i] = s.a[beside];
  s.rates[i] = SlotRates::filled(solid.docking.largest);
  s.holders[i] = SlotHolders::filled(no_holder);
}

struct LargerExtremes {
  PHYXEL_FN Extremes operator()(const Extremes& a, const Extremes& b) const {
    return {max(a.speed_squared, b.speed_squared), min(a.first_bad, b.first_bad)};
  }
};

}  // namespace

template <int Dim>
void find_near(const Exec& exec, const StepView<Dim>& view) {
  if (view.colliders.count == 0) return;
  for_each(
      exec, "lattice.near", view.n, PHYXEL_LAMBDA(Index i) {
        // Rows serve until somebody has moved half the skin, and a step is a quarter spacing.
        const Real reach = view.solid(i).spacing + view.skin;
        Index found = 0;
        for (const ColliderView& collider : view.colliders)
          if (contact_at(collider, view.x[i]).distance < reach) found = 1;
        view.is_near[i] = found;
      });
}

template <int Dim>
Real move_particles(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce_max(
      exec, "lattice.move", view.n, Real(0),
      PHYXEL_LAMBDA(Index i) { return move_particle(view, i, dt); });
}

template <int Dim>
void fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_each(
      exec, "lattice.fit", view.n, PHYXEL_LAMBDA(Index i) { fit_particle(view, i, dt); });
}

template <int Dim>
Extremes apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce(
      exec, "lattice.forces", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) { return force_particle(view, i, dt); }, LargerExtremes{});
}

template <int Dim>
void change_phases(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_each(
      exec, "lattice.phases", view.n, PHYXEL_LAMBDA(Index i) { change_phase(view, i, dt); });
}

template void change_phases(const Exec&, const StepView<2>&, Real);
template void change_phases(const Exec&, const StepView<3>&, Real);
template void find_near(const Exec&, const StepView<2>&);
template void find_near(const Exec&, const StepView<3>&);
template Real move_particles(const Exec&, const StepView<2>&, Real);
template Real move_particles(const Exec&, const StepView<3>&, Real);
template void fit_lattices(const Exec&, const StepView<2>&, Real);
template void fit_lattices(const Exec&, const StepView<3>&, Real);
template Extremes apply_forces(const Exec&, const StepView<2>&, Real);
template Extremes apply_forces(const Exec&, const StepView<3>&, Real);

}  // namespace phyxel::lattice
