#include "phyxel/scene/inside_colliders.h"

#include "phyxel/scene/rest_spacing.h"

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

/// Half a spacing of each body, m.
std::vector<Real> depths_of(const World& world) {
  std::vector<Real> depths;
  for (const BodySpec& body : world.live.bodies)
    depths.push_back(rest_spacing(world.live, body) / 2);
  return depths;
}

}  // namespace

std::size_t count_inside_colliders(World& world) {
  const Environment& environment = world.environment;
  std::vector<BoxedCollider> colliders;
  for (const Collider& collider : environment.colliders)
    colliders.push_back({&collider, bounds_of(collider.shape)});
  if (colliders.empty()) return 0;
  const std::vector<Real> depths = depths_of(world);
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

}  // namespace phyxel
