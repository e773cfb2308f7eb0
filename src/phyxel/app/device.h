#pragma once

#include <cstddef>
#include <string>

#include "phyxel/core/exec.h"

namespace phyxel {

/// Where loops run, from the word of `--device`: the one place that knows devices by name. Throws
/// InputError for one that this build does not have.
Exec exec_on(const std::string& device, Timers* timers = nullptr);

/// Memory this process holds now, bytes: resident pages, after what was freed has gone back to the
/// system.
std::size_t resident_bytes();

}  // namespace phyxel
