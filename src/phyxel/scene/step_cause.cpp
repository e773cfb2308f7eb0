#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "phyxel/scene/start_checks.h"

namespace phyxel {

namespace {

/// A particle of a method, and what makes it the one that is looked for.
struct Suspect {
  std::size_t method = 0;
  Index particle = -1;
  Real measure = 0;  // m/s for speeds; distance over spacing for pairs

  bool found() const { return particle >= 0; }
};

Suspect fastest(World& world) {
  Suspect best;
  for (std::size_t m = 0; m < world.methods.size(); ++m) {
    const HostParticles& p = world.methods[m]->particles();
    for (Index i = 0; i < p.size(); ++i)
      if (const Real speed = length(p.v[i]); !best.found() || speed > best.measure)
        best = {m, i, speed};
  }
  return best;
}

Real spacing_of(const World& world, const HostParticles& p, Index i) {
  return world.environment.materials[p.material[i]].spacing;
}

/// The particle that is nearest to a neighbour, measured in spacings, by cells of one spacing.
Suspect most_compressed(World& world, Index material) {
  Suspect best;
  for (std::size_t m = 0; m < world.methods.size(); ++m) {
    const HostParticles& p = world.methods[m]->particles();
    Real edge = 0;
    for (Index i = 0; i < p.size(); ++i) edge = std::max(edge, spacing_of(world, p, i));
    const auto cell = [&](const Vec3& x, int dx, int dy, int dz) {
      const auto at = [&](int k) { return static_cast<std::int64_t>(std::floor(x[k] / edge)); };
      return ((at(0) + dx) * 73856093) ^ ((at(1) + dy) * 19349663) ^ ((at(2) + dz) * 83492791);
    };
    std::unordered_multimap<std::int64_t, Index> cells;
    for (Index i = 0; i < p.size(); ++i) cells.emplace(cell(p.x[i], 0, 0, 0), i);
    for (Index i = 0; i < p.size(); ++i) {
      if (material >= 0 && p.material[i] != material) continue;
      for (int k = 0; k < 27; ++k) {
        const auto [from, to] =
            cells.equal_range(cell(p.x[i], k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
        for (auto at = from; at != to; ++at) {
          if (at->second == i) continue;
          const Real apart = length(p.x[at->second] - p.x[i]) / spacing_of(world, p, i);
          if (!best.found() || apart < best.measure) best = {m, i, apart};
        }
      }
    }
  }
  return best;
}

std::string name_of(const World& world, const HostParticles& p, Index i) {
  return fmt::format("particle {} of {} (material.{})", p.id[i],
                     world.live.bodies[p.body[i]].path(),
                     world.environment.materials[p.material[i]].name);
}

/// "; collider.ball is 0.01 m away and moves at 20 m/s" where one is within two spacings.
std::string beside(const World& world, const HostParticles& p, Index i) {
  const Collider* nearest = nullptr;
  Contact contact{2 * spacing_of(world, p, i), Vec3::zero(), Vec3::zero()};
  for (const Collider& collider : world.environment.colliders)
    if (const Contact c = contact_at(collider, p.x[i]); c.distance < contact.distance)
      nearest = &collider, contact = c;
  if (!nearest) return "";
  const Real speed = length(contact.velocity);
  return fmt::format("; collider.{} is {:.3g} m away{}", nearest->name, contact.distance,
                     speed > 0 ? fmt::format(" and moves at {:.3g} m/s there", speed) : "");
}

/// "collider.ball moves at 20 m/s", of the fastest within the next step; "" where all are at rest.
std::string fastest_collider(const Environment& environment, double dt) {
  std::string name;
  double largest = 0;
  for (const Collider& collider : environment.colliders) {
    const double speed =
        largest_speeds(collider.motion, environment.time, environment.time + 2 * dt).velocity;
    if (speed > largest) largest = speed, name = collider.name;
  }
  return name.empty() ? "" : fmt::format("collider.{} moves at {:.3g} m/s", name, largest);
}

std::string material_named(const World& world, const StableStep& limit) {
  if (limit.material < 0) return "";
  return "material." + world.environment.materials[limit.material].name;
}

}  // namespace

std::string step_cause(World& world, const StableStep& limit) {
  if (limit.by == StepLimit::setting) return "the scene's [time] table asks for it";
  if (limit.by == StepLimit::viscosity || limit.by == StepLimit::other)
    if (const std::string material = material_named(world, limit); !material.empty())
      return material + " asks for it";
  if (limit.by == StepLimit::contact)
    if (const std::string collider = fastest_collider(world.environment, limit.dt);
        !collider.empty())
      return collider;
  const bool by_speed = limit.by == StepLimit::speed || limit.by == StepLimit::contact;
  const Suspect s = by_speed ? fastest(world) : most_compressed(world, limit.material);
  if (!s.found()) return material_named(world, limit);
  const HostParticles& p = world.methods[s.method]->particles();
  const std::string what = by_speed
                               ? fmt::format("moves at {:.3g} m/s", s.measure)
                               : fmt::format("is {:.2g} spacings from its neighbour", s.measure);
  return fmt::format("{} {}{}", name_of(world, p, s.particle), what, beside(world, p, s.particle));
}

}  // namespace phyxel
