#pragma once

#include <string>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// The scene as the text of a scene file. Reading it gives the same scene, and running it the same
/// bits, in any folder: values of presets are written out, lengths are those that `resolution` made
/// of them, names of files are absolute and world.origin says where the scene is computed. Values
/// at their defaults are left out, unless the file that the scene was read from has them. For
/// scenes as they are read or made; those of World::live hold what build() has added.
/// Throws InputError for a value that no scene file can hold.
std::string to_toml(const Scene& scene);

/// The part of it that the motion depends on, for checkpoints to compare with.
std::string physics_text(const Scene& scene);

}  // namespace phyxel
