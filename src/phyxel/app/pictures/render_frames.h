#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {

/// Pictures of frames that are on the disk.
struct RenderJob {
  std::vector<std::string> places;  // one output folder of a run; or folders, files and patterns of
                                    // particles or surfaces from any program
  std::filesystem::path out;        // "": the run's folder, or out/<name>
  std::vector<Override> overrides;  // values of the scene
  std::string method, look;         // of frames from elsewhere; "": the defaults
  int last_frame = -1;              // -1: all
  int turntable = 0;                // views all around the last frame instead of one of each
  int contact_sheet = 0;            // pictures on it; 0: none, or as the scene says
  bool keep_going = false;          // the others are drawn although one cannot be
  std::function<bool()> stopped;    // becomes true: end after the picture; may be empty
};

struct RenderProgress {
  std::filesystem::path picture;
  std::size_t done = 0, of = 0;
  double seconds = 0;
  std::string problem;  // "": none
};

struct RenderResult {
  std::size_t pictures = 0, failed = 0;
  std::vector<std::filesystem::path> files;  // beside the pictures: video, contact sheet
  std::string note;                          // what a user should know
  bool stopped = false;                      // on request, before all was done
};

RenderResult render_frames(const Exec& exec, const RenderJob& job,
                           const std::function<void(const RenderProgress&)>& show);

}  // namespace phyxel
