#pragma once

#include <optional>

#include "phyxel/core/problems.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

// Float positions are precise near zero only, so a scene is computed around an origin of its own,
// which lies where its matter is. docs/far_from_the_origin.md is for users.

/// Chooses the origin of a scene whose positions are those of the world, or takes the one that it
/// gives, and makes them relative to it. A scene that is moved as a whole by a multiple of its step
/// gets an origin moved by the same, so that its positions are the same bits.
void choose_origin(Scene& scene);

/// Makes all positions relative to another origin.
void set_origin(Scene& scene, const Vec3d& origin);

/// The scene as it is written: with positions in the world that are relative to the same origin,
/// bit by bit, when they are read. Nothing where a double in the world cannot hold one of them.
std::optional<Scene> in_world(const Scene& scene);

/// Refuses matter that is too far from the origin, because other matter is elsewhere, or too far
/// from zero even for double. `bounds`: of the body, relative to the origin.
void check_reach(const Scene& scene, const BodySpec& body, const Bounds& bounds);

/// Refuses motions whose offsets are so large that matter beside them would be imprecise.
void check_motions(const Scene& scene, Problems& problems);

}  // namespace phyxel
