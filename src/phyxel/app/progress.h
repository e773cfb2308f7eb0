#pragma once

#include <string>

namespace phyxel {

/// Progress and cost of a frame, for display during a run.
struct FrameReport {
  int frame = 0;
  int last_frame = 0;
  double time = 0;  // s, simulated
  int substeps = 0;
  double smallest_dt = 0;  // s
  std::string limit;       // what limited the step
  std::size_t particles = 0;
  double wall_seconds = 0;        // of this frame
  double seconds_left = 0;        // estimate
  double updates_per_second = 0;  // particles times substeps over the time spent in steps
};

/// "frame  12/48  t = 0.500 s  31 steps  1.2 M/s  0.34 s  12 s left".
std::string to_line(const FrameReport& report);

/// The same behind a bar, `width` characters in all.
std::string to_bar(const FrameReport& report, int width);

/// "1 h 03 min", "2 min 05 s", "12 s".
std::string readable_seconds(double seconds);

}  // namespace phyxel
