#pragma once

#include <vector>

namespace phyxel::linear {

/// The inverse of a symmetric matrix of n x n numbers without negative eigenvalues, in place, by
/// sweeps (Goodnight 1979). Unknowns that depend on those before them are left out: their rows and
/// columns of the result are zero, and the rest is the inverse of what remains.
inline void invert_in_place(std::vector<double>& a, int n) {
  constexpr double dependent = 1e-9;  // of a pivot, over what it was before the sweeps
  const auto at = [&](int i, int k) -> double& { return a[std::size_t(i) * n + k]; };
  std::vector<double> diagonal(n), row(n);
  std::vector<bool> left_out(n, false);
  for (int k = 0; k < n; ++k) diagonal[k] = at(k, k);
  for (int k = 0; k < n; ++k) {
    const double pivot = at(k, k);
    left_out[k] = !(pivot > dependent * diagonal[k]);
    if (left_out[k]) continue;
    for (int i = 0; i < n; ++i) row[i] = at(k, i) / pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double share = at(i, k);
      double* const to = &at(i, 0);
      for (int c = 0; c < n; ++c) to[c] -= share * row[c];
      at(i, k) = -share / pivot;
    }
    for (int i = 0; i < n; ++i) at(k, i) = row[i];
    at(k, k) = 1 / pivot;
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      if (left_out[i] || left_out[k]) at(i, k) = 0;
}

}  // namespace phyxel::linear
