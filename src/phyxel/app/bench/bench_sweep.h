#pragma once

#include <string>
#include <vector>

#include "phyxel/app/bench/bench.h"
#include "phyxel/render/image.h"

namespace phyxel {

/// A number of particles as people write it: 5000, 10k, 1.5M. Throws InputError.
std::size_t parse_count(const std::string& text);

/// The shortest way to write it: 10k for 10000.
std::string readable_count(std::size_t count);

/// One benchmark measured at several sizes.
struct Sweep {
  std::string name;
  std::vector<BenchResult> results;  // beside the sizes that were asked for
};

/// Nanoseconds per update, a row for each size and a column for each benchmark; below them the
/// largest divided by the smallest.
std::string sweep_table(const std::vector<std::size_t>& sizes, const std::vector<Sweep>& sweeps);

/// Nanoseconds per update against the number of particles, a line for each benchmark, both axes
/// logarithmic.
render::Image sweep_plot(const std::vector<Sweep>& sweeps);

}  // namespace phyxel
