#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

// One scene on the CPU and on a GPU.

namespace phyxel::test {

constexpr Exec on_gpu{nullptr, Device::cuda};

inline World world_on(const Exec& exec, const std::string& text) {
  return build(parse_scene(text, "test"), exec);
}

/// Ready for take_steps.
inline World begun_world_on(const Exec& exec, const std::string& text) {
  World world = world_on(exec, text);
  world.methods.front()->begin(world.environment);
  return world;
}

inline void take_steps(World& world, int count, double dt) {
  for (int k = 0; k < count; ++k) {
    move_to(world.environment, world.environment.time + dt);
    world.methods.front()->step(world.environment, static_cast<Real>(dt));
    ++world.environment.step;
  }
}

inline std::vector<Vec3> positions_by_id(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Vec3> x(p.size());
  for (Index i = 0; i < p.size(); ++i) x[p.id[i]] = p.x[i];
  return x;
}

inline double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  if (a.size() != b.size()) return infinity;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, double(length(a[i] - b[i])));
  return largest;
}

}  // namespace phyxel::test
