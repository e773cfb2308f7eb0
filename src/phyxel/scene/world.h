#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phyxel/geometry/shape.h"
#include "phyxel/geometry/stream.h"
#include "phyxel/matter/body_seed.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/frame.h"
#include "phyxel/matter/reactions.h"
#include "phyxel/methods/method.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

/// The stream of an emitter and how far it has moved.
struct Emission {
  std::size_t body;    // into live.bodies
  std::size_t method;  // into methods
  std::size_t pin;     // into environment.pins
  Stream stream;
  double carried = 0;            // m, that it has moved
  std::int64_t layers = 0;       // added to the nozzle so far
  bool shut = false;             // for good: memory was short
  Vec3d inflow = Vec3d::zero();  // N s, that its matter has brought since the last frame
};

/// A sink of the scene, ready to look for matter.
struct Sink {
  Shape shape;
  Bounds box;                       // of the shape
  std::vector<std::uint8_t> takes;  // by material: 1 where it removes it
};

/// What removes matter, and what has been removed.
struct Removal {
  std::vector<Sink> sinks;        // beside live.sinks
  std::uint64_t count = 0;        // particles removed so far
  Vec3d outflow = Vec3d::zero();  // N s, momentum of those removed since the last frame
  HostColumn<std::uint8_t> gone;  // kept, as the next: looking allocates nothing
  HostColumn<Index> order;
};

/// The state of a simulation: matter, its environment, and the scene as events have changed it.
struct World {
  Scene live;               // the scene's tables with the values they have now
  Environment environment;  // what methods read
  std::vector<std::unique_ptr<Method>> methods;
  std::vector<std::string> method_names;  // beside `methods`
  std::vector<BodySeed> seeds;            // of bodies whose meshes move with their particles
  std::vector<Emission> emissions;
  Removal removal;
  ParticleId next_id = 0;             // of the next particle that is made
  std::vector<std::string> warnings;  // of the plan
  int frame = 0;                      // last finished frame
  std::size_t next_event = 0;         // into live.events
  double memory = infinity;           // bytes that particles may take
  double first_dt = 0;                // s, the stable step at the start
  bool told_small_step = false;       // that it has fallen to a fifth
  std::vector<std::string> notes;     // what a user should know before the first step
  std::string physics;                // physics_text() of the scene at the start, for checkpoints
  std::string inputs;  // fingerprint() of the scene's files; "" where nothing is resumed
  int cut_steps = 0;   // of the last advance(): see AdvanceReport
  std::vector<Reaction> reactions;  // of the last advance()
  bool counts_reactions = false;    // there are colliders or pins, and all methods count
};

/// Particles of all methods.
std::size_t particle_count(const World& world);

/// What the last advance() did.
struct AdvanceReport {
  int substeps = 0;
  double smallest_dt = 0;  // s
  std::string limit;       // what limited the smallest step
  int cut_steps = 0;       // steps that a method found too long, cut and taken again
  StableStep least;        // the smallest of the stable steps
  std::string note;        // once in a run: the step has fallen far below that of the start
};

/// Moves the world to the next frame: events, then steps of the smallest stable size. Stops within
/// the frame, and counts it as not finished, after `most_substeps`.
AdvanceReport advance(World& world, int most_substeps = std::numeric_limits<int>::max());

/// Particles of all methods in order of their ids, with all attributes that belong in files, and
/// the meshes of bodies as sets.
Frame take_frame(World& world);

/// Adds the meshes of bodies to a frame that has the particles alone, as one from a file.
void add_sets(const World& world, Frame& frame);

/// Energies, momenta and extents of all matter now.
Diagnostics diagnose(World& world);

/// The forces on matter by all colliders and pins over the last advance(), by the inflow of
/// emitters, damping and gravity: they add up to the change of momentum. Empty before the first
/// frame, without colliders and pins, and where a method does not count.
const std::vector<Reaction>& reactions(const World& world);

/// Particles of all methods that are deeper inside a collider than half of their spacing: matter
/// that was pressed in, or that a collider has jumped into.
std::size_t count_inside_colliders(World& world);

/// The smallest stable step of all methods now, with the scene's [time] table applied.
StableStep stable_step(World& world);

}  // namespace phyxel
