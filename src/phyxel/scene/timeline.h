#pragma once

#include <algorithm>

#include "phyxel/core/problems.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

// Events and keyframes act on a live copy of the scene's tables; refresh() then copies the changes
// to the world. A path means the same in a scene file, an event and a keyframe.

/// Whether an event or keyframes set a path for which `test` holds.
template <class Test>
bool changes_any(const Scene& scene, Test test) {
  const auto sets = [&](const EventSpec& event) {
    return std::ranges::any_of(event.set, test, &Assignment::path);
  };
  return std::ranges::any_of(scene.events, sets) ||
         std::ranges::any_of(scene.keyframes, test, &KeyframeSpec::path);
}

/// Refuses a path that does not exist or cannot change while running.
void check_path(const Scene& scene, const std::string& path, const Place& place);

/// Refuses a path that does not exist or cannot change while running, and a value that does not fit
/// it.
void check_assignment(const Scene& scene, const Assignment& assignment);

/// Refuses parameters of materials that have no effect from where they are set until the end, in
/// tables, events and keyframes.
void check_idle_values(const Scene& scene, Problems& problems);

/// Refuses events and keyframes that set two parameters of which one takes the place of the other,
/// as speed and rate of an emitter.
void check_alternatives(const Scene& scene, Problems& problems);

/// Sets one value of the live scene. It was checked when the scene was read.
void apply(Scene& live, const std::string& path, const ParameterValue& value);

/// The value of a keyframe track at a time; held before the first and after the last key.
ParameterValue value_at(const KeyframeSpec& keys, double time);

/// Puts a parameter back to "not given".
void clear(const Parameter& parameter);

}  // namespace phyxel
