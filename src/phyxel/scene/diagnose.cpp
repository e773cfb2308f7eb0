#include "phyxel/scene/body_material.h"
#include "phyxel/scene/removal.h"
#include "phyxel/scene/world.h"

namespace phyxel {

namespace {

/// A collider, and the box around it in its own frame: most particles are not even in that.
struct BoxedCollider {
  const Collider* collider;
  Bounds box;
};

bool holds(const BoxedCollider& boxed, const Vec3& x, Real depth) {
  return boxed.box.contains(apply_inverse(boxed.collider->pose.transform, x)) &&
         surface_contact_at(*boxed.collider, x).distance < -depth;
}

}  // namespace

std::size_t count_inside_colliders(World& world) {
  const Environment& environment = world.environment;
  std::vector<BoxedCollider> colliders;
  for (const Collider& collider : environment.colliders)
    colliders.push_back({&collider, bounds_of(collider.shape)});
  if (colliders.empty()) return 0;
  std::vector<Real> depths;  // of bodies, m: half a spacing
  for (const BodySpec& body : world.live.bodies)
    depths.push_back(rest_spacing(world.live, body) / 2);
  std::size_t count = 0;
  for (auto& method : world.methods) {
    const HostParticles& p = method->particles();
    count += reduce(
        environment.exec, "inside_colliders", p.size(), std::size_t{0},
        [&](Index i) {
          const Real depth = depths[p.body[i]];
          for (const BoxedCollider& boxed : colliders)
            if (holds(boxed, p.x[i], depth)) return std::size_t{1};
          return std::size_t{0};
        },
        [](std::size_t a, std::size_t b) { return a + b; });
  }
  return count;
}

Diagnostics diagnose(World& world) {
  Diagnostics sum;
  for (auto& method : world.methods) sum = combine(sum, method->diagnostics(world.environment));
  sum.extra.emplace_back("inside_colliders", count_inside_colliders(world));
  sum.extra.emplace_back("cut_steps", world.cut_steps);
  if (removes_particles(world.live))
    sum.extra.emplace_back("removed", static_cast<double>(world.removal.count));
  return sum;
}

}  // namespace phyxel
