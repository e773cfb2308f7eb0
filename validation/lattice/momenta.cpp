#include "lattice/momenta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/random.h"
#include "phyxel/methods/lattice/material.h"
#include "phyxel/methods/lattice/step_view.h"

namespace phyxel::validation::lattice {

namespace {

using phyxel::lattice::SlotIds;

double modulus_of(const World& world) {
  return parameters_of<phyxel::lattice::Parameters>(world.environment.materials.front())
      .youngs_modulus;
}

/// Both momenta, and what rounding is measured by: forces are differences of terms as large as E
/// times the square of the spacing, so that a step of the size of the spacing over the speed of
/// sound c rounds velocities by a share not of v but of v + c.
struct Totals {
  Vec3d momentum = Vec3d::zero(), angular = Vec3d::zero();
  double momentum_scale = 0, angular_scale = 0;
};
Totals totals_of(World& world) {
  Totals t;
  const HostParticles& p = particles_of(world);
  const double c = std::sqrt(modulus_of(world) / world.environment.materials.front().density);
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3d x = cast<double>(p.x[i]), v = cast<double>(p.v[i]);
    const double m = p.mass[i];
    t.momentum += v * m;
    t.angular += cross(x, v) * m;
    t.momentum_scale += m * (length(v) + c);
    t.angular_scale += m * length(x) * (length(v) + c);
  }
  return t;
}

/// The moment of friction that neighbourhoods get in the next step, N m.
Vec3d owed_moment(World& world) {
  const Vec3* torque = column<Vec3>(world, "contact_torque");
  Vec3d sum = Vec3d::zero();
  for (Index i = 0; i < particles_of(world).size(); ++i) sum += cast<double>(torque[i]);
  return sum;
}

/// Ids of the particles assigned to the slots, by the id of the particle that has them.
std::vector<SlotIds> assigned_ids_of(World& world) {
  const HostParticles& p = particles_of(world);
  const SlotIds* held = column<SlotIds>(world, "slot_id");
  std::vector<SlotIds> ids(p.x.size());
  for (Index i = 0; i < p.size(); ++i) ids[p.id[i]] = held[i];
  return ids;
}

int slots_of(const World& world) {
  return world.environment.dimensions == 2 ? 6 : 12;
}

double bonds_of(World& world) {
  double count = 0;
  for (const SlotIds& held : assigned_ids_of(world))
    for (int slot = 0; slot < slots_of(world); ++slot)
      count += held[slot] < phyxel::lattice::any_particle;
  return count;
}

int exchanged(World& world, const std::vector<SlotIds>& before) {
  const std::vector<SlotIds> now = assigned_ids_of(world);
  int count = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    for (int slot = 0; slot < slots_of(world); ++slot) count += now[i][slot] != before[i][slot];
  return count;
}

double strain_of(World& world) {
  const HostParticles& p = particles_of(world);
  const Material& material = world.environment.materials.front();
  const double volume = double(p.x.size()) * rest_volume(material, p.mass[0]);
  return std::sqrt(2 * std::max(0.0, diagnose(world).potential_energy) /
                   (modulus_of(world) * volume));
}

}  // namespace

Tumbled tumble_block(std::uint64_t steps, double noise, const Changes& changes) {
  World world = world_of("tumbling_block", changes);
  HostParticles& p = particles_of(world);
  for (Index i = 0; i < p.size(); ++i) {
    Vec3 kick = Random{3, 0}.uniform3(p.id[i]) - Vec3::filled(Real(0.5));
    if (world.environment.dimensions == 2) kick[2] = 0;
    p.v[i] += kick * static_cast<Real>(noise);
  }
  const Totals before = totals_of(world);
  load_for(world, {}, 1e-6);
  const double bonds = bonds_of(world);
  double momentum = before.momentum_scale, angular = before.angular_scale;
  double last_step = 0;
  while (world.environment.step < steps) {
    last_step = advance(world).smallest_dt;
    const Totals now = totals_of(world);
    momentum = std::max(momentum, now.momentum_scale);
    angular = std::max(angular, now.angular_scale);
  }
  const Totals after = totals_of(world);
  const Vec3d owed = owed_moment(world) * last_step;
  return {length(after.momentum - before.momentum) / momentum,
          length(after.angular + owed - before.angular) / angular, bonds_of(world) / bonds,
          world.environment.step};
}

namespace {

/// Places x0 turned by an angle, and the velocities that lead to the next one in dt.
void place(World& world, const std::vector<Vec3d>& start, double angle, double next, double dt) {
  HostParticles& p = particles_of(world);
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3d& x = start[p.id[i]];
    const auto turned = [&](double a) {
      return Vec3d{x[0] * std::cos(a) - x[1] * std::sin(a), x[0] * std::sin(a) + x[1] * std::cos(a),
                   x[2]};
    };
    p.x[i] = cast<Real>(turned(angle));
    p.v[i] = cast<Real>((turned(next) - turned(angle)) / dt);
  }
}

}  // namespace

Turned turn_block(int steps_per_turn, int dimensions) {
  World world = world_of("turning_block", {fmt::format("dimensions={}", dimensions)});
  Environment& environment = world.environment;
  Method& method = method_of(world);
  method.begin(environment);
  const double spacing = world.live.bodies.front().spacing, modulus = modulus_of(world);
  const double dt = method.stable_dt(environment).dt, angle = 2 * M_PI / steps_per_turn;
  const double unit = modulus * (dimensions == 2 ? spacing : spacing * spacing);
  const std::vector<Vec3d> start = places_of(world);
  std::vector<SlotIds> ids;
  std::vector<Vec3> v(start.size());
  Turned turned;
  for (int k = 0; k < 60 * steps_per_turn; ++k) {
    place(world, start, k * angle, (k + 1) * angle, dt);
    HostParticles& p = particles_of(world);
    for (Index i = 0; i < p.size(); ++i) v[p.id[i]] = p.v[i];
    method.step(environment, static_cast<Real>(dt));
    ++environment.step;
    if (k == 0) ids = assigned_ids_of(world);
    for (Index i = 0; i < p.size(); ++i) {
      const double force = double(length(p.v[i] - v[p.id[i]])) * p.mass[i] / dt;
      turned.force = std::max(turned.force, force / unit);
    }
    if (k % 100 == 99) turned.strain = std::max(turned.strain, strain_of(world));
  }
  turned.exchanged = exchanged(world, ids);
  turned.steps = environment.step;
  return turned;
}

Turned spin_block(int dimensions) {
  const double turns = 60, degrees = 120;
  World world = world_of("turning_block",
                         {fmt::format("dimensions={}", dimensions), "material.matter.damping=50",
                          fmt::format("body.block.angular_velocity=[0,0,{}]", degrees),
                          fmt::format("duration={}", turns * 360 / degrees)});
  Turned turned;
  advance(world);
  const std::vector<SlotIds> before = assigned_ids_of(world);
  const double kinetic = diagnose(world).kinetic_energy;
  const Totals start = totals_of(world);
  while (world.frame < frames_of(world)) advance(world);
  turned.exchanged = exchanged(world, before);
  turned.strain = strain_of(world);
  turned.kinetic = diagnose(world).kinetic_energy / kinetic;
  turned.angular = length(totals_of(world).angular - start.angular) / start.angular_scale;
  turned.steps = world.environment.step;
  return turned;
}

}  // namespace phyxel::validation::lattice
