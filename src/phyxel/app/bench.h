#pragma once

#include <string>
#include <vector>

namespace phyxel {

/// One measurement: an update is one particle advanced by one step, everything included.
struct BenchResult {
  std::string name;
  std::size_t particles = 0;
  int threads = 0;
  std::string device = "cpu";
  double updates_per_second = 0;
  double seconds = 0;  // of the best repetition
  int steps = 0;       // in it
};

struct BenchInfo {
  std::string name;
  std::string summary;
  std::size_t particles;  // default size
  BenchResult (*measure)(std::size_t particles);
};

const std::vector<BenchInfo>& benchmarks();

/// A list of {"name", "particles", "threads", "device", "updates_per_second", "seconds", "steps"}.
std::string to_json(const std::vector<BenchResult>& results);

}  // namespace phyxel
