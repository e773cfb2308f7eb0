#include "phyxel/methods/lattice/orientation.h"

namespace phyxel::lattice {

namespace {

/// Sum of squared distances to the lattice turned by r.
template <int Dim>
Real misfit(const std::vector<Vec<Real, Dim>>& offsets, const Mat<Real, Dim>& r, Real spacing) {
  Real sum = 0;
  for (const Vec<Real, Dim>& x : offsets) {
    const Vec<Real, Dim> q = transpose(r) * x;
    sum += length_squared(q - offset(nearest_point(q, spacing), spacing));
  }
  return sum;
}

/// Axes as columns: the first along a, the last across a and b.
Mat3 frame(const Vec3& a, const Vec3& b) {
  const Vec3 u = normalized(a), w = normalized(cross(a, b));
  return transpose(Mat3{{u, cross(w, u), w}});
}
Mat<Real, 2> frame(const Vec<Real, 2>& a) {
  const Vec<Real, 2> u = normalized(a);
  return {{{u[0], -u[1]}, {u[1], u[0]}}};
}

bool is_sixth_of_turn(const Vec3& a, const Vec3& b, Real spacing) {
  const Real share = dot(a, b) / (spacing * spacing);
  return share > Real(0.4) && share < Real(0.6);
}

/// All neighbours of the first shell are alike: the first offset is that of slot 0. A second one
/// beside it may be any of the four slots beside slot 0.
std::vector<Mat3> candidates(const std::vector<Vec3>& offsets, Real spacing) {
  std::vector<Mat3> found;
  const Vec3 first = offsets.front(), slot_0 = slot_offset<3>(0, spacing);
  for (const Vec3& second : offsets) {
    if (!is_sixth_of_turn(first, second, spacing)) continue;
    for (int slot = 1; slot < slot_count<3>(1); ++slot)
      if (const Vec3 l = slot_offset<3>(slot, spacing); is_sixth_of_turn(slot_0, l, spacing))
        found.push_back(frame(first, second) * transpose(frame(slot_0, l)));
    return found;
  }
  return found;
}
std::vector<Mat<Real, 2>> candidates(const std::vector<Vec<Real, 2>>& offsets, Real spacing) {
  return {frame(offsets.front()) * transpose(frame(slot_offset<2>(0, spacing)))};
}

}  // namespace

template <int Dim>
Mat<Real, Dim> orientation_of(const std::vector<Vec<Real, Dim>>& offsets, Real spacing) {
  Mat<Real, Dim> best = Mat<Real, Dim>::identity();
  if (offsets.empty()) return best;
  // A hundredth of a spacing each is no turn but noise.
  Real least = misfit(offsets, best, spacing);
  if (least < Real(1e-4) * spacing * spacing * Real(offsets.size())) return best;
  for (const Mat<Real, Dim>& r : candidates(offsets, spacing))
    if (const Real m = misfit(offsets, r, spacing); m < least) least = m, best = r;
  return best;
}

template Mat<Real, 2> orientation_of(const std::vector<Vec<Real, 2>>&, Real);
template Mat<Real, 3> orientation_of(const std::vector<Vec<Real, 3>>&, Real);

}  // namespace phyxel::lattice
