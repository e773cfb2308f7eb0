#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// The files that the motion depends on: meshes, sequences of them, particles and heightfields of
/// bodies, emitters, colliders and pins. Pictures and meshes of skins affect the look only.
std::vector<std::filesystem::path> input_files(const Scene& scene);

/// A line for each of them, "<hash of its bytes> <name>", for a checkpoint to compare with.
std::string fingerprint(const Scene& scene);

/// The names in `before` whose lines are not in `now`, or the reverse; none where nothing changed.
std::vector<std::string> changed_inputs(const std::string& before, const std::string& now);

}  // namespace phyxel
