#include "phyxel/core/memory.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace phyxel {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// The number in kB behind a name, in bytes; no_limit where there is none.
double kilobytes_in(const char* file, const std::string& name) {
  std::ifstream info(file);
  for (std::string line; std::getline(info, line);)
    if (line.starts_with(name + ":"))
      return std::strtod(line.c_str() + name.size() + 1, nullptr) * 1024;
  return no_limit;
}

/// The number that a file holds; no_limit for "max", and where it cannot be read.
double number_in(const std::string& file) {
  std::ifstream stream(file);
  double value = 0;
  return stream >> value ? value : no_limit;
}

double free_in_machine() {
  const double free = kilobytes_in("/proc/meminfo", "MemAvailable");
  if (free < no_limit) return free;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// What a limit of addresses (ulimit -v) leaves.
double free_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return static_cast<double>(limit.rlim_cur) - kilobytes_in("/proc/self/status", "VmSize");
}

/// What the control group of a container leaves.
double free_in_group() {
  const std::string group = "/sys/fs/cgroup/memory.";
  const double most = number_in(group + "max"), now = number_in(group + "current");
  return most < no_limit && now < no_limit ? most - now : no_limit;
}

}  // namespace

double available_memory() {
  return std::max(0.0, std::min({free_in_machine(), free_addresses(), free_in_group()}));
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

std::string out_of_memory(const std::string& doing, const std::string& remedy) {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const auto gigabytes = [](double bytes) { return bytes / 1e9; };
  const std::string room =
      limited ? fmt::format("limited to {:.3g} GB (ulimit -v)", gigabytes(double(limit.rlim_cur)))
              : fmt::format("{:.3g} GB free", gigabytes(available_memory()));
  return fmt::format("no memory is left {} ({:.3g} GB held, {}); {}, or use a machine with more",
                     doing, gigabytes(peak_memory()), room, remedy);
}

}  // namespace phyxel
