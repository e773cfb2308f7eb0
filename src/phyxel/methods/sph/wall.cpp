#include "phyxel/methods/sph/wall.h"

#include <algorithm>
#include <cmath>

namespace phyxel::sph {

namespace {

/// Simpson's rule.
template <class F>
double integral(double from, double to, const F& f) {
  constexpr int halves = 64;
  const double step = (to - from) / (2 * halves);
  double sum = f(from) + f(to);
  for (int k = 1; k < 2 * halves; ++k) sum += f(from + k * step) * (k % 2 == 1 ? 4 : 2);
  return sum * step / 3;
}

/// Of a function of r over a plane (3 dimensions) or a line (2) at distance z, up to r = 2.
template <class F>
double over_sheet(double z, int dimensions, const F& f) {
  constexpr double pi = 3.14159265358979323846;
  return integral(0, std::sqrt(std::max(0.0, 4 - z * z)), [&](double s) {
    return f(static_cast<Real>(std::hypot(z, s))) * (dimensions == 2 ? 2 : 2 * pi * s);
  });
}

}  // namespace

WallTable make_wall_table(const Kernel& of, Real spacing_at_rest, int dimensions) {
  Kernel kernel = make_kernel(1, dimensions);
  const Real scale = of.peak / make_kernel(of.h, dimensions).peak;  // made for sums, or not
  kernel.peak *= scale;
  kernel.slope *= scale;
  const double spacing = spacing_at_rest / of.h;
  WallTable table;
  const auto w = [&](Real r) { return weight(kernel, r); };
  const auto slope = [&](Real r) { return inward_slope(kernel, r); };
  for (int k = 0; k <= WallTable::intervals; ++k) {
    const double distance = 2.0 * k / WallTable::intervals;
    for (double z = 2 * distance; z < 2; z += spacing) {
      table.covered[k] += static_cast<Real>(spacing * over_sheet(z, dimensions, w));
      table.push[k] += static_cast<Real>(2 * spacing * z * over_sheet(z, dimensions, slope));
    }
    for (double z = distance + spacing / 2; z < 2; z += spacing)
      table.shear[k] += static_cast<Real>(spacing * over_sheet(z, dimensions, slope));
  }
  return table;
}

}  // namespace phyxel::sph
