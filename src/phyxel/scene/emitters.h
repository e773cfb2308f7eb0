#pragma once

#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/world.h"

namespace phyxel {

// An emitter is a body that grows. A few layers of its stream are in the nozzle, behind the mouth,
// and a pin pushes them through it. When the first layer has passed the mouth the pin releases it,
// and another one is added at the back. Matter outside can press on them but not get in.

/// The stream of an emitter, as the scene describes it. Refuses a nozzle that cannot emit a
/// particle.
Stream stream_of(const Scene& scene, const BodySpec& emitter, ShapeFiles& files);

/// Particles emitted between two times, by the table of the emitter, events and keyframes.
double emitted(const Scene& scene, const BodySpec& emitter, const Stream& stream, double from,
               double to);

/// The largest speed of the stream between two times, m/s.
double fastest_stream(const Scene& scene, const BodySpec& emitter, const Stream& stream,
                      double from, double to);

/// Fills all nozzles, at the start.
void add_emitters(World& world, ShapeFiles& files);

/// Opens and closes nozzles by the time and the scene's tables.
void update_nozzles(World& world);

/// Releases and adds the layers that are due now; marks the methods whose particles have changed.
void emit(World& world, std::vector<bool>& changed);

/// Moves streams on by a step of dt, s.
void carry_streams(World& world, double dt);

/// When the next nozzle opens or closes by its start and stop, s; infinity: never.
double next_turn(const World& world);

}  // namespace phyxel
