#pragma once

#include <fstream>
#include <memory>
#include <optional>

#include "phyxel/app/folder/owned_folder.h"
#include "phyxel/app/pictures/pictures.h"
#include "phyxel/app/reactions_file.h"
#include "phyxel/app/run.h"
#include "phyxel/app/stats.h"
#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/app/surfaces/scene_surfels.h"
#include "phyxel/scene/world.h"

namespace phyxel {

/// One run: what it was asked, what it writes to, and how far it is.
struct RunState {
  const Scene& scene;
  const RunOptions& options;
  OutputFolder folder;
  std::unique_ptr<OwnedFolder> owned;
  int last_frame;
  World world;
  SurfaceMaker surfaces;
  SurfelMaker surfels;
  std::optional<Photographer> photographer;
  std::optional<StatsFile> stats;
  std::ofstream log;
  std::optional<ReactionsFile> reactions = {};  // where there are colliders or pins
  double started = now_seconds();
  bool film = false;             // pictures become a video at the end
  int first_frame = 0;           // of this run
  int saved_frame = -1;          // of the last checkpoint
  bool has_gaps = false;         // stopped before earlier frames were complete
  bool said_inside = false;      // that particles are inside colliders
  bool said_unfinished = false;  // that solves of implicit steps ended at a limit
};

bool is_stopped(const RunOptions& options);

/// What a user should know, to the log and to the caller.
void note(RunState& s, const std::string& text);

/// Particle files of a frame.
std::vector<std::filesystem::path> particle_files(const RunState& s, int frame);

/// Files of a frame that are made from its particles alone.
std::vector<std::filesystem::path> derived_files(const RunState& s, int frame);

/// Files of surfels of a frame. They are derived files too where they follow from its particles.
std::vector<std::filesystem::path> surfel_files(const RunState& s, int frame);

/// Makes the folders of the sets of a frame.
void make_set_folders(const RunState& s, const Frame& frame);

/// Makes the derived files among `wanted`.
void write_derived(RunState& s, const Frame& frame,
                   const std::vector<std::filesystem::path>& wanted);

}  // namespace phyxel
