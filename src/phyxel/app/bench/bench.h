#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "phyxel/core/timer.h"

namespace phyxel {

/// How to measure.
struct BenchOptions {
  std::size_t particles = 0;  // about as many; 0: the benchmark's own size
  int repeats = 5;            // the best counts
  std::string device = "cpu";
  std::string field = "blobs";  // of surface
  Timers* timers = nullptr;
};

/// One measurement: an update is one particle advanced by one step, everything included.
struct BenchResult {
  std::string name;
  std::size_t particles = 0;
  int threads = 0;
  std::string device = "cpu";
  double updates_per_second = 0;
  double seconds = 0;  // of the best repetition
  int steps = 0;       // in it
  /// Growth of resident memory from before the world was built to after its last step, everything
  /// included: columns, neighbour rows, scratch.
  double bytes_per_particle = 0;
  std::uint64_t state = 0;  // hash of positions and velocities at the end; 0: no world

  double nanoseconds() const { return 1e9 / updates_per_second; }  // per update
};

struct BenchInfo {
  std::string name;
  std::string summary;
  std::vector<std::size_t> particles;  // default sizes
  std::function<BenchResult(const BenchOptions& options)> measure;
};

const std::vector<BenchInfo>& benchmarks();

/// The benchmark of that name. Throws InputError with a suggestion.
const BenchInfo& find_benchmark(const std::string& name);

/// Measures under a timer with the benchmark's name.
BenchResult measure(const BenchInfo& info, BenchOptions options);

/// A list of {"name", "particles", "threads", "device", "updates_per_second", "seconds", "steps",
/// "bytes_per_particle", "state"}.
std::string to_json(const std::vector<BenchResult>& results);

}  // namespace phyxel
