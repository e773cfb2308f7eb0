#pragma once

#include <functional>
#include <memory>

#include "phyxel/scene/world.h"

namespace phyxel {

struct ShapeFiles;  // read_shape.h

/// Particles and memory that a body will need, known before anything is allocated.
struct BodyPlan {
  std::string path;  // "body.NAME" or "emitter.NAME"
  std::string material;
  Real spacing = 0;           // m
  std::size_t particles = 0;  // estimate; exact for particle files
  double bytes = 0;
  double particle_volume = 0;  // m^3; m^2 in flat scenes
};

/// Matter of two methods that may meet, as far as their tables tell.
struct Meeting {
  std::string methods[2];
  double reach = infinity;  // m, that they may move towards each other
  std::string warning;      // among those of the plan
};

/// The outcome of all checks that need geometry: plans and warnings. Errors are thrown.
struct ScenePlan {
  std::vector<BodyPlan> bodies;
  std::vector<std::string> warnings;
  std::vector<Meeting> meetings;
  std::size_t particles = 0;
  double bytes = 0;
  double memory = infinity;  // bytes that particles may take
  std::size_t compared = 0;  // pairs of bodies, or of a body and a collider, compared as solids
  std::shared_ptr<ShapeFiles> files;  // that the shapes were made of
};

/// Makes shapes and compares them: sizes, overlaps, domain, colliders, memory. Nothing large is
/// allocated. `memory`: bytes that particles may take; 0: four fifths of the free memory.
ScenePlan plan(const Scene& scene, double memory = 0);

/// Thrown where work was stopped on request.
class Stopped : public Error {
 public:
  using Error::Error;
};

/// The world at time 0. Runs plan() first. `stopped` is called at every step of settling, which may
/// take as long as a run; once it returns true Stopped is thrown. `memory` as of plan().
World build(Scene scene, const Exec& exec = {}, const std::function<bool()>& stopped = {},
            double memory = 0);
/// The same after a plan() of the scene that has passed.
World build_planned(Scene scene, const ScenePlan& planned, const Exec& exec = {});

/// Copies changes that events and keyframes made in world.live to environment, materials and
/// particles.
void refresh(World& world);

}  // namespace phyxel
