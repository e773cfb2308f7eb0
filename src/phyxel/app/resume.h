#pragma once

#include "phyxel/app/run_state.h"

// Files of the frames before the checkpoint that a run goes on from.

namespace phyxel {

/// Only a run makes particles and rows of stats.csv: where those of frames before the checkpoint
/// are gone, or were not asked for then, going on would leave a gap.
void refuse_gaps(const RunState& s);

/// Files before the checkpoint that only a run makes. Their hashes are compared, so that every one
/// is read once.
void refuse_changes(const RunState& s);

/// Surfaces, volumes and pictures of earlier frames that are not there, or not as they were
/// written, follow from the particles; those of the checkpoint's frame are in it.
void fill_gaps(RunState& s);

}  // namespace phyxel
