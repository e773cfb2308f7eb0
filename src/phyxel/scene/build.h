#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// What a body will need, known before anything is allocated.
struct BodyPlan {
  std::string path;  // "body.NAME" or "emitter.NAME"
  std::string material;
  Real spacing = 0;           // m
  std::size_t particles = 0;  // estimate; exact for particle files
  double bytes = 0;
};

/// The outcome of all checks that need geometry: plans and warnings. Errors are thrown.
struct ScenePlan {
  std::vector<BodyPlan> bodies;
  std::vector<std::string> warnings;
  std::size_t particles = 0;
  double bytes = 0;
};

/// Shapes are made and compared: sizes, overlaps, domain, colliders, memory. Nothing large is
/// allocated.
ScenePlan plan(const Scene& scene);

/// The world at time 0. Runs plan() first.
World build(const Scene& scene, const Exec& exec = {});

/// Carries what events and keyframes changed in world.live into environment, materials and
/// particles.
void refresh(World& world);

}  // namespace phyxel
