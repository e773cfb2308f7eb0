#pragma once

#include <string>
#include <vector>

#include "phyxel/scene/world.h"

// Matter that vanishes: in sinks, outside of the domain, or by an event. Particles keep their ids,
// and those that are gone are never used again. What an emitter still holds in its nozzle stays.

namespace phyxel {

struct ShapeFiles;  // read_shape.h

/// Whether anything may remove particles.
bool removes_particles(const Scene& scene);
/// The same for particles of a body or an emitter, as long as they keep their material.
bool removes_from(const Scene& scene, const BodySpec& body);

/// Makes the shapes of sinks.
void add_sinks(World& world, ShapeFiles& files);

/// Warns in world.notes of sinks that remove in the first frame what is there at the start.
void note_matter_in_sinks(World& world);

/// When sinks and the border of the domain look for matter next, after now, within this frame, s;
/// infinity: not before its end. Follows from the time alone, so that a resumed run does the same.
double time_of_next_look(const World& world);

/// Removes what is in sinks or outside of the domain now, and marks the methods that have lost
/// particles: they have to begin() again.
void remove_due(World& world, std::vector<bool>& changed);

/// Removes what an event names: "body.wax", "material.water", "sink.drain". All methods have to
/// begin() again.
void remove_named(World& world, const std::vector<std::string>& names);

}  // namespace phyxel
