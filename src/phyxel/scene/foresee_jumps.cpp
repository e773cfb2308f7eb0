#include <algorithm>

#include "phyxel/scene/fail.h"
#include "phyxel/scene/start_checks.h"

namespace phyxel {

namespace {

Real smallest_spacing(const World& world) {
  Real spacing = Real(1e30);
  for (const Material& m : world.environment.materials)
    if (!m.method.empty()) spacing = std::min(spacing, m.spacing);
  return spacing;
}

/// Solids come out at a hundredth of a spacing in a step: some percent of the speed of sound, which
/// strains matter by as much.
JumpLimits limits_of(const World& world) {
  const double dt = std::min(world.first_dt, 1 / world.live.fps);
  const Real spacing = smallest_spacing(world);
  return {spacing, dt, static_cast<Real>(0.01 * spacing / dt)};
}

std::string describe_jump(const Jump& jump, const JumpLimits& limits) {
  return fmt::format("{} {:.3g} m ({:.3g} spacings) {}",
                     jump.to > jump.from ? "moves by" : "jumps by", jump.distance,
                     jump.distance / limits.spacing,
                     jump.to > jump.from ? fmt::format("from t = {:.6g} s to {:.6g} s, faster than "
                                                       "steps of {:.3g} s can follow",
                                                       jump.from, jump.to, limits.dt)
                                         : fmt::format("at t = {:.6g} s", jump.from));
}

void tell(World& world, const Collider& collider, const JumpLimits& limits) {
  const std::vector<Jump>& jumps = collider.jumps;
  std::string more;
  if (jumps.size() > 1) more = fmt::format(", and {} times more", jumps.size() - 1);
  world.notes.push_back(fmt::format(
      "{}collider.{} {}{}: it withdraws by up to {:.3g} m then, and pushes what is in its way out "
      "at {:.3g} m/s; for an impact give its motion more time, with interpolation = \"linear\" or "
      "\"smooth\"",
      [&] {
        const std::string place = to_string(world.live.place_of("collider." + collider.name));
        return place.empty() ? place : place + ": ";
      }(),
      collider.name, describe_jump(jumps[0], limits), more, jumps[0].depth, jumps[0].speed));
}

/// Where the particles are that a pin holds.
Bounds held_by(World& world, Index pin) {
  Bounds bounds;
  for (auto& method : world.methods) {
    const HostParticles& p = method->particles();
    for (Index i = 0; i < p.size(); ++i)
      if (p.pin[i] == pin) bounds.include(p.x[i]);
  }
  return bounds;
}

/// A pin or an emitter at `path` moves what pin `k` of the environment holds.
void refuse_jump(World& world, const std::string& path, std::size_t k, const Motion& motion,
                 const char* result, const JumpLimits& limits) {
  if (motion.times.size() < 2) return;
  const std::vector<Jump> jumps = find_jumps(motion, held_by(world, static_cast<Index>(k)), limits);
  if (jumps.empty()) return;
  fail(world.live.place_of(path + ".motion"),
       "{} {}; {}: give its motion more time, with interpolation = \"linear\" or \"smooth\"", path,
       describe_jump(jumps[0], limits), result);
}

void refuse_jumping_pins(World& world, const JumpLimits& limits) {
  for (std::size_t k = 0; k < world.live.pins.size(); ++k)
    refuse_jump(world, "pin." + world.live.pins[k].name, k, world.live.pins[k].motion,
                "what it holds would be torn off", limits);
}

void refuse_jumping_emitters(World& world, const JumpLimits& limits) {
  for (const Emission& e : world.emissions) {
    const BodySpec& emitter = world.live.bodies[e.body];
    refuse_jump(world, emitter.path(), e.pin, emitter.nozzle->motion,
                "its stream would be torn off, or put into other matter", limits);
  }
}

}  // namespace

void foresee_jumps(World& world) {
  const JumpLimits limits = limits_of(world);
  refuse_jumping_pins(world, limits);
  refuse_jumping_emitters(world, limits);
  for (Collider& collider : world.environment.colliders) {
    if (collider.motion.times.size() > 1)
      collider.jumps = find_jumps(
          collider.motion,
          collider.sequence ? bounds_of(collider.sequence->frames[0]) : bounds_of(collider.shape),
          limits);
    if (collider.sequence && collider.jumps.empty())
      collider.jumps = find_jumps(*collider.sequence, limits);
    if (collider.jumps.empty()) continue;
    tell(world, collider, limits);
    move_to(collider, world.environment.time);
  }
}

}  // namespace phyxel
