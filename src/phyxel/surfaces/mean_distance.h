#pragma once

#include <span>

#include "phyxel/core/exec.h"

namespace phyxel {

/// Distances between the pairs of points of one frame.
struct PairDistances {
  double pairs = 0;      // of all points
  double looked_at = 0;  // measured; equal to `pairs`: the mean is exact except for rounding
  double mean = 0;       // m, over those that were measured
  double variance = 0;   // m^2
  double longest = 0;    // m, upper bound: the diagonal of the box around the points
  bool is_exact() const { return looked_at == pairs; }
};

/// Measures all pairs where there are at most this many (4096 points), else `sampled_pairs` drawn
/// at random, with repetition.
constexpr double most_exact_pairs = 4096.0 * 4095 / 2;
constexpr Index sampled_pairs = 1 << 18;
PairDistances pair_distances(const Exec& exec, const Column<Vec3>& x, std::uint32_t frame = 0);

/// The mean distance over all pairs of all frames, each pair of each frame counted once.
struct MeanDistance {
  double mean = 0;   // m
  double error = 0;  // m, bound of the error of the mean, wrong in at most `failures` of all cases
  bool is_exact = true;
};
constexpr double failures = 1e-6;
MeanDistance mean_distance(std::span<const PairDistances> frames);

}  // namespace phyxel
