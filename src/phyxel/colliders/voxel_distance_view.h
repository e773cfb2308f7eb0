#pragma once

#include "phyxel/colliders/voxel_distance.h"
#include "phyxel/geometry/shape.h"

namespace phyxel {

/// Non-owning view of a VoxelDistance, on the host or on a device.
struct VoxelDistanceView {
  using Velocity = VoxelDistance::Velocity;

  Real voxel = 0, per_voxel = 0;  // m and 1/m
  Real ahead = 0;                 // s, by which the surface has moved on since it was voxelised
  Vec3 origin = Vec3::zero();
  Int3 places = {0, 0, 0};
  Index blocks = 0;
  const Index* block = nullptr;
  const float* corner = nullptr;
  const float* value = nullptr;
  const Velocity* corner_velocity = nullptr;  // null: at rest
  const Velocity* velocity = nullptr;
};

inline VoxelDistanceView view_of(const VoxelDistance& v, double ahead = 0) {
  VoxelDistanceView view{v.voxel,  1 / v.voxel, static_cast<Real>(ahead),
                         v.origin, v.places,    v.blocks()};
  view.block = v.block.data();
  view.corner = v.corner.data();
  view.value = v.value.data();
  if (v.corner_velocity.empty()) return view;
  view.corner_velocity = v.corner_velocity.data();
  view.velocity = v.velocity.data();
  return view;
}

inline namespace PHYXEL_BACKEND {

/// The cell of a block, or the place without a block, in which a point lies.
struct VoxelCell {
  bool has_block;
  std::size_t first;       // its lowest node, or its lowest corner
  std::size_t row, layer;  // from there to the next along y and z
  Vec3 at;                 // 0 to 1 from its lowest to its highest node

  PHYXEL_FN std::size_t node(int k) const {
    return first + (k & 1) + (k >> 1 & 1) * row + (k >> 2) * layer;
  }
};

/// The point of the table nearest to g, in voxels from its origin. NaN becomes 0.
PHYXEL_FN Vec3 nearest_in_table(const VoxelDistanceView& v, const Vec3& g) {
  Vec3 nearest;
  for (int k = 0; k < 3; ++k) {
    const Real last = static_cast<Real>(v.places[k] * VoxelDistance::edge);
    const Real low = g[k] > 0 ? g[k] : Real(0);
    nearest[k] = low < last ? low : last;
  }
  return nearest;
}

PHYXEL_FN VoxelCell cell_at(const VoxelDistanceView& v, const Vec3& g) {
  constexpr Index edge = VoxelDistance::edge, row = VoxelDistance::row;
  Int3 cell, place;
  for (int k = 0; k < 3; ++k) {
    const Index i = static_cast<Index>(g[k]), last = v.places[k] * edge - 1;
    cell[k] = i < last ? i : last;
    place[k] = cell[k] / edge;
  }
  const std::size_t nx = v.places[0], ny = v.places[1];
  const Index block = v.block[(place[2] * ny + place[1]) * nx + place[0]];
  if (block < 0)
    return {false, (place[2] * (ny + 1) + place[1]) * (nx + 1) + place[0], nx + 1,
            (nx + 1) * (ny + 1), g * (Real(1) / edge) - cast<Real>(place)};
  const Int3 in = cell - place * edge;
  const std::size_t first = static_cast<std::size_t>(block) * VoxelDistance::nodes;
  return {true, first + (in[2] * row + in[1]) * row + in[0], row, row * row, g - cast<Real>(cell)};
}

/// Trilinear interpolation of eight corners: number 1 lies along x, 2 along y and 4 along z.
template <class T>
PHYXEL_FN T mixed(const T (&v)[8], const Vec3& at) {
  T along_x[4];
  for (int k = 0; k < 4; ++k) along_x[k] = v[2 * k] + (v[2 * k + 1] - v[2 * k]) * at[0];
  const T low = along_x[0] + (along_x[1] - along_x[0]) * at[1];
  const T high = along_x[2] + (along_x[3] - along_x[2]) * at[1];
  return low + (high - low) * at[2];
}

/// Slope of the interpolation, per edge of the cell.
PHYXEL_FN Vec3 slope(const Real (&v)[8], const Vec3& at) {
  Vec3 result;
  for (int axis = 0; axis < 3; ++axis) {
    const int step = 1 << axis, a = axis == 0 ? 2 : 1, b = axis == 2 ? 2 : 4;
    const Real s = at[axis == 0 ? 1 : 0], t = at[axis == 2 ? 1 : 2];
    const Real v0 = v[step] - v[0], va = v[step + a] - v[a];
    const Real vb = v[step + b] - v[b], vab = v[step + a + b] - v[a + b];
    const Real low = v0 + (va - v0) * s, high = vb + (vab - vb) * s;
    result[axis] = low + (high - low) * t;
  }
  return result;
}

PHYXEL_FN Vec3 corner_of_cell(int k) {
  return {Real(k & 1), Real(k >> 1 & 1), Real(k >> 2)};
}

/// A normal for the middle between surfaces, where slopes cancel: towards the corner that is
/// farthest out.
PHYXEL_FN Vec3 way_out(const Real (&v)[8], const Vec3& at) {
  int best = 0;
  for (int k = 1; k < 8; ++k)
    if (v[k] > v[best]) best = k;
  const Vec3 way = corner_of_cell(best) - at;
  const Real l = length(way);
  return l > 0 ? way / l : Vec3{0, 1, 0};
}

PHYXEL_FN Vec3 normal_in(const Real (&v)[8], const Vec3& at, Real edge) {
  const Vec3 s = slope(v, at);
  const Real l = length(s);
  return l > Real(1e-3) * edge ? s / l : way_out(v, at);
}

/// Lower bound of the distance: that of a corner less the way from it, of the best corner.
PHYXEL_FN Real least_distance(const Real (&v)[8], const Vec3& at, Real edge) {
  Real least = 0;
  for (int k = 0; k < 8; ++k) {
    const Real d = (v[k] < 0 ? -v[k] : v[k]) - edge * length(at - corner_of_cell(k));
    least = d > least ? d : least;
  }
  return least;
}

/// Distance and normal at p, interpolated within VoxelDistance::band voxels of the surface;
/// elsewhere the distance has the right sign, is at least the band and never too large.
PHYXEL_FN SignedDistance signed_distance(const VoxelDistanceView& v, const Vec3& p) {
  const Vec3 g = (p - v.origin) * v.per_voxel, in_table = nearest_in_table(v, g);
  const VoxelCell cell = cell_at(v, in_table);
  const float* const from = cell.has_block ? v.value : v.corner;
  Real value[8];
  for (int k = 0; k < 8; ++k) value[k] = from[cell.node(k)];
  const Real edge = cell.has_block ? v.voxel : v.voxel * VoxelDistance::edge;
  const Vec3 normal = normal_in(value, cell.at, edge);
  Real distance = mixed(value, cell.at);
  if (!cell.has_block) {
    const Real least = least_distance(value, cell.at, edge), band = v.voxel * VoxelDistance::band;
    const Real size = least > band ? least : band;
    distance = distance < 0 ? -size : size;
  }
  const Vec3 beyond = (g - in_table) * v.voxel;
  const Real squared = length_squared(beyond);
  if (!(squared > 0)) return {distance, normal};
  // All of the surface lies in the table: the way to it bends by at most a right angle at the edge.
  return {sqrt(squared + distance * distance), normalized(beyond + normal * distance)};
}

/// Velocity of the surface nearest to p, m/s.
PHYXEL_FN Vec3 surface_velocity(const VoxelDistanceView& v, const Vec3& p) {
  if (!v.velocity) return Vec3::zero();
  const VoxelCell cell = cell_at(v, nearest_in_table(v, (p - v.origin) * v.per_voxel));
  const VoxelDistance::Velocity* const from = cell.has_block ? v.velocity : v.corner_velocity;
  Vec3 velocity[8];
  for (int k = 0; k < 8; ++k) velocity[k] = cast<Real>(from[cell.node(k)]);
  return mixed(velocity, cell.at);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
