#include "phyxel/app/device.h"

#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

#include "phyxel/core/device.h"
#include "phyxel/core/error.h"

namespace phyxel {

Exec exec_on(const std::string& device, Timers* timers) {
  if (device == "cpu") return {timers, Device::cpu};
  if (device != "cuda")
    throw InputError(fmt::format("--device {}: there are cpu and cuda", device));
  if (const std::string problem = device::problem(); !problem.empty())
    throw InputError("--device cuda: " + problem);
  return {timers, Device::cuda};
}

std::size_t bytes_in_use(Device device) {
  if (device == Device::cuda) return device::bytes_in_use();
  malloc_trim(0);
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace phyxel
