#pragma once

#include <cstddef>

#include "phyxel/neighbours/periodic_box.h"

// Errors of the search. In a file of their own, as nvcc does not compile the library that formats
// the messages.

namespace phyxel {

/// Throws unless rows of n particles within `radius` can be searched.
void check_search(std::size_t n, Real radius, const PeriodicBox& box);

[[noreturn]] void refuse_non_finite(Index particle, const Vec3& x);
[[noreturn]] void refuse_entries(double entries, std::size_t particles, Real radius);

}  // namespace phyxel
