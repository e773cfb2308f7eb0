#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// How many steps a frame will take, as far as can be predicted.
struct StepForecast {
  StableStep start;        // at the start
  double start_steps = 0;  // in a frame
  StableStep least;        // at the fastest moment; its dt is that of the scene itself
  double most_steps = 0;   // in a frame then
  double time = 0;         // s, when that is
  double until = 0;        // s, up to which a copy of the scene was tried
  double coarser = 1;      // spacing of that copy over that of the scene
  std::string cause;       // which particle or collider needs it; may be empty
};

/// Runs the scene, or a coarser copy where it has many particles, for a limited number of steps,
/// and predicts for the rest the speeds of falls, emitters, colliders and events. `world`: the
/// scene as built, at the start, not settled. It is used up: a second one would cost as much again.
StepForecast forecast_steps(const Scene& scene, World world);

}  // namespace phyxel
