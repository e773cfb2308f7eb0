#pragma once

#include <vector>

#include "phyxel/neighbours/periodic_box.h"

// The building blocks of the CUDA back end with plain vectors on the host, for tests.

namespace phyxel::test {

struct Pairs {
  std::vector<std::uint64_t> keys;
  std::vector<Index> values;
};
Pairs sorted_on_device(const Pairs& pairs, int bits);

struct Scanned {
  std::vector<Index> values;
  Index total;
};
Scanned scanned_on_device(const std::vector<Index>& values);

double sum_on_device(const std::vector<double>& values);

struct Rows {
  std::vector<Index> order, start, count, neighbour;
};
Rows rows_on_device(const std::vector<Vec3>& x, Real radius, const PeriodicBox& box);

}  // namespace phyxel::test
