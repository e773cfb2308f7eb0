#include "phyxel/methods/lennard_jones/forces.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/pack.h"
#include "phyxel/methods/lennard_jones/pair_sum.h"

namespace phyxel::lennard_jones {

void resize(Forces& f, std::size_t n) {
  f.force.resize(n);
  f.pair_energy.resize(n);
  f.obstacle_energy.resize(n);
  f.virial.resize(n);
  f.squared_frequency.resize(n);
  f.viscous_rate.resize(n);
  f.dissipative.resize(n);
  f.approach_rate.resize(n);
  f.external_power.resize(n);
  f.friction.resize(n);
  f.contact_normal.resize(n);
  f.contact_velocity.resize(n);
}

Laws make_laws(const Environment& environment, const std::vector<Real>& mass) {
  Laws laws;
  const auto& materials = environment.materials;
  laws.materials = static_cast<Index>(materials.size());
  laws.pair.resize(materials.size() * materials.size());
  laws.obstacle.resize(materials.size());
  laws.damping.resize(materials.size());
  laws.spacing = laws.reach = Real(1e30);
  const auto ours = [&](std::size_t k) { return materials[k].method == "lennard_jones"; };
  for (std::size_t a = 0; a < materials.size(); ++a) {
    if (!ours(a)) continue;
    laws.used.push_back(static_cast<Index>(a));
    const Parameters& p = parameters_of<Parameters>(materials[a]);
    laws.obstacle[a] = obstacle_law(p);
    laws.damping[a] = p.damping;
    laws.softens |= is_given(p.softening_start);
    const bool euler = p.integration == Integration::euler;
    if (laws.cutoff > 0 && euler != laws.euler)
      throw InputError(
          fmt::format("material.{}.integration differs from another lennard_jones material; all "
                      "take the same steps",
                      materials[a].name));
    laws.euler = euler;
    for (std::size_t b = 0; b < materials.size(); ++b)
      if (ours(b)) {
        const PairLaw other = pair_law(parameters_of<Parameters>(materials[b]), mass[b]);
        laws.pair[a * materials.size() + b] = mixed(pair_law(p, mass[a]), other);
      }
    laws.cutoff = std::max(laws.cutoff, p.cutoff * p.equilibrium_distance);
    laws.spacing = std::min(laws.spacing, p.equilibrium_distance);
    laws.reach = std::min(laws.reach, laws.obstacle[a].d0);
  }
  return laws;
}

namespace {

constexpr Index lanes = pack_size<Real>;

/// Neighbours within the cut-off, collected until they fill a pack.
struct Batch {
  alignas(64) Real d[3][lanes];
  alignas(64) Real dv[3][lanes];
  alignas(64) Real strength[lanes];
  alignas(64) Real present[lanes];
  Index count = 0;
};

void push(Batch& batch, const Vec3& d, const Vec3& dv, Real strength) {
  const Index l = batch.count++;
  for (int c = 0; c < 3; ++c) {
    batch.d[c][l] = d[c];
    batch.dv[c][l] = dv[c];
  }
  batch.strength[l] = strength;
  batch.present[l] = 1;
}

/// Adds what the batch holds and empties it. Lanes beyond its count stand far enough away to be
/// finite and count for nothing.
void flush(const PairLaw& law, Batch& batch, PairSum<Pack>& sum) {
  if (batch.count == 0) return;
  while (batch.count < lanes) {
    push(batch, {law.cutoff, 0, 0}, Vec3::zero(), 0);
    batch.present[batch.count - 1] = 0;
  }
  Neighbour<Pack> j;
  for (int c = 0; c < 3; ++c) {
    j.d[c] = Pack::load_aligned(batch.d[c]);
    j.dv[c] = Pack::load_aligned(batch.dv[c]);
  }
  j.strength = Pack::load_aligned(batch.strength);
  j.present = Pack::load_aligned(batch.present);
  add_pair(law, j, sum);
  batch.count = 0;
}

PairSum<Real> sum_of_lanes(const PairSum<Pack>& sum) {
  PairSum<Real> total;
  for (int c = 0; c < 3; ++c) {
    total.force[c] = xsimd::hadd(sum.force[c]);
    total.viscous_force[c] = xsimd::hadd(sum.viscous_force[c]);
  }
  total.energy = xsimd::hadd(sum.energy);
  total.virial = xsimd::hadd(sum.virial);
  total.stiffness = xsimd::hadd(sum.stiffness);
  total.viscosity = xsimd::hadd(sum.viscosity);
  return total;
}

/// Neighbours of one material at a time, so that a pack has one law.
PairSum<Real> sum_pairs(const Laws& laws, const PeriodicBox& box, const Particles& p,
                        const NeighbourRows& rows, const Column<Real>& root_strength, Index i) {
  PairSum<Pack> sum;
  Batch batch;
  const Vec3 x_i = p.x[i], v_i = p.v[i];
  const bool periodic = any_periodic(box);
  for (Index m : laws.used) {
    const PairLaw& law = laws.pair[p.material[i] * laws.materials + m];
    const Real cutoff2 = law.cutoff * law.cutoff;
    for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      const Index j = rows.neighbour[k];
      if (p.material[j] != m) continue;
      Vec3 d = p.x[j] - x_i;
      if (periodic) d = minimum_image(box, d);
      if (length_squared(d) >= cutoff2) continue;
      push(batch, d, p.v[j] - v_i, root_strength[i] * root_strength[j]);
      if (batch.count == lanes) flush(law, batch, sum);
    }
    flush(law, batch, sum);
  }
  return sum_of_lanes(sum);
}

/// Sum over the colliders within reach of one particle.
struct ContactSum {
  Vec3 force = Vec3::zero();
  Real energy = 0;
  Real stiffness = 0;
  Vec3 withheld = Vec3::zero();  // part of the repulsion that restitution keeps back
  Real external_power = 0;
  Real approach_rate = 0;
  Real friction = 0;
  Vec3 normal = Vec3::zero();
  Vec3 velocity = Vec3::zero();
};

/// A separating particle feels restitution^2 of the force: it leaves with `restitution` times the
/// speed it came with, because the work done on the way out is that part of the work done on the
/// way in.
void add_contact(const Collider& collider, const ObstacleLaw& law, const Contact& contact,
                 const Vec3& v, ContactSum& sum) {
  const ObstacleTerm term = obstacle_term(law, contact.distance);
  const Real approach = dot(v - contact.velocity, contact.normal);
  const Real kept = approach > 0 ? collider.restitution * collider.restitution : Real(1);
  const Real force = kept * term.force;
  sum.force += contact.normal * force;
  sum.energy += term.energy;
  sum.stiffness += term.stiffness;
  const Real near = law.d0 * Real(0.01);
  sum.approach_rate = std::max(sum.approach_rate, -approach / std::max(contact.distance, near));
  sum.withheld += contact.normal * (term.force - force);
  sum.external_power += term.force * dot(contact.normal, contact.velocity);
  const Real friction = collider.friction * force;
  if (friction <= sum.friction) return;
  sum.friction = friction;
  sum.normal = contact.normal;
  sum.velocity = contact.velocity;
}

ContactSum sum_contacts(const std::vector<Collider>& colliders, const ObstacleLaw& law,
                        const Vec3& x, const Vec3& v) {
  ContactSum sum;
  for (const Collider& collider : colliders) {
    const Contact contact = contact_at(collider, x);
    if (contact.distance < law.d0) add_contact(collider, law, contact, v, sum);
  }
  return sum;
}

/// A surface that leans over the plane of a flat scene pushes and rubs along the plane only.
void flatten(ContactSum& sum) {
  sum.force[2] = sum.withheld[2] = sum.velocity[2] = sum.normal[2] = 0;
  if (length(sum.normal) > 0) sum.normal = normalized(sum.normal);
}

/// Particles per task: each is a row of some 50 neighbours.
constexpr Index row_piece = 64;

}  // namespace

void compute_forces(const Environment& environment, const Laws& laws, const Particles& p,
                    const NeighbourRows& rows, const Column<Real>& root_strength, Forces& f) {
  const bool flat = environment.dimensions == 2;
  for_each(
      environment.exec, "lennard_jones.forces", p.size(),
      [&](Index i) {
        const PairSum<Real> pairs = sum_pairs(laws, environment.box, p, rows, root_strength, i);
        ContactSum contacts =
            sum_contacts(environment.colliders, laws.obstacle[p.material[i]], p.x[i], p.v[i]);
        if (flat) flatten(contacts);
        const Real m = p.mass[i];
        f.force[i] = pairs.force + pairs.viscous_force + contacts.force + environment.gravity * m;
        f.dissipative[i] = pairs.viscous_force - contacts.withheld;
        f.pair_energy[i] = pairs.energy;
        f.obstacle_energy[i] = contacts.energy;
        f.virial[i] = pairs.virial;
        // Gershgorin: no eigenvalue of the stiffness matrix exceeds twice the largest sum over a
        // row.
        f.squared_frequency[i] = (2 * pairs.stiffness + contacts.stiffness) / m;
        f.viscous_rate[i] = 2 * pairs.viscosity / m;
        f.external_power[i] = contacts.external_power;
        f.approach_rate[i] = contacts.approach_rate;
        f.friction[i] = contacts.friction;
        f.contact_normal[i] = contacts.normal;
        f.contact_velocity[i] = contacts.velocity;
      },
      row_piece);
}

}  // namespace phyxel::lennard_jones
