#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "phyxel/surfaces/point_runs.h"
#include "phyxel/surfaces/surface_options.h"

// Scalar fields around points: positive inside matter, negative outside, zero on the surface.

namespace phyxel {

/// The points of a field in the order of cells, with the numbers of its kernel. Made once for a set
/// of points; every evaluation of the field reads it.
struct PointField : SortedPoints {
  FieldOptions options;  // complete: what was 0 is known
  Real volume = 0;       // m^3, of a particle deep inside
  Real support = 0;      // m, beyond which no point has an effect
  Real bell = 0;         // of blobs: a of exp(-a r^2), 1/m^2
  Real peak = 0;         // of blobs and sph: what a point contributes at its centre
  Real deep = 0;         // of blobs and sph: the sum deep inside
  Real shell = 0;        // of zhu_bridson: distance of the surface from the mean of the points, m
  Index width = 1;  // cells to visit on each side of the cell of a position; as long as `support`
  // Of anisotropic: the kernel height (1 - d^T shape d)^3 of each point.
  Column<Real> shape[6];  // xx yy zz xy yz zx, 1/m^2
  Column<Real> height;
};

/// The kernel height V/R^3 (1 - r^2/R^2)^3 has the integral V.
constexpr Real kernel_height = Real(315.0 / 64 / M_PI);

/// Distance between neighbours: of the fourth nearest, the median over a sample of the points.
Real measured_spacing(const Exec& exec, const Column<Vec3>& x);

/// Fills `field` and reuses its memory. Throws InputError where an option or a position makes no
/// sense.
void make_field(const Exec& exec, const Column<Vec3>& x, const FieldOptions& options,
                PointField& field);

/// Of zhu_bridson: in a crevice the mean of points on both sides lies between them, and the surface
/// would have bubbles there (Solenthaler et al. 2007). Sums of weights are small in those; on the
/// surface of a lone point the sum is 0.8.
constexpr Real least_weight = Real(0.7);

/// Value from a sum of weights, except for zhu_bridson. Deep inside and far outside the sum is
/// constant; a cubic term lets the value continue like a distance for a while.
struct ValueScale {
  Real iso = 0;     // the sum of weights on the surface
  Real length = 1;  // m, by which the difference u from it is multiplied to be near a distance
  Real bend = 0;    // u becomes u + bend u^3

  Real value(Real weight) const {
    const Real u = weight - iso;
    return length * u * (1 + bend * u * u);
  }
  Real slope(Real weight) const {  // of the value over the weight
    const Real u = weight - iso;
    return length * (1 + 3 * bend * u * u);
  }
};
ValueScale value_scale(const PointField& field);
/// Of zhu_bridson. `weight`: the sum of weights; `moment`: size of the weighted sum of differences,
/// m.
inline Real value_from_moment(const PointField& field, Real weight, Real moment) {
  const Real distance = weight > 0 ? moment / weight : field.support;
  return std::min(field.shell - distance, (weight - least_weight) * field.shell);
}
/// Of any kind.
Real value_from_sums(const PointField& field, Real weight, Real moment);

/// Roughly the distance to the surface where that is small, m.
Real field_value(const PointField& field, const Vec3& x);

struct FieldSample {
  Real value;     // m
  Vec3 gradient;  // of the value: inward, of about length 1 at the surface of a flat body
};
/// Both from one pass over the points around. Many threads may call it at once.
FieldSample sample_at(const PointField& field, const Vec3& x);
/// Outward, of length 1; zero where the field is flat.
Vec3 field_normal(const PointField& field, const Vec3& x);

/// A point near a position, with its weight in means over the points around.
struct WeighedPoint {
  Index point;  // as given to make_field
  Real weight;
};
void weigh_points(const PointField& field, const Vec3& x, std::vector<WeighedPoint>& found);

}  // namespace phyxel
