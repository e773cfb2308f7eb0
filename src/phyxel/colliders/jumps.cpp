#include "phyxel/colliders/jumps.h"

#include <algorithm>
#include <cmath>

#include "phyxel/colliders/mesh_sequence.h"
#include "phyxel/geometry/box_tree.h"
#include "phyxel/geometry/shape.h"

namespace phyxel {

namespace {

/// Corners of a solid; of one without end the point that its motion turns about.
std::vector<Vec3> corners_of(const Bounds& bounds, const Vec3& pivot) {
  if (!is_bounded(bounds)) return {pivot};
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) corners.push_back(corner_of(bounds, k));
  return corners;
}

/// How far the farthest corner is from where it was.
Real moved(const std::vector<Vec3>& corners, const Pose& before, const Pose& after) {
  Real farthest = 0;
  for (const Vec3& c : corners)
    farthest = std::max(farthest, length(apply(after.transform, c) - apply(before.transform, c)));
  return farthest;
}

/// The longest way of a corner from key k to the next; turns count, which come back to the start.
Real path_of(const Motion& motion, const std::vector<Vec3>& corners, std::size_t k) {
  Real path = 0;
  if (!motion.positions.empty()) path += length(motion.positions[k + 1] - motion.positions[k]);
  if (motion.rotations.empty()) return path;
  Real arm = 0;
  const Vec3 pivot = cast<Real>(motion.pivot);
  for (const Vec3& c : corners) arm = std::max(arm, length(c - pivot));
  const Vec3 turn = motion.rotations[k + 1] - motion.rotations[k];
  return path +
         arm * Real(M_PI / 180) * (std::abs(turn[0]) + std::abs(turn[1]) + std::abs(turn[2]));
}

/// Nothing is deeper inside than half of the least extent, nor than the surface has moved, on top
/// of what an earlier jump has left. Particles keep a distance of about a spacing.
Real depth_of(const Bounds& bounds, Real distance, Real left, Real spacing) {
  Real depth = distance + left;
  if (is_bounded(bounds)) {
    const Vec3 size = bounds.size();
    depth = std::min(depth, std::min({size[0], size[1], size[2]}) / 2);
  }
  return depth + Real(1.5) * spacing;
}

void add_jump(const Bounds& bounds, const JumpLimits& limits, Jump jump, std::vector<Jump>& jumps) {
  const Real left = withdrawal_at(jumps, jump.from).depth;
  jump.depth = depth_of(bounds, jump.distance, left, limits.spacing);
  jump.speed = limits.push_speed;
  jumps.push_back(jump);
}

/// Moves from key to key: at times t[k] to t[k + 1] by path[k].
struct Moves {
  std::vector<double> t;   // s
  std::vector<Real> path;  // m

  double seconds(std::size_t k) const { return t[k + 1] - t[k]; }

  /// m/s, the mean speed between two times.
  double mean_speed(double from, double to) const {
    double moved = 0;
    for (std::size_t k = 0; k < path.size(); ++k) {
      const double shared = std::min(to, t[k + 1]) - std::max(from, t[k]);
      if (shared > 0) moved += double(path[k]) * std::min(1.0, shared / seconds(k));
    }
    return moved / (to - from);
  }
};

/// Whether a move begins and ends within a step: keys may also be that near each other in a steady
/// motion, which is as fast in the steps around.
bool is_abrupt(const Moves& moves, std::size_t k, const JumpLimits& limits) {
  if (!(moves.seconds(k) < limits.dt)) return false;
  const double around = moves.mean_speed(moves.t[k] - limits.dt, moves.t[k + 1] + limits.dt);
  return double(moves.path[k]) / moves.seconds(k) >= 2.9 * around;
}

/// Begins and ends within a step, or passes twenty particles in one: faster ones than that have no
/// time to make way, whatever the step.
bool is_too_fast(const Moves& moves, std::size_t k, const JumpLimits& limits) {
  if (!(moves.path[k] > limits.spacing)) return false;
  const double in_step = moves.mean_speed(moves.t[k], moves.t[k] + limits.dt) * limits.dt;
  return is_abrupt(moves, k, limits) || in_step > 20 * double(limits.spacing);
}

/// The longest way of a point of the mesh from a frame to the next.
Real path_of(const MeshSequence& sequence, std::size_t k) {
  const TriangleMesh &a = sequence.frames[k], &b = sequence.frames[k + 1];
  const Bounds before = bounds_of(a), after = bounds_of(b);
  Real path = std::max(length(after.min - before.min), length(after.max - before.max));
  for (std::size_t i = 0; sequence.same_triangles && i < a.vertices.size(); ++i)
    path = std::max(path, length(b.vertices[i] - a.vertices[i]));
  return path;
}

}  // namespace

std::vector<Jump> find_jumps(const Motion& motion, const Bounds& bounds, const JumpLimits& limits) {
  std::vector<Jump> jumps;
  const std::vector<Vec3> corners = corners_of(bounds, cast<Real>(motion.pivot));
  const std::vector<double>& t = motion.times;
  Moves moves{t, {}};
  for (std::size_t k = 0; k + 1 < t.size(); ++k) moves.path.push_back(path_of(motion, corners, k));
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    if (motion.interpolation == Interpolation::step) {
      const Real distance = moved(corners, pose_at(motion, t[k]), pose_at(motion, t[k + 1]));
      if (distance > limits.spacing)
        add_jump(bounds, limits, {t[k + 1], t[k + 1], distance}, jumps);
      continue;
    }
    if (is_too_fast(moves, k, limits))
      add_jump(bounds, limits, {t[k], t[k + 1], moves.path[k]}, jumps);
  }
  return jumps;
}

std::vector<Jump> find_jumps(const MeshSequence& sequence, const JumpLimits& limits) {
  Moves moves;
  for (std::size_t k = 0; k < sequence.frames.size(); ++k) {
    moves.t.push_back(sequence.start + double(k) / sequence.fps);
    if (k > 0) moves.path.push_back(path_of(sequence, k - 1));
  }
  std::vector<Jump> jumps;
  for (std::size_t k = 0; k < moves.path.size(); ++k)
    if (is_too_fast(moves, k, limits))
      add_jump(bounds_of(sequence.frames[k + 1]), limits,
               {moves.t[k], moves.t[k + 1], moves.path[k]}, jumps);
  return jumps;
}

bool jumps_between(const std::vector<Jump>& jumps, double from, double to) {
  return std::any_of(jumps.begin(), jumps.end(),
                     [&](const Jump& j) { return j.from <= to && j.to > from; });
}

Withdrawal withdrawal_at(const std::vector<Jump>& jumps, double time) {
  const auto next = std::upper_bound(jumps.begin(), jumps.end(), time,
                                     [](double t, const Jump& j) { return t < j.from; });
  if (next == jumps.begin()) return {};
  const Jump& jump = *(next - 1);
  if (time < jump.to) return {jump.depth, 0};
  const double left = double(jump.depth) - double(jump.speed) * (time - jump.to);
  if (left <= 0) return {};
  return {static_cast<Real>(left), jump.speed};
}

}  // namespace phyxel
