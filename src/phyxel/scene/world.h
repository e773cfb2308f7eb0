#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phyxel/geometry/stream.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/frame.h"
#include "phyxel/methods/method.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// The stream of an emitter and how far it has come.
struct Emission {
  std::size_t body;    // into live.bodies
  std::size_t method;  // into methods
  std::size_t pin;     // into environment.pins
  Stream stream;
  double carried = 0;       // m that it has moved on
  std::int64_t layers = 0;  // that have come into the nozzle
};

/// The state of a simulation: matter, its surroundings, and the scene as events have changed it.
struct World {
  Scene live;               // the scene's tables with the values they have now
  Environment environment;  // what methods see
  std::vector<std::unique_ptr<Method>> methods;
  std::vector<std::string> method_names;  // beside `methods`
  std::vector<Emission> emissions;
  int frame = 0;               // last finished frame
  std::size_t next_event = 0;  // into live.events
};

/// What the last advance() did.
struct AdvanceReport {
  int substeps = 0;
  double smallest_dt = 0;  // s
  std::string limit;       // what limited the smallest step
};

/// Moves the world to the next frame: events, then steps of the smallest stable size.
AdvanceReport advance(World& world);

/// Particles of all methods in order of their ids, with all attributes that belong in files.
Frame take_frame(World& world);

/// Energies, momenta and extents of all matter now.
Diagnostics diagnose(World& world);

/// The smallest stable step of all methods now, with the scene's [time] table applied.
StableStep stable_step(World& world);

}  // namespace phyxel
