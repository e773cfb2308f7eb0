#include "phyxel/scene/take_reactions.h"

#include <utility>

#include "phyxel/scene/removal.h"

namespace phyxel {

namespace {

/// A reaction from its impulses over a time; `pivot` is relative to the scene's origin.
Reaction reaction_of(ReactionKind kind, const std::string& name, const ReactionSum& sum,
                     double time, const Vec3d& pivot, const Vec3d& origin) {
  Reaction r;
  r.kind = kind;
  r.name = name;
  r.force = sum.impulse / time;
  r.peak_force = sum.peak_force;
  r.normal_force = sum.pressed / time;
  r.friction = sum.friction / time;
  r.torque = sum.pivot_angular / time;
  r.peak_torque = sum.peak_torque;
  r.pivot = pivot + origin;
  r.origin_torque = (sum.angular + cross(origin, sum.impulse)) / time;
  return r;
}

/// A force without a place: no torque is counted.
Reaction without_torque(ReactionKind kind, const std::string& name, const Vec3d& impulse,
                        double time) {
  Reaction r;
  r.kind = kind;
  r.name = name;
  r.force = impulse / time;
  r.peak_force = length(r.force);
  r.has_torque = false;
  return r;
}

void add(const ReactionSums& from, ReactionSums& to) {
  for (std::size_t k = 0; k < to.colliders.size(); ++k)
    to.colliders[k] = combine(to.colliders[k], from.colliders[k]);
  for (std::size_t k = 0; k < to.pins.size(); ++k) to.pins[k] = combine(to.pins[k], from.pins[k]);
  to.damping = combine(to.damping, from.damping);
  to.fields += from.fields;
  to.gravity += from.gravity;
}

/// Of all methods; not counted where one of them does not count.
ReactionSums take_sums(World& world) {
  ReactionSums all;
  all.are_counted = true;
  all.colliders.resize(world.environment.colliders.size());
  all.pins.resize(world.environment.pins.size());
  for (auto& method : world.methods) {
    const ReactionSums own = method->take_reactions(world.environment);
    all.are_counted = all.are_counted && own.are_counted;
    if (own.are_counted) add(own, all);
  }
  return all;
}

}  // namespace

void start_reactions(World& world) {
  const ReactionSums sums = take_sums(world);
  world.counts_reactions = sums.are_counted && sums.colliders.size() + sums.pins.size() > 0;
  for (Emission& e : world.emissions) e.inflow = Vec3d::zero();
  world.removal.outflow = Vec3d::zero();
  world.reactions.clear();
}

void take_reactions(World& world, double from) {
  const Environment& environment = world.environment;
  const ReactionSums sums = take_sums(world);
  const double time = environment.time - from;
  const Vec3d& origin = environment.origin;
  world.reactions.clear();
  if (!world.counts_reactions || !(time > 0)) return;
  for (std::size_t k = 0; k < environment.colliders.size(); ++k) {
    const Collider& c = environment.colliders[k];
    world.reactions.push_back(reaction_of(ReactionKind::collider, c.name, sums.colliders[k], time,
                                          torque_pivot(c.motion, c.pose, origin), origin));
  }
  for (std::size_t k = 0; k < environment.pins.size(); ++k) {
    const Pin& p = environment.pins[k];
    const bool emits = k >= world.live.pins.size();
    world.reactions.push_back(reaction_of(emits ? ReactionKind::emitter : ReactionKind::pin, p.name,
                                          sums.pins[k], time,
                                          torque_pivot(p.motion, p.pose, origin), origin));
  }
  for (Emission& e : world.emissions)
    world.reactions.push_back(without_torque(ReactionKind::inflow, world.live.bodies[e.body].name,
                                             std::exchange(e.inflow, Vec3d::zero()), time));
  const Vec3d outflow = std::exchange(world.removal.outflow, Vec3d::zero());
  if (removes_particles(world.live))
    world.reactions.push_back(without_torque(ReactionKind::outflow, "outflow", -outflow, time));
  if (!world.live.fields.empty())
    world.reactions.push_back(without_torque(ReactionKind::fields, "fields", sums.fields, time));
  world.reactions.push_back(
      reaction_of(ReactionKind::damping, "damping", sums.damping, time, -origin, origin));
  world.reactions.push_back(without_torque(ReactionKind::gravity, "gravity", sums.gravity, time));
}

const std::vector<Reaction>& reactions(const World& world) {
  return world.reactions;
}

}  // namespace phyxel
