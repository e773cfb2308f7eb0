#include "phyxel/colliders/motion.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

/// A value that changes with time and its derivative.
struct Changing {
  Vec3d value = Vec3d::zero();
  Vec3d rate = Vec3d::zero();
};

/// Slope at a key between two segments of widths h and slopes d: their weighted harmonic mean, 0 at
/// a turning point, which keeps the curve between its keys. Fritsch and Butland 1984, eq. 5.
double key_slope(double h0, double d0, double h1, double d1) {
  if (d0 * d1 <= 0) return 0;
  return 3 * (h0 + h1) / ((2 * h1 + h0) / d0 + (h1 + 2 * h0) / d1);
}

/// Slope of component c at key k; the first and last key are at rest, as the pose is beyond them.
double slope_at(const std::vector<double>& t, const std::vector<Vec3>& x, std::size_t k, int c) {
  if (k == 0 || k + 1 == t.size()) return 0;
  const double h0 = t[k] - t[k - 1], h1 = t[k + 1] - t[k];
  return key_slope(h0, (double(x[k][c]) - x[k - 1][c]) / h0, h1,
                   (double(x[k + 1][c]) - x[k][c]) / h1);
}

/// Cubic Hermite curve from key k to the next, at s in [0, 1).
Changing smooth_between(const std::vector<double>& t, const std::vector<Vec3>& x, std::size_t k,
                        double s) {
  const double h = t[k + 1] - t[k];
  Changing result;
  for (int c = 0; c < 3; ++c) {
    const double a = x[k][c], rise = double(x[k + 1][c]) - a;
    const double m0 = h * slope_at(t, x, k, c), m1 = h * slope_at(t, x, k + 1, c);
    const double c2 = 3 * rise - 2 * m0 - m1, c3 = m0 + m1 - 2 * rise;
    result.value[c] = a + s * (m0 + s * (c2 + s * c3));
    result.rate[c] = (m0 + s * (2 * c2 + s * 3 * c3)) / h;
  }
  return result;
}

Changing between(const Motion& motion, const std::vector<Vec3>& x, std::size_t k, double time) {
  const std::vector<double>& t = motion.times;
  const double h = t[k + 1] - t[k], s = (time - t[k]) / h;
  const Vec3d a = cast<double>(x[k]), rise = cast<double>(x[k + 1]) - a;
  switch (motion.interpolation) {
    case Interpolation::step:
      return {a, Vec3d::zero()};
    case Interpolation::linear:
      return {a + rise * s, rise / h};
    case Interpolation::smooth:
      break;
  }
  return smooth_between(t, x, k, s);
}

Changing value_at(const Motion& motion, const std::vector<Vec3>& x, double time) {
  if (x.empty()) return {};
  if (x.size() != motion.times.size())
    throw Error(
        fmt::format("motion: {} times with {} positions and {} rotations; give as many of "
                    "each, or leave one of the two out",
                    motion.times.size(), motion.positions.size(), motion.rotations.size()));
  const auto next = std::upper_bound(motion.times.begin(), motion.times.end(), time);
  if (next == motion.times.begin()) return {cast<double>(x.front()), Vec3d::zero()};
  if (next == motion.times.end()) return {cast<double>(x.back()), Vec3d::zero()};
  return between(motion, x, static_cast<std::size_t>(next - motion.times.begin()) - 1, time);
}

Mat3 to_real(const Mat3d& m) {
  return {{cast<Real>(m[0]), cast<Real>(m[1]), cast<Real>(m[2])}};
}

}  // namespace

Pose pose_at(const Motion& motion, double time) {
  constexpr double radians = M_PI / 180.0;
  const Changing position = value_at(motion, motion.positions, time);
  const Changing angles = value_at(motion, motion.rotations, time);
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const Vec3d a = angles.value * radians, rate = angles.rate * radians;
  const Mat3d about_z = rotation(z, a[2]);
  const Mat3d about_zy = about_z * rotation(y, a[1]);
  const Mat3d turn = about_zy * rotation(x, a[0]);
  const Vec3d pivot = cast<double>(cast<Real>(motion.pivot));  // as kernels see it
  Pose pose;
  pose.transform = {to_real(turn), cast<Real>(pivot + position.value - turn * pivot)};
  pose.velocity = cast<Real>(position.rate);
  // Each rate turns about its own axis as the later rotations have carried it.
  pose.angular_velocity =
      cast<Real>(z * rate[2] + about_z * (y * rate[1]) + about_zy * (x * rate[0]));
  return pose;
}

LargestSpeeds largest_speeds(const Motion& motion, double from, double to) {
  LargestSpeeds largest;
  if (motion.times.empty()) return largest;
  const auto look = [&](double time) {
    const Pose pose = pose_at(motion, time);
    largest.velocity = std::max(largest.velocity, double(length(pose.velocity)));
    largest.angular = std::max(largest.angular, double(length(pose.angular_velocity)));
  };
  // Speeds jump at keys, where that after the key counts; between keys they are constant or change
  // smoothly.
  for (const double part : {0.0, 0.5, 1.0}) look(from + (to - from) * part);
  const auto& t = motion.times;
  for (auto key = std::lower_bound(t.begin(), t.end(), from); key != t.end() && *key <= to; ++key) {
    look(*key);
    if (key != t.begin()) look(*key - 0.5 * std::min(*key - *(key - 1), to - from));
  }
  return largest;
}

}  // namespace phyxel
