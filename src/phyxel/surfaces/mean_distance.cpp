#include "phyxel/surfaces/mean_distance.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/random.h"

namespace phyxel {

namespace {

constexpr std::uint32_t random_stream = 0x666c6f77;  // "flow"

/// Sums over distances r.
struct Sums {
  double first = 0, second = 0;  // of r and of r^2
};
struct Add {
  Sums operator()(const Sums& a, const Sums& b) const {
    return {a.first + b.first, a.second + b.second};
  }
};

double squared_distance(const Vec3& a, const Vec3& b) {
  return length_squared(cast<double>(b) - cast<double>(a));
}

Sums all_distances(const Exec& exec, const Column<Vec3>& x) {
  const auto n = static_cast<Index>(x.size());
  return reduce(
      exec, "flow.all_pairs", n, Sums{},
      [&](Index i) {
        Sums sums;
        for (Index j = i + 1; j < n; ++j) {
          const double r2 = squared_distance(x[i], x[j]);
          sums.first += std::sqrt(r2), sums.second += r2;
        }
        return sums;
      },
      Add{});
}

/// A number below n from 64 random bits; none is likelier than another by more than n / 2^64.
Index below(Index n, std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = std::uint64_t{high} << 32 | low;
  const auto count = static_cast<std::uint64_t>(n);
  const std::uint64_t carried = (bits & 0xffffffffu) * count >> 32;
  return static_cast<Index>(((bits >> 32) * count + carried) >> 32);
}

Sums sampled_distances(const Exec& exec, const Column<Vec3>& x, std::uint32_t frame) {
  const auto n = static_cast<Index>(x.size());
  const Random random{1, random_stream};
  return reduce(
      exec, "flow.sampled_pairs", sampled_pairs, Sums{},
      [&](Index k) {
        const Random::Four w = random.words(static_cast<std::uint64_t>(k), frame);
        const Index i = below(n, w.word[0], w.word[1]);
        Index j = below(n - 1, w.word[2], w.word[3]);
        j += j >= i;
        const double r2 = squared_distance(x[i], x[j]);
        return Sums{std::sqrt(r2), r2};
      },
      Add{});
}

double diagonal(const Column<Vec3>& x) {
  Bounds bounds;
  for (const Vec3& p : x) bounds.include(p);
  return x.empty() ? 0 : double(length(bounds.size())) * (1 + 1e-6);
}

/// How far the mean of a sample may be off, but in `failures` of all cases: Maurer and Pontil 2009,
/// theorem 4, on both sides. It needs the variance of the sample and a limit of its values only.
double error_of(const PairDistances& d, double failures) {
  if (d.is_exact()) return 0;
  const double chance = std::log(4 / failures), m = d.looked_at;
  return std::sqrt(2 * d.variance * chance / m) + 7 * d.longest * chance / (3 * (m - 1));
}

}  // namespace

PairDistances pair_distances(const Exec& exec, const Column<Vec3>& x, std::uint32_t frame) {
  PairDistances d;
  const auto n = static_cast<double>(x.size());
  d.pairs = n * (n - 1) / 2;
  if (d.pairs < 1) return {};
  d.longest = diagonal(x);
  const bool exact = d.pairs <= most_exact_pairs;
  const Sums sums = exact ? all_distances(exec, x) : sampled_distances(exec, x, frame);
  d.looked_at = exact ? d.pairs : sampled_pairs;
  d.mean = sums.first / d.looked_at;
  d.variance = std::max(0.0, sums.second - sums.first * d.mean) / std::max(1.0, d.looked_at - 1);
  return d;
}

MeanDistance mean_distance(std::span<const PairDistances> frames) {
  MeanDistance all;
  double pairs = 0;
  for (const PairDistances& d : frames) pairs += d.pairs;
  for (const PairDistances& d : frames) {
    if (d.pairs == 0) continue;
    const double share = d.pairs / pairs;
    all.mean += share * d.mean;
    all.error += share * error_of(d, failures / static_cast<double>(frames.size()));
    all.is_exact &= d.is_exact();
  }
  return all;
}

}  // namespace phyxel
