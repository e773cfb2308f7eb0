#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/colliders/moving_mesh_view.h"
#include "phyxel/colliders/voxel_distance.h"
#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh_distance.h"

namespace phyxel {

namespace {

constexpr Index edge = VoxelDistance::edge, row = VoxelDistance::row;
constexpr Real everywhere = Real(1e15);  // m, from the surface
constexpr double most_bytes = 1024.0 * 1024 * 1024;

/// The mesh of the distance queries, and whether it is closed.
struct MeshQuery {
  MeshDistanceView mesh;
  bool closed;
};

/// The answer at one point.
struct Answer {
  NearestPoint nearest{};
  bool inside = false;

  Real distance() const { return inside ? -nearest.distance : nearest.distance; }
};

bool is_inside(const MeshQuery& query, const Vec3& p) {
  const MeshDistanceView& mesh = query.mesh;
  return mesh.bounds.contains(p) && winds_around(mesh.bvh, mesh.dipoles, p);
}

Answer answer_at(const MeshQuery& query, const Vec3& p) {
  return {nearest_point(query.mesh.bvh, p), is_inside(query, p)};
}

/// The answer at p, `step` m from a point that has one. It is exact up to `reach` m from the
/// surface; farther away the triangle of the neighbour must do. Two points are on the same side of
/// a closed surface where the spheres without surface about them overlap.
Answer answer_beside(const MeshQuery& query, const Vec3& p, const Answer& neighbour, Real step,
                     Real reach) {
  const TriangleBvhView& bvh = query.mesh.bvh;
  Answer answer{nearest_point_of(bvh, neighbour.nearest.triangle, p), neighbour.inside};
  const Real limit = std::min(reach, answer.nearest.distance);
  const NearestTriangle guess{limit * limit, answer.nearest.triangle};
  if (const Index found = nearest_triangle(bvh, p, guess).triangle; found != guess.triangle)
    answer.nearest = nearest_point_of(bvh, found, p);
  // Answers that are not exact are farther away than any step.
  const Real free = answer.nearest.distance + neighbour.nearest.distance;
  if (!query.closed || free < step * Real(1.001)) answer.inside = is_inside(query, p);
  return answer;
}

/// Places along each axis from `low` to `high` m, both whole numbers of places from 0.
struct Table {
  double low[3], places[3];
  double count() const { return places[0] * places[1] * places[2]; }
  double corners() const { return (places[0] + 1) * (places[1] + 1) * (places[2] + 1); }
};

Table table_for(const Bounds& bounds, double voxel) {
  // One voxel more than the band: a mesh of a sequence moves on a little before it is voxelised
  // again.
  const double margin = (double(VoxelDistance::band) + 1) * voxel, place = edge * voxel;
  Table table;
  for (int k = 0; k < 3; ++k) {
    table.low[k] = std::floor((double(bounds.min[k]) - margin) / place);
    table.places[k] = std::ceil((double(bounds.max[k]) + margin) / place) - table.low[k];
  }
  return table;
}

/// A surface of a block's face area meets about three blocks within the band.
double estimated_bytes(const Bounds& bounds, double surface, double voxel, bool moving) {
  const Table table = table_for(bounds, voxel);
  const double place = edge * voxel;
  const double blocks = std::min(table.count(), 3 * surface / (place * place) + 8);
  const double node = sizeof(float) + (moving ? sizeof(VoxelDistance::Velocity) : 0);
  return table.count() * sizeof(Index) + (table.corners() + blocks * VoxelDistance::nodes) * node;
}

Vec3 place_at(const VoxelDistance& v, const Int3& place, const Int3& node) {
  return v.origin + cast<Real>(place * edge + node) * v.voxel;
}

Int3 place_of(const VoxelDistance& v, Index k) {
  return {k % v.places[0], k / v.places[0] % v.places[1], k / v.places[0] / v.places[1]};
}

/// Distances, and velocities where there are any, at the corners of all places.
void fill_corners(const MeshQuery& query, const MovingMeshView* moving, VoxelDistance& v) {
  const Index nx = v.places[0] + 1, ny = v.places[1] + 1, nz = v.places[2] + 1;
  const auto corners = static_cast<std::size_t>(nx) * ny * nz;
  v.corner.resize(corners);
  if (moving) v.corner_velocity.resize(corners);
  for_each_coarse(Exec{}, "colliders.voxel_corners", ny * nz, [&](Index r) {
    Answer answer;
    for (Index x = 0; x < nx; ++x) {
      const Vec3 p = place_at(v, {x, r % ny, r / ny}, Int3::zero());
      answer = x == 0 ? answer_at(query, p)
                      : answer_beside(query, p, answer, edge * v.voxel, everywhere);
      const std::size_t k = static_cast<std::size_t>(r) * nx + x;
      v.corner[k] = static_cast<float>(answer.distance());
      if (moving) v.corner_velocity[k] = cast<float>(surface_velocity(*moving, answer.nearest, p));
    }
  });
}

/// True where a place has points within the band; looks at its eight parts.
bool is_near(const MeshQuery& query, const VoxelDistance& v, const Int3& place) {
  const Real half_diagonal = std::sqrt(Real(3)) * edge / 4;
  const Real near = (VoxelDistance::band + half_diagonal) * v.voxel;
  for (int part = 0; part < 8; ++part) {
    const Int3 middle = {edge / 4 + (part & 1) * edge / 2, edge / 4 + (part >> 1 & 1) * edge / 2,
                         edge / 4 + (part >> 2) * edge / 2};
    const NearestTriangle none{near * near, -1};
    if (nearest_triangle(query.mesh.bvh, place_at(v, place, middle), none).triangle >= 0)
      return true;
  }
  return false;
}

/// True where a corner is so far from the surface that all of its place is beyond the band.
bool is_far(const VoxelDistance& v, const Int3& place) {
  const std::size_t nx = v.places[0] + 1, ny = v.places[1] + 1;
  const std::size_t first = (place[2] * ny + place[1]) * nx + place[0];
  const Real far = (VoxelDistance::band + std::sqrt(Real(3)) * edge) * v.voxel;
  for (int k = 0; k < 8; ++k)
    if (std::abs(v.corner[first + (k & 1) + (k >> 1 & 1) * nx + (k >> 2) * nx * ny]) > far)
      return true;
  return false;
}

/// Numbers the places near the surface; returns them.
std::vector<Index> choose_blocks(const MeshQuery& query, VoxelDistance& v) {
  const Index places = v.places[0] * v.places[1] * v.places[2];
  v.block.assign(places, -1);
  for_each_coarse(Exec{}, "colliders.voxel_blocks", places, [&](Index k) {
    const Int3 place = place_of(v, k);
    if (!is_far(v, place) && is_near(query, v, place)) v.block[k] = 0;
  });
  std::vector<Index> chosen;
  for (Index k = 0; k < places; ++k)
    if (v.block[k] == 0) {
      v.block[k] = static_cast<Index>(chosen.size());
      chosen.push_back(k);
    }
  return chosen;
}

/// What a mesh, and the frames around it, answer at the nodes of a block.
using Answers = std::array<Answer, VoxelDistance::nodes>;

Vec3 node_at(const VoxelDistance& v, const Int3& place, Index k) {
  return place_at(v, place, {k % row, k / row % row, k / (row * row)});
}

/// Takes the triangle of a neighbour where it is nearer.
void improve(const TriangleBvhView& bvh, const Vec3& p, const Answer& neighbour, Answer& answer) {
  if (neighbour.nearest.triangle == answer.nearest.triangle) return;
  const NearestPoint other = nearest_point_of(bvh, neighbour.nearest.triangle, p);
  if (other.distance < answer.nearest.distance) answer.nearest = other;
}

/// Beyond the reach of exact answers triangles are handed on from node to node, forth and back.
void hand_on(const MeshQuery& query, const VoxelDistance& v, const Int3& place, Real reach,
             Answers& answers) {
  const Index stride[3] = {1, row, row * row};
  for (const Index direction : {-1, 1})
    for (Index i = 0; i < VoxelDistance::nodes; ++i) {
      const Index k = direction < 0 ? i : VoxelDistance::nodes - 1 - i;
      if (answers[k].nearest.distance < reach) continue;
      for (const Index step : stride) {
        const Index along = k / step % row + direction;
        if (along >= 0 && along < row)
          improve(query.mesh.bvh, node_at(v, place, k), answers[k + direction * step], answers[k]);
      }
    }
}

/// The node before node k of a block on the way through it, row by row and layer by layer.
Index node_before(Index k) {
  if (k % row > 0) return k - 1;
  return k % (row * row) > 0 ? k - row : k - row * row;
}

/// Marks are nodes half a block apart, exact however far from the surface. Others start from them.
constexpr Index marks = 3, apart = edge / 2;

Index mark_node(Index m) {
  return apart * (m % marks + row * (m / marks % marks) + row * row * (m / (marks * marks)));
}

void ask_marks(const MeshQuery& query, const VoxelDistance& v, const Int3& place,
               Answers& answers) {
  answers[0] = answer_at(query, node_at(v, place, 0));
  for (Index m = 1; m < marks * marks * marks; ++m) {
    const Index step = m % marks > 0 ? 1 : m % (marks * marks) > 0 ? row : row * row;
    const Index k = mark_node(m);
    answers[k] = answer_beside(query, node_at(v, place, k), answers[k - apart * step],
                               apart * v.voxel, everywhere);
  }
}

/// No node is nearer to the surface than the distance of the next mark less the way from it.
Real least_distance(const VoxelDistance& v, const Answers& answers, Index k) {
  const Int3 node = {k % row, k / row % row, k / (row * row)};
  const Int3 mark = {(node[0] + apart / 2) / apart, (node[1] + apart / 2) / apart,
                     (node[2] + apart / 2) / apart};
  const Index at = mark_node(mark[0] + marks * (mark[1] + marks * mark[2]));
  return answers[at].nearest.distance - length(cast<Real>(node - mark * apart)) * v.voxel;
}

void ask(const MeshQuery& query, const VoxelDistance& v, const Int3& place, Answers& answers) {
  // The corners of the cells of all points within the band.
  const Real reach = (VoxelDistance::band + std::sqrt(Real(3))) * v.voxel;
  ask_marks(query, v, place, answers);
  for (Index k = 1; k < VoxelDistance::nodes; ++k) {
    const Int3 node = {k % row, k / row % row, k / (row * row)};
    if (node[0] % apart == 0 && node[1] % apart == 0 && node[2] % apart == 0) continue;
    const Real limit = least_distance(v, answers, k) < reach ? reach : 0;
    answers[k] =
        answer_beside(query, node_at(v, place, k), answers[node_before(k)], v.voxel, limit);
  }
  hand_on(query, v, place, reach, answers);
}

/// Velocities at the nodes of a block by the change of the distance, as of velocity_of_distance.
void fill_velocity_of_distance(const MovingMeshView& moving, bool closed, const Int3& place,
                               const Answers& now, VoxelDistance::Velocity* to,
                               const VoxelDistance& v) {
  Answers before, after;
  ask({moving.before, closed}, v, place, before);
  ask({moving.after, closed}, v, place, after);
  for (Index k = 0; k < VoxelDistance::nodes; ++k) {
    const Real change = after[k].distance() - before[k].distance();
    const Vec3 normal = signed_distance(moving.mesh.bvh, moving.mesh.bounds, now[k].nearest,
                                        now[k].inside, node_at(v, place, k))
                            .normal;
    to[k] = cast<float>(normal * (-change / static_cast<Real>(moving.interval)));
  }
}

void fill_block(const MeshQuery& query, const MovingMeshView* moving, const Int3& place,
                Index block, VoxelDistance& v) {
  Answers answers;
  ask(query, v, place, answers);
  const std::size_t first = static_cast<std::size_t>(block) * VoxelDistance::nodes;
  for (Index k = 0; k < VoxelDistance::nodes; ++k)
    v.value[first + k] = static_cast<float>(answers[k].distance());
  if (!moving) return;
  VoxelDistance::Velocity* const to = v.velocity.data() + first;
  if (moving->vertex_count == 0)
    return fill_velocity_of_distance(*moving, query.closed, place, answers, to, v);
  for (Index k = 0; k < VoxelDistance::nodes; ++k)
    to[k] = cast<float>(velocity_of_vertices(*moving, answers[k].nearest));
}

void fill_blocks(const MeshQuery& query, const MovingMeshView* moving,
                 const std::vector<Index>& chosen, VoxelDistance& v) {
  v.value.resize(chosen.size() * VoxelDistance::nodes);
  if (moving) v.velocity.resize(v.value.size());
  for_each_coarse(Exec{}, "colliders.voxel_nodes", static_cast<Index>(chosen.size()),
                  [&](Index b) { fill_block(query, moving, place_of(v, chosen[b]), b, v); });
}

std::shared_ptr<const VoxelDistance> voxelise(std::shared_ptr<const MeshDistance> mesh, Real voxel,
                                              bool closed, const MovingMeshView* moving,
                                              const std::string& name) {
  check_voxel_size(mesh->mesh, voxel, moving, name);
  auto result = std::make_shared<VoxelDistance>();
  VoxelDistance& v = *result;
  v.voxel = voxel;
  const Table table = table_for(mesh->bounds, voxel);
  for (int k = 0; k < 3; ++k) {
    v.origin[k] = static_cast<Real>(table.low[k] * edge * double(voxel));
    v.places[k] = static_cast<Index>(table.places[k]);
  }
  const MeshQuery query{view_of(*mesh), closed};
  fill_corners(query, moving, v);
  fill_blocks(query, moving, choose_blocks(query, v), v);
  v.mesh = std::move(mesh);
  return result;
}

}  // namespace

std::shared_ptr<const VoxelDistance> voxelise(std::shared_ptr<const MeshDistance> mesh, Real voxel,
                                              const std::string& name) {
  const bool closed = open_edges(mesh->mesh).count == 0;
  return voxelise(std::move(mesh), voxel, closed, nullptr, name);
}

std::shared_ptr<const VoxelDistance> voxelise(const MovingMesh& moving, Real voxel, bool closed,
                                              const std::string& name) {
  const MovingMeshView view = view_of(moving);
  return voxelise(moving.mesh, voxel, closed, is_moving(view) ? &view : nullptr, name);
}

void check_voxel_size(const TriangleMesh& mesh, Real voxel, bool moving, const std::string& name) {
  if (!(voxel > 0) || !std::isfinite(voxel))
    throw InputError(fmt::format("{} = {} must be positive and finite", name, voxel));
  const Bounds bounds = bounds_of(mesh);
  const double surface = area(mesh), bytes = estimated_bytes(bounds, surface, voxel, moving);
  if (bytes <= most_bytes) return;
  double enough = voxel;
  while (estimated_bytes(bounds, surface, enough, moving) > most_bytes) enough *= 1.1;
  throw InputError(fmt::format(
      "{} = {} m is too fine for a mesh of {:.3g} m: it needs about {:.3g} GB of memory, the limit "
      "is {:.0f} GB; {:.2g} m fits, or leave the key out for exact distances",
      name, voxel, length(bounds.size()), bytes / most_bytes, 1.0, enough * 1.1));
}

bool has_inside(const VoxelDistance& voxels) {
  const auto is_negative = [](float d) { return d < 0; };
  return std::any_of(voxels.value.begin(), voxels.value.end(), is_negative);
}

}  // namespace phyxel
