#include "phyxel/matter/sph_cohesion.h"

#include "phyxel/matter/sph_sheet.h"

namespace phyxel::sph {

namespace {

// Within a liquid at rest the slope of cover is 0.03 to 0.06 over h, beside a hole of one particle
// 0.08; in the outermost layer of a flat surface it is 0.5, in the next 0.06.
constexpr double slope_from = 0.15, slope_ramp = 0.2;

// Equal stress along and across a surface is no tension; with none across layers peel off. More
// than this in the plane and larger drops foam.
constexpr double across_in_plane = 0.6, across_in_space = 1;

// Enough to bring back particles that were thrown out of a drop that was a cube.
constexpr double hold_of_strays = 30;

constexpr int coarse = 24;  // intervals of integrals over integrals: right to 0.1 %

/// The cohesion for h = 1 with an integral of cover of one.
Cohesion even(const Cohesion& of, Real h, int dimensions) {
  const SmoothingKernel unit = make_kernel(1, dimensions);
  Cohesion cohesion = of;
  cohesion.peak = 1;
  const auto weight = [&](Real r) { return cover_weight(unit, cohesion, r); };
  const double whole =
      2 * integral(0, 2, [&](double z) { return over_sheet(z, dimensions, weight); });
  cohesion.peak = static_cast<Real>(1 / whole);
  cohesion.slope = static_cast<Real>(7.5 / whole);
  cohesion.from = of.from * h;
  cohesion.ramp = of.ramp * h;
  return cohesion;
}

/// Slope of cover at a depth below a flat surface: what the first sheet beyond the surface lacks.
double flat_slope(const Cohesion& cohesion, double depth, int dimensions) {
  const SmoothingKernel unit = make_kernel(1, dimensions);
  const auto weight = [&](Real r) { return cover_weight(unit, cohesion, r); };
  return over_sheet(depth, dimensions, weight, coarse);
}

/// Of the pairs of a particle at a depth: stress along the surface less that across it, for unit
/// stress of the particle.
double flat_excess(const Cohesion& cohesion, double depth, int dimensions) {
  const SmoothingKernel unit = make_kernel(1, dimensions);
  const auto sheet = [&](double z) {
    const auto pairs = [&](Real r) {
      const double across = z * z, along = (double(r) * r - across) / (dimensions - 1);
      return cover_slope(unit, cohesion, r) * (along - across) *
             (1 - cohesion.across * across / std::max(double(r) * r, 1e-12));
    };
    return over_sheet(z, dimensions, pairs, coarse);
  };
  return integral(-depth, 2, sheet, coarse);
}

}  // namespace

double flat_tension(const Cohesion& of, Real h, int dimensions) {
  const Cohesion cohesion = even(of, h, dimensions);
  const auto layer = [&](double depth) {
    const auto slope = static_cast<Real>(flat_slope(cohesion, depth, dimensions));
    return surface_share(cohesion, slope) * flat_excess(cohesion, depth, dimensions);
  };
  return integral(0, 2, layer, coarse);
}

double flat_share(const Cohesion& of, Real h, int dimensions) {
  const Cohesion cohesion = even(of, h, dimensions);
  const auto layer = [&](double depth) {
    return surface_share(cohesion, static_cast<Real>(flat_slope(cohesion, depth, dimensions)));
  };
  return integral(0, 2, layer, coarse);
}

Cohesion make_cohesion(const SmoothingKernel& kernel, Real spacing, int dimensions) {
  const SmoothingKernel unit = make_kernel(kernel.h / spacing, dimensions);
  const double h = kernel.h;
  Cohesion cohesion;
  cohesion.peak = 1;
  double sum = 1;  // of the particle itself
  for_packing(unit.reach(), dimensions, [&](Real r) { sum += cover_weight(unit, cohesion, r); });
  const double peak = 1 / (sum * std::pow(double(spacing), dimensions));
  cohesion.peak = static_cast<Real>(peak);
  cohesion.slope = static_cast<Real>(7.5 * peak / (h * h));
  cohesion.from = static_cast<Real>(slope_from / h);
  cohesion.ramp = static_cast<Real>(slope_ramp / h);
  cohesion.across = static_cast<Real>(dimensions == 2 ? across_in_plane : across_in_space);
  cohesion.hold = static_cast<Real>(hold_of_strays / h);
  cohesion.pull = static_cast<Real>(1 / flat_tension(cohesion, kernel.h, dimensions));
  cohesion.area =
      static_cast<Real>(1 / (cohesion.pull * flat_share(cohesion, kernel.h, dimensions)));
  return cohesion;
}

}  // namespace phyxel::sph
