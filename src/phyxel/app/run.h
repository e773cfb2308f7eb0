#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "phyxel/app/output_folder.h"
#include "phyxel/app/progress.h"
#include "phyxel/core/timer.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

struct RunOptions {
  std::filesystem::path out;  // output folder
  int frames = -1;            // stop after this frame; -1: the scene's duration
  bool resume = false;
  bool render = true;
  std::string device = "cpu";  // cpu or cuda
  Timers* timers = nullptr;
  const std::atomic<bool>* stop = nullptr;           // becomes true: end after the frame
  std::function<void(const FrameReport&)> on_frame;  // may be empty
  std::function<void(const std::string&)> on_note;   // what a user should know; may be empty
};

struct RunResult {
  OutputFolder folder;
  int last_frame = 0;
  bool finished = false;  // false: stopped on request
  int pictures = 0;
  bool video = false;
  double wall_seconds = 0;
};

/// The frame loop: build or resume, then for every frame advance, write, picture, checkpoint; at
/// the end the video. Where ffmpeg is missing a note at the start says that there will be none.
RunResult run(const Scene& scene, const RunOptions& options);

}  // namespace phyxel
