#include <algorithm>

#include "phyxel/matter/force_fields/field_types.h"
#include "phyxel/matter/force_fields/packed_force_fields.h"
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

namespace {

/// Energy in force fields and their impulse: momentum has changed by that, gravity and contacts.
void add_force_fields(World& world, Diagnostics& sum) {
  if (world.environment.force_fields.empty()) return;
  const auto& fields = world.environment.force_fields;
  const bool stores = std::ranges::any_of(fields, [](auto& f) { return f.type->potential; });
  double energy = 0;
  for (auto& method : world.methods)
    if (stores) energy += field_energy(world.environment, method->particles());
  sum.potential_energy += energy;
  sum.extra.emplace_back("field_energy", energy);
  for (int k = 0; k < 3; ++k)
    sum.extra.emplace_back(std::string("field_impulse_") + "xyz"[k], sum.field_impulse[k]);
}

}  // namespace

Diagnostics diagnose(World& world) {
  Diagnostics sum;
  for (auto& method : world.methods) sum = combine(sum, method->diagnostics(world.environment));
  add_force_fields(world, sum);
  sum.extra.emplace_back("inside_colliders", count_inside_colliders(world));
  sum.extra.emplace_back("cut_steps", world.cut_steps);
  if (removes_particles(world.live))
    sum.extra.emplace_back("removed", static_cast<double>(world.removal.count));
  return sum;
}

}  // namespace phyxel
