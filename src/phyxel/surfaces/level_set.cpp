#include "phyxel/surfaces/level_set.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/row8.h"
#include "phyxel/surfaces/block_items.h"
#include "phyxel/surfaces/pseudo_normals.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;
using Mask8 = decltype(Row8{} < Row8{});
using MaskNumber = std::remove_cvref_t<decltype(Mask8{}[0])>;

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
  Row8 best, height;
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
