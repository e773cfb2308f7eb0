#pragma once

#include <functional>
#include <string>

#include "options.h"
#include "phyxel/core/timer.h"

namespace phyxel::cli {

/// Does the work with timers where --timings or --trace is given (null otherwise), then prints the
/// tree and writes the trace, also when the work throws. Returns what the work returns.
int profiled(const Arguments& arguments, const std::function<int(Timers*)>& work);

}  // namespace phyxel::cli
