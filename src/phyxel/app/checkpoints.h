#pragma once

#include <cstdint>
#include <optional>

#include "phyxel/app/folder/output_folder.h"
#include "phyxel/scene/world.h"
#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

/// Writes the world after a frame and removes older checkpoints but the one before it. `rows`: hash
/// of the rows of stats.csv so far, where there is one; `reactions`: the same of reactions.csv;
/// `surfels`: the state of surfaces.
void save_checkpoint(const OutputFolder& folder, World& world,
                     std::optional<std::uint64_t> rows = {},
                     std::optional<std::uint64_t> reactions = {},
                     const std::vector<SurfelColumns>& surfels = {});

/// Puts `world`, freshly built from the same scene, into the state of the newest readable
/// checkpoint. Returns its frame. InputError where scene, inputs or rows of stats.csv have changed.
/// `surfels`: gets the state of surfaces.
int load_checkpoint(const OutputFolder& folder, World& world,
                    std::vector<SurfelColumns>* surfels = nullptr);

}  // namespace phyxel
