#include <algorithm>
#include <bit>
#include <cmath>

#include "phyxel/core/row8.h"
#include "phyxel/surfaces/block_items.h"
#include "phyxel/surfaces/volumes.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;
using Mask8 = decltype(Row8{} < Row8{});
using MaskNumber = std::remove_cvref_t<decltype(Mask8{}[0])>;

/// Normals that distinguish inside from outside at the vertices and edges of a closed mesh, where
/// those of single triangles do not. Baerentzen and Aanaes 2005.
struct PseudoNormals {
  std::vector<Vec3> face;    // of length 1; zero for slivers, where normals are rounding errors
  std::vector<Vec3> edge;    // 3 t + k: of the edge from corner k of triangle t
  std::vector<Vec3> vertex;  // weighted by angles
};

Vec3d corner(const TriangleMesh& mesh, Index t, int k) {
  return cast<double>(mesh.vertices[mesh.triangles[t][k % 3]]);
}

/// Zero where the height of the triangle is less than 1e-4 of its longest side: positions are
/// single precision, and what they are rounded by turns it any way.
Vec3 face_normal(const TriangleMesh& mesh, Index t) {
  double longest2 = 0;
  for (int k = 0; k < 3; ++k)
    longest2 = std::max(longest2, length_squared(corner(mesh, t, k + 1) - corner(mesh, t, k)));
  const Vec3d n =
      cross(corner(mesh, t, 1) - corner(mesh, t, 0), corner(mesh, t, 2) - corner(mesh, t, 0));
  if (!(length(n) > 1e-4 * longest2)) return Vec3::zero();
  return cast<Real>(normalized(n));
}

double angle_at(const TriangleMesh& mesh, Index t, int k) {
  const Vec3d a = normalized(corner(mesh, t, k + 1) - corner(mesh, t, k));
  const Vec3d b = normalized(corner(mesh, t, k + 2) - corner(mesh, t, k));
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0));
}

std::vector<Vec3> vertex_normals(const Exec& exec, const TriangleMesh& mesh,
                                 const std::vector<Vec3>& face) {
  std::vector<Vec3> weight(face.size()), normal(mesh.vertices.size(), Vec3::zero());
  for_each(exec, "volume.angles", static_cast<Index>(face.size()), [&](Index t) {
    for (int k = 0; k < 3; ++k) weight[t][k] = static_cast<Real>(angle_at(mesh, t, k));
  });
  for (std::size_t t = 0; t < face.size(); ++t)
    for (int k = 0; k < 3; ++k) normal[mesh.triangles[t][k]] += weight[t][k] * face[t];
  return normal;
}

/// Sides that join the same two vertices follow each other in the order of their keys.
std::vector<Vec3> edge_normals(const Exec& exec, const TriangleMesh& mesh,
                               const std::vector<Vec3>& face) {
  const auto sides = static_cast<Index>(3 * face.size());
  const int bits = std::bit_width(mesh.vertices.size());
  Column<std::uint64_t> keys(sides);
  Column<Index> side(sides);
  for_each(exec, "volume.edges", sides, [&](Index s) {
    const Int3& t = mesh.triangles[s / 3];
    const auto [low, high] = std::minmax(t[s % 3], t[(s + 1) % 3]);
    keys[s] = std::uint64_t(low) << bits | std::uint64_t(high);
    side[s] = s;
  });
  SortScratch scratch;
  sort_pairs(exec, "volume.edges", keys, side, 2 * bits, scratch);
  std::vector<Vec3> normal(sides);
  for (Index first = 0, last = 0; first < sides; first = last) {
    Vec3 sum = Vec3::zero();
    for (; last < sides && keys[last] == keys[first]; ++last) sum += face[side[last] / 3];
    for (Index k = first; k < last; ++k) normal[side[k]] = sum;
  }
  return normal;
}

PseudoNormals pseudo_normals(const Exec& exec, const TriangleMesh& mesh) {
  PseudoNormals normals;
  normals.face.resize(mesh.triangles.size());
  for_each(exec, "volume.normals", static_cast<Index>(mesh.triangles.size()),
           [&](Index t) { normals.face[t] = face_normal(mesh, t); });
  normals.vertex = vertex_normals(exec, mesh, normals.face);
  normals.edge = edge_normals(exec, mesh, normals.face);
  return normals;
}

/// The point of triangle `t` that is nearest to `p`, both in m, and the normal there.
struct NearestOnTriangle {
  Vec3d point;
  Vec3 normal;
};

/// Share of the way along the side from corner k at which `p` is nearest to it.
double along(const Vec3d& from, const Vec3d& to, const Vec3d& p) {
  const Vec3d side = to - from;
  const double size2 = length_squared(side);
  return size2 > 0 ? std::clamp(dot(p - from, side) / size2, 0.0, 1.0) : 0.0;
}

bool is_above_face(const TriangleMesh& mesh, Index t, const Vec3d& normal, const Vec3d& p) {
  for (int k = 0; k < 3; ++k) {
    const Vec3d a = corner(mesh, t, k), side = corner(mesh, t, k + 1) - a;
    if (!(dot(cross(normal, side), p - a) > 0)) return false;
  }
  return true;
}

NearestOnTriangle nearest_on_side(const TriangleMesh& mesh, const PseudoNormals& normals, Index t,
                                  int k, const Vec3d& p) {
  const Vec3d a = corner(mesh, t, k), b = corner(mesh, t, k + 1);
  const double s = along(a, b, p);
  const Vec3 &at_a = normals.vertex[mesh.triangles[t][k]],
             &at_b = normals.vertex[mesh.triangles[t][(k + 1) % 3]];
  if (s <= 0) return {a, at_a};
  if (s >= 1) return {b, at_b};
  const Vec3& at_edge = normals.edge[3 * t + k];
  return {a + s * (b - a), at_edge == Vec3::zero() ? at_a + at_b : at_edge};
}

NearestOnTriangle nearest_on_triangle(const TriangleMesh& mesh, const PseudoNormals& normals,
                                      Index t, const Vec3d& p) {
  const Vec3d n = cast<double>(normals.face[t]);
  if (is_above_face(mesh, t, n, p))
    return {p - dot(n, p - corner(mesh, t, 0)) * n, normals.face[t]};
  NearestOnTriangle best = nearest_on_side(mesh, normals, t, 0, p);
  for (int k = 1; k < 3; ++k) {
    const NearestOnTriangle other = nearest_on_side(mesh, normals, t, k, p);
    if (length_squared(p - other.point) < length_squared(p - best.point)) best = other;
  }
  return best;
}

NodeBox nodes_around(const TriangleMesh& mesh, Index t, Real cell) {
  NodeBox box;
  for (int k = 0; k < 3; ++k) {
    double low = 1e300, high = -1e300;
    for (int c = 0; c < 3; ++c) {
      const double x = double(mesh.vertices[mesh.triangles[t][c]][k]) / double(cell);
      low = std::min(low, x), high = std::max(high, x);
    }
    box.low[k] = checked_node(std::ceil(low - level_set_band), cell);
    box.high[k] = checked_node(std::floor(high + level_set_band), cell);
  }
  return box;
}

/// A triangle in cells from the first node of a block, with what distances to it need.
struct LocalTriangle {
  struct Side {
    Vec3 from, along, inward;
    Real over_size2;
  } side[3];
  Vec3 normal;
};

LocalTriangle local_triangle(const TriangleMesh& mesh, Index t, const Int3& block, Real cell,
                             const Vec3& normal) {
  LocalTriangle local;
  Vec3 corner[3];
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k)
      corner[c][k] = static_cast<Real>(
          double(mesh.vertices[mesh.triangles[t][c]][k]) / double(cell) - double(block[k]) * E);
  local.normal = normal;
  for (int c = 0; c < 3; ++c) {
    const Vec3 along = corner[(c + 1) % 3] - corner[c];
    const Real size2 = length_squared(along);
    local.side[c] = {corner[c], along, cross(normal, along), size2 > 0 ? 1 / size2 : 0};
  }
  return local;
}

/// Distances squared of the eight nodes (0..7, y, z) to a triangle, in cells.
PHYXEL_INLINE Row8 distances_squared(const LocalTriangle& t, Real y, Real z) {
  Row8 best = {}, height = {};
  Mask8 above = {};
  for (int c = 0; c < 3; ++c) {
    const LocalTriangle::Side& side = t.side[c];
    const Row8 dx = Row8{0, 1, 2, 3, 4, 5, 6, 7} - side.from[0];
    const Real dy = y - side.from[1], dz = z - side.from[2];
    Row8 s = (side.along[0] * dx + (side.along[1] * dy + side.along[2] * dz)) * side.over_size2;
    s = s < Real(0) ? Row8{} : s;
    s = s > Real(1) ? Row8{} + Real(1) : s;
    const Row8 rx = dx - s * side.along[0], ry = dy - s * side.along[1],
               rz = dz - s * side.along[2];
    const Row8 d2 = rx * rx + ry * ry + rz * rz;
    const Mask8 within =
        (side.inward[0] * dx + (side.inward[1] * dy + side.inward[2] * dz)) > Real(0);
    best = c == 0 ? d2 : (d2 < best ? d2 : best);
    above = c == 0 ? within : (above & within);
    if (c == 0) height = t.normal[0] * dx + (t.normal[1] * dy + t.normal[2] * dz);
  }
  return above ? height * height : best;
}

/// Nodes of a block, with the nearest of its triangles.
struct BlockDistances {
  alignas(64) Real distance2[SparseField::nodes];       // in cells
  alignas(64) MaskNumber triangle[SparseField::nodes];  // place in BlockItems::item, -1: none

  void clear() {
    std::fill_n(distance2, SparseField::nodes, Real(level_set_band) * level_set_band);
    std::fill_n(triangle, SparseField::nodes, MaskNumber{-1});
  }
  void add(const LocalTriangle& local, const NodeBox& box, const Int3& block, Index place) {
    Index low[3], high[3];
    for (int k = 1; k < 3; ++k) {
      low[k] = std::max<Index>(box.low[k] - block[k] * E, 0);
      high[k] = std::min<Index>(box.high[k] - block[k] * E, E - 1);
    }
    for (Index z = low[2]; z <= high[2]; ++z)
      for (Index y = low[1]; y <= high[1]; ++y) {
        Real* const row = distance2 + (z * E + y) * E;
        auto* const nearest = reinterpret_cast<Mask8*>(triangle + (z * E + y) * E);
        const Row8 d2 = distances_squared(local, static_cast<Real>(y), static_cast<Real>(z));
        const Mask8 nearer = d2 < load_row(row);
        store_row(nearer ? d2 : load_row(row), row);
        *nearest = nearer ? Mask8{} + MaskNumber{place} : *nearest;
      }
  }
};

Vec3d node_place(const Int3& block, Index node, Real cell) {
  const Int3 at = {node % E, node / E % E, node / (E * E)};
  Vec3d x;
  for (int k = 0; k < 3; ++k) x[k] = (double(block[k]) * E + at[k]) * double(cell);
  return x;
}

Real signed_distance(const TriangleMesh& mesh, const PseudoNormals& normals, Index t,
                     const Vec3d& x) {
  const NearestOnTriangle nearest = nearest_on_triangle(mesh, normals, t, x);
  const Vec3d away = x - nearest.point;
  const double distance = length(away);
  return static_cast<Real>(dot(away, cast<double>(nearest.normal)) < 0 ? -distance : distance);
}

}  // namespace

void make_level_set(const Exec& exec, const TriangleMesh& mesh, Real cell, SparseField& grid) {
  grid.cell = cell;
  grid.outside = level_set_band * cell;
  const auto triangles = static_cast<Index>(mesh.triangles.size());
  BlockItems items =
      items_by_block(exec, triangles, cell, [&](Index t) { return nodes_around(mesh, t, cell); });
  grid.block = std::move(items.block);
  grid.value.resize(grid.block.size() * SparseField::nodes);
  const PseudoNormals normals = pseudo_normals(exec, mesh);
  for_each_coarse(exec, "volume.distances", grid.blocks(), [&](Index b) {
    BlockDistances found;
    found.clear();
    for (Index k = items.first[b]; k < items.first[b + 1]; ++k) {
      const Index t = items.item[k];
      found.add(local_triangle(mesh, t, grid.block[b], cell, normals.face[t]),
                nodes_around(mesh, t, cell), grid.block[b], k);
    }
    Real* const value = grid.value.data() + static_cast<std::size_t>(b) * SparseField::nodes;
    for (Index i = 0; i < SparseField::nodes; ++i) {
      const auto k = found.triangle[i];
      value[i] =
          k < 0 ? grid.outside
                : signed_distance(mesh, normals, items.item[k], node_place(grid.block[b], i, cell));
    }
  });
}

}  // namespace phyxel
