#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

// An emitter is a body that grows. A few layers of its stream wait in the nozzle, behind the mouth,
// and are pushed through it by a pin; whenever the first of them has passed the mouth it is let go,
// and another one follows at the back. What is outside can press on them but not get in.

/// Layers that wait in a nozzle: as many as particles look far.
constexpr int held_layers = 3;

/// What comes out of an emitter, as the scene describes it. Refuses a nozzle of which nothing can
/// come.
Stream stream_of(const Scene& scene, const BodySpec& emitter);

/// Speed that the scene says or its rate asks for, m/s.
Real stream_speed(const NozzleSpec& nozzle, const Stream& stream);

/// Fills all nozzles, at the start.
void add_emitters(World& world);

/// Opens and shuts nozzles as time and the scene's tables say.
void turn_taps(World& world);

/// Lets go and adds what is due now. The methods that have other particles then are made ready
/// again.
void emit(World& world);

/// Streams go on by the time of a step, s.
void carry_streams(World& world, double dt);

/// When the next nozzle opens or shuts by itself, s; infinity: never.
double next_turn(const World& world);

}  // namespace phyxel
