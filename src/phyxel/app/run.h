#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "phyxel/app/folder/output_folder.h"
#include "phyxel/app/progress.h"
#include "phyxel/core/timer.h"
#include "phyxel/scene/scene.h"

namespace phyxel {

struct RunOptions {
  std::filesystem::path out;    // output folder
  std::filesystem::path trace;  // file that the caller will write; "" for none
  int frames = -1;              // stop after this frame; -1: the scene's duration
  bool resume = false;          // continue from the last checkpoint, where there is one
  bool overwrite = false;       // replace earlier results instead of moving them to <out>.previous
  bool render = true;
  std::string device = "cpu";  // cpu or cuda
  double memory = 0;           // bytes that particles may take; 0: four fifths of what is free
  Timers* timers = nullptr;
  const std::atomic<bool>* stop =
      nullptr;  // becomes true: end after the frame, or in settling or the film at once
  std::function<void(const FrameReport&)> on_frame;  // may be empty
  std::function<void(const std::string&)> on_note;   // what a user should know; may be empty
};

struct RunResult {
  OutputFolder folder;
  int last_frame = 0;     // -1: stopped before the first, nothing was written
  bool finished = false;  // false: stopped on request
  int pictures = 0;
  bool video = false;
  double wall_seconds = 0;
};

/// Throws InputError where options.trace would replace an input of the scene or a result. To be
/// called before anything is done, since a trace is written even when a run fails.
void check_trace(const Scene& scene, const RunOptions& options);

/// The frame loop: build or resume, then for every frame advance, write, picture, checkpoint; at
/// the end the video. Where ffmpeg is missing a note at the start says that there will be none.
RunResult run(const Scene& scene, const RunOptions& options);

}  // namespace phyxel
