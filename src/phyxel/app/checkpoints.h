#pragma once

#include "phyxel/app/output_folder.h"
#include "phyxel/scene/world.h"

namespace phyxel {

/// Writes the world after a frame and removes older checkpoints but the one before it.
void save_checkpoint(const OutputFolder& folder, World& world);

/// Puts `world`, freshly built from the same scene, into the state of the newest readable
/// checkpoint. Returns its frame.
int load_checkpoint(const OutputFolder& folder, World& world);

}  // namespace phyxel
