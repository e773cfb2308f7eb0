#pragma once

#include <atomic>

#include "phyxel/app/progress.h"

namespace phyxel::cli {

/// Shows frames as they come: a bar on a terminal, a line each otherwise.
class Display {
 public:
  explicit Display(bool quiet);
  void show(const FrameReport& report);
  void end();

 private:
  bool quiet_;
  bool terminal_;
};

/// True from the first Ctrl-C (or SIGTERM) on; the second one ends the program at once.
const std::atomic<bool>& stop_requested();
void watch_for_interrupts();

}  // namespace phyxel::cli
