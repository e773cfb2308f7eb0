#pragma once

#include <cstddef>
#include <string>

#include "phyxel/core/exec.h"

namespace phyxel {

/// Where loops run, from the word of `--device`: the one place that knows devices by name. Throws
/// InputError for one that this build does not have.
Exec exec_on(const std::string& device, Timers* timers = nullptr);

/// Memory held now, bytes. On the cpu: resident pages of this process, after what was freed has
/// gone back to the system. On a GPU: all of it that is in use.
std::size_t bytes_in_use(Device device);

}  // namespace phyxel
