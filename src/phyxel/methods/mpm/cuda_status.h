#pragma once

#include "phyxel/methods/mpm/cuda_step.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

/// Numbers of the steps of a frame that come back to the host while it goes on.
class StatusBoard {
 public:
  StatusBoard();
  ~StatusBoard();
  StatusBoard(const StatusBoard&) = delete;
  StatusBoard& operator=(const StatusBoard&) = delete;

  /// Where step k writes on the device; three follow each other in turn.
  StepStatus* on_device(long k) { return device_.data() + k % places; }
  /// Starts to fetch what step k has written so far.
  void fetch_decision(long k);
  void fetch_limits(long k);
  /// Waits for what was fetched last.
  const StepStatus& decision(long k) const;
  const StepStatus& limits(long k) const;
  void clear();
  /// Step k will be measured once more.
  void reset(long k);
  /// Gives step `to` the numbers of step `from`.
  void copy(long from, long to);

 private:
  static constexpr int places = 4;
  struct Pinned;
  void fetch(long k, int part);
  const StepStatus& waited(long k, int part) const;
  Column<StepStatus> device_;
  Pinned* pinned_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
