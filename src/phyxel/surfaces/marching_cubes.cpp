#include "phyxel/surfaces/marching_cubes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/cube_table.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;
constexpr Index R = E * E;  // rows of nodes in a block
constexpr Index F = E + 1;  // nodes that the cells of a block touch, along an axis

/// Where the edges of a block cross the surface. An edge belongs to its lower node; bit i of a
/// row's mask stands for the node i along x.
struct Crossings {
  std::uint8_t mask[3][R];     // by axis of the edge
  std::uint16_t before[3][R];  // vertices of the block ahead of the row
  Index vertices = 0;
};

/// A block with the blocks behind it: number 4 dz + 2 dy + dx, -1 where there is none.
struct Neighbourhood {
  Index block[8];
};

Neighbourhood neighbourhood_of(const SparseField& field, Index b) {
  Neighbourhood n;
  for (int k = 0; k < 8; ++k)
    n.block[k] = k == 0 ? b : field.find(field.block[b] + Int3{k & 1, k >> 1 & 1, k >> 2});
  return n;
}

/// Values at the 9 x 9 x 9 nodes that the cells of a block touch.
struct Nodes {
  Real value[F][F][F];  // z, y, x
};

void copy_nodes(const SparseField& field, const Neighbourhood& n, Nodes& nodes) {
  for (Index z = 0; z < F; ++z)
    for (Index y = 0; y < F; ++y) {
      const int part = (z == E) * 4 + (y == E) * 2;
      const Index offset = ((z % E) * E + y % E) * E;
      const auto at = [&](int k) {
        return field.value.data() + static_cast<std::size_t>(n.block[k]) * SparseField::nodes +
               offset;
      };
      Real* const row = nodes.value[z][y];
      if (n.block[part] >= 0)
        std::copy_n(at(part), E, row);
      else
        std::fill_n(row, E, field.outside);
      row[E] = n.block[part + 1] >= 0 ? *at(part + 1) : field.outside;
    }
}

/// Bit i of mask[z][y]: node i is inside.
struct InsideMasks {
  std::uint16_t row[F][F];
};

InsideMasks inside_masks(const Nodes& nodes) {
  InsideMasks inside;
  for (Index z = 0; z < F; ++z)
    for (Index y = 0; y < F; ++y) {
      const Real* const row = nodes.value[z][y];
      unsigned mask = 0;
      for (Index x = 0; x < F; ++x) mask |= unsigned{row[x] > 0} << x;
      inside.row[z][y] = static_cast<std::uint16_t>(mask);
    }
  return inside;
}

bool is_mixed(const InsideMasks& inside) {
  constexpr std::uint16_t all = (1 << F) - 1;
  std::uint16_t some = 0, every = all;
  for (const auto& slice : inside.row)
    for (const std::uint16_t mask : slice) some |= mask, every &= mask;
  return some != 0 && every != all;
}

Crossings find_crossings(const InsideMasks& inside) {
  Crossings c;
  std::uint16_t count = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (Index z = 0; z < E; ++z)
      for (Index y = 0; y < E; ++y) {
        const std::uint16_t here = inside.row[z][y];
        const std::uint16_t there = axis == 0   ? here >> 1
                                    : axis == 1 ? inside.row[z][y + 1]
                                                : inside.row[z + 1][y];
        const auto mask = static_cast<std::uint8_t>(here ^ there);
        c.mask[axis][z * E + y] = mask;
        c.before[axis][z * E + y] = count;
        count += static_cast<std::uint16_t>(std::popcount(mask));
      }
  c.vertices = count;
  return c;
}

/// visit(x, y, z, pattern) for the cells of a block that the surface cuts.
template <class Visit>
void visit_cut_cells(const InsideMasks& inside, const Visit& visit) {
  for (Index z = 0; z < E; ++z)
    for (Index y = 0; y < E; ++y) {
      const unsigned rows[4] = {inside.row[z][y], inside.row[z][y + 1], inside.row[z + 1][y],
                                inside.row[z + 1][y + 1]};
      unsigned some = 0, every = ~0u;
      for (const unsigned r : rows) some |= r | r >> 1, every &= r & r >> 1;
      for (unsigned cut = some & ~every & 0xffu; cut != 0; cut &= cut - 1) {
        const int x = std::countr_zero(cut);
        unsigned pattern = 0;
        for (int r = 0; r < 4; ++r) pattern |= (rows[r] >> x & 3u) << (2 * r);
        visit(static_cast<Index>(x), y, z, pattern);
      }
    }
}

/// A block that the surface passes, and where its part of the mesh begins.
struct SurfaceBlock {
  Index block;
  Neighbourhood around;
  Crossings crossings;
  InsideMasks inside;
  Index triangles = 0;
  Index first_vertex = 0, first_triangle = 0;
};

SurfaceBlock look_at(const SparseField& field, Index b) {
  SurfaceBlock s;
  s.block = b;
  s.around = neighbourhood_of(field, b);
  Nodes nodes;
  copy_nodes(field, s.around, nodes);
  s.inside = inside_masks(nodes);
  if (!is_mixed(s.inside)) return s;
  s.crossings = find_crossings(s.inside);
  const auto& cases = cube_cases();
  visit_cut_cells(s.inside, [&](Index, Index, Index, unsigned pattern) {
    s.triangles += cases[pattern].triangles;
  });
  return s;
}

void emit_vertices(const SparseField& field, const SurfaceBlock& s, TriangleMesh& mesh) {
  Nodes nodes;
  copy_nodes(field, s.around, nodes);
  Vec3* out = mesh.vertices.data() + s.first_vertex;
  const Int3 origin = field.block[s.block] * E;
  for (int axis = 0; axis < 3; ++axis)
    for (Index z = 0; z < E; ++z)
      for (Index y = 0; y < E; ++y)
        for (unsigned mask = s.crossings.mask[axis][z * E + y]; mask != 0; mask &= mask - 1) {
          const Index x = std::countr_zero(mask);
          const Real a = nodes.value[z][y][x];
          const Real b = nodes.value[z + (axis == 2)][y + (axis == 1)][x + (axis == 0)];
          // Away from the nodes, where the vertices of several edges would meet.
          const double t = std::clamp(double(a) / (double(a) - double(b)), 1e-3, 1 - 1e-3);
          double at[3] = {double(origin[0] + x), double(origin[1] + y), double(origin[2] + z)};
          at[axis] += t;
          for (int k = 0; k < 3; ++k) (*out)[k] = static_cast<Real>(at[k] * double(field.cell));
          ++out;
        }
}

/// Number of the vertex on an edge of the cell (x, y, z) of a block.
class VertexNumbers {
 public:
  VertexNumbers(const std::vector<SurfaceBlock>& blocks, const std::vector<Index>& place,
                const SurfaceBlock& own) {
    for (int k = 0; k < 8; ++k) {
      const Index b = own.around.block[k];
      near_[k] = b < 0 || place[b] < 0 ? nullptr : &blocks[place[b]];
    }
  }

  Index at(Index x, Index y, Index z, int edge) const {
    const int axis = edge / 4, from = cube_edge(edge).from;
    x += from & 1, y += from >> 1 & 1, z += from >> 2;
    const SurfaceBlock& s = *near_[(x == E) + 2 * (y == E) + 4 * (z == E)];
    const Index row = (z % E) * E + y % E;
    const unsigned ahead = s.crossings.mask[axis][row] & ((1u << (x % E)) - 1);
    return s.first_vertex + s.crossings.before[axis][row] + std::popcount(ahead);
  }

 private:
  const SurfaceBlock* near_[8];
};

void emit_triangles(const VertexNumbers& numbers, const SurfaceBlock& s, TriangleMesh& mesh) {
  const auto& cases = cube_cases();
  Int3* out = mesh.triangles.data() + s.first_triangle;
  visit_cut_cells(s.inside, [&](Index x, Index y, Index z, unsigned pattern) {
    const CubeCase& cube = cases[pattern];
    for (int t = 0; t < cube.triangles; ++t, ++out)
      for (int k = 0; k < 3; ++k) (*out)[k] = numbers.at(x, y, z, cube.edge[3 * t + k]);
  });
}

}  // namespace

TriangleMesh marching_cubes(const Exec& exec, const SparseField& field) {
  std::vector<SurfaceBlock> blocks(static_cast<std::size_t>(field.blocks()));
  for_each_coarse(exec, "surface.crossings", field.blocks(),
                  [&](Index b) { blocks[b] = look_at(field, b); });
  std::erase_if(
      blocks, [](const SurfaceBlock& s) { return s.triangles == 0 && s.crossings.vertices == 0; });
  std::vector<Index> place(static_cast<std::size_t>(field.blocks()), -1);
  std::int64_t vertices = 0, triangles = 0;
  for (SurfaceBlock& s : blocks) {
    place[s.block] = static_cast<Index>(&s - blocks.data());
    s.first_vertex = static_cast<Index>(vertices);
    s.first_triangle = static_cast<Index>(triangles);
    vertices += s.crossings.vertices;
    triangles += s.triangles;
    if (triangles > std::numeric_limits<Index>::max())
      throw InputError("surface: more than 2^31 triangles; take larger cells");
  }
  TriangleMesh mesh;
  mesh.vertices.resize(static_cast<std::size_t>(vertices));
  mesh.triangles.resize(static_cast<std::size_t>(triangles));
  for_each_coarse(exec, "surface.triangles", static_cast<Index>(blocks.size()), [&](Index k) {
    emit_vertices(field, blocks[k], mesh);
    emit_triangles(VertexNumbers(blocks, place, blocks[k]), blocks[k], mesh);
  });
  return mesh;
}

}  // namespace phyxel
