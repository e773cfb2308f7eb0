#include "phyxel/app/device.h"

#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

#include "phyxel/core/error.h"

namespace phyxel {

Exec exec_on(const std::string& device, Timers* timers) {
  if (device != "cpu")
    throw InputError(fmt::format("--device {}: this build runs on the cpu only", device));
  return {timers, Device::cpu};
}

std::size_t resident_bytes() {
  malloc_trim(0);
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace phyxel
