#include <array>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/lattice.h"

// Maximal Poisson-disk sampling by darts thrown into what is left uncovered, cut finer and finer
// (after Ebeida et al. 2012). Space is cut into cells so small that one holds at most one point,
// and cells into blocks. Blocks of one colour lie too far apart to see each other, so that they may
// be filled at the same time and the result does not depend on the threads that do it.

namespace phyxel {
namespace {

constexpr Index block_cells = 8;  // along each axis
constexpr Index halo = 2;         // cells within reach of the spacing on either side
constexpr int finest_level = 4;   // gaps of a cell / 2^4 are left alone
constexpr Real nowhere = Real(1e30);

/// A piece of a cell that may still have room; coordinates in the block, in pieces of its level.
struct Piece {
  std::uint16_t x[3];
  std::uint16_t wholly_inside;  // 1 where no dart can miss the shape
};

struct Block {
  Int3 place;  // in blocks
  bool wholly_inside;
  std::vector<Vec3> cells;  // the point of each cell, or nowhere
  std::vector<Piece> pieces;
};

struct Field {
  const Shape& shape;
  Real spacing, cell;
  int dimensions;
  Random random;
  Vec3 origin;
  Int3 count;               // blocks along each axis
  std::vector<Index> slot;  // block of a place, or -1
  std::vector<Block> blocks;
  std::vector<Index> near;  // steps to the cells around one, nearest first: conflicts come early

  Index depth() const { return dimensions == 2 ? 1 : block_cells; }
  Index halo_depth() const { return dimensions == 2 ? 0 : halo; }
};

Index cell_index(const Field& f, Index x, Index y, Index z) {
  return x + block_cells * (y + block_cells * (f.dimensions == 2 ? 0 : z));
}

Vec3 block_origin(const Field& f, const Block& b) {
  return f.origin + cast<Real>(b.place) * (f.cell * block_cells);
}

/// Middle of a piece of the given width, or of its part in the plane in 2D.
Vec3 middle_of(const Field& f, const Block& b, const Piece& piece, Real width) {
  Vec3 p = block_origin(f, b);
  for (int k = 0; k < f.dimensions; ++k) p[k] += (piece.x[k] + Real(0.5)) * width;
  return p;
}
Vec3 half_of(const Field& f, Real width) {
  return {width / 2, width / 2, f.dimensions == 2 ? 0 : width / 2};
}

/// Notes whether the piece lies wholly inside; false where it lies wholly outside.
bool touches_shape(const Field& f, const Vec3& middle, const Vec3& half, Piece& piece) {
  if (piece.wholly_inside) return true;
  const Real d = signed_distance(f.shape, middle).distance, reach = length(half);
  piece.wholly_inside = d < -reach;
  return d <= reach;
}

/// The cells of a block that the shape touches, in an order that leaves no direction preferred.
std::vector<Piece> cells_to_fill(const Field& f, const Block& b) {
  const Index n = block_cells * block_cells * f.depth();
  std::vector<Piece> pieces;
  for (Index k = 0; k < n; ++k) {
    const Index c = (k * 179 + 83) % n;  // n is a power of two, 179 odd: a permutation
    Piece piece{{std::uint16_t(c % block_cells), std::uint16_t(c / block_cells % block_cells),
                 std::uint16_t(c / (block_cells * block_cells))},
                b.wholly_inside};
    if (touches_shape(f, middle_of(f, b, piece, f.cell), half_of(f, f.cell), piece))
      pieces.push_back(piece);
  }
  return pieces;
}

void add_block(Field& f, const Int3& place, Index index) {
  Block b{place, false, {}, {}};
  const Vec3 half = half_of(f, f.cell * block_cells);
  const Real d = signed_distance(f.shape, block_origin(f, b) + half).distance;
  if (d > length(half)) return;
  b.wholly_inside = d < -length(half);
  f.slot[index] = static_cast<Index>(f.blocks.size());
  f.blocks.push_back(std::move(b));
}

/// The points of a block and of the cells around it.
struct BlockWithHalo {
  static constexpr Index width = block_cells + 2 * halo;
  std::array<Vec3, width * width * width> cells;

  static Index index(Index x, Index y, Index z) { return x + width * (y + width * z); }
};

/// Steps to the cells of the surroundings that can hold a point nearer than the spacing.
std::vector<Index> near_cells(const Field& f) {
  std::vector<std::pair<Index, Index>> by_distance;
  const Index deep = f.halo_depth();
  for (Index z = -deep; z <= deep; ++z)
    for (Index y = -halo; y <= halo; ++y)
      for (Index x = -halo; x <= halo; ++x) {
        const Int3 gap =
            max(Int3{std::abs(x), std::abs(y), std::abs(z)} - Int3{1, 1, 1}, {0, 0, 0});
        if (dot(gap, gap) <= f.dimensions)  // in cells: the spacing is sqrt(dimensions)
          by_distance.push_back({x * x + y * y + z * z, BlockWithHalo::index(x, y, z)});
      }
  std::sort(by_distance.begin(), by_distance.end());
  std::vector<Index> steps;
  for (const auto& [distance, step] : by_distance) steps.push_back(step);
  return steps;
}

Field make_field(const Shape& shape, const Bounds& bounds, Real spacing, std::uint32_t seed,
                 int dimensions) {
  const Real cell = spacing / std::sqrt(Real(dimensions)) * Real(0.9999);
  Field f{shape, spacing, cell, dimensions, {seed, 0x706f6973}, bounds.min, {1, 1, 1}, {}, {}, {}};
  double blocks = 1;
  for (int k = 0; k < dimensions; ++k) {
    const double n = std::floor(double(bounds.size()[k]) / (cell * block_cells)) + 1;
    blocks *= n;
    f.count[k] = static_cast<Index>(std::min(n, 1e9));
  }
  if (blocks > 1e9)
    throw InputError(
        fmt::format("spacing = {} m is too small for a body of this size: {:.3g} "
                    "blocks of points would be needed",
                    spacing, blocks));
  f.slot.assign(static_cast<std::size_t>(blocks), -1);
  for (Index k = 0; k < static_cast<Index>(f.slot.size()); ++k)
    add_block(f, {k % f.count[0], k / f.count[0] % f.count[1], k / (f.count[0] * f.count[1])}, k);
  f.near = near_cells(f);
  for_each_coarse(
      Exec{}, "geometry.poisson_blocks", static_cast<Index>(f.blocks.size()), [&](Index k) {
        f.blocks[k].pieces = cells_to_fill(f, f.blocks[k]);
        f.blocks[k].cells.assign(block_cells * block_cells * f.depth(), Vec3::filled(nowhere));
      });
  return f;
}

const Block* block_at(const Field& f, const Int3& place) {
  for (int k = 0; k < 3; ++k)
    if (place[k] < 0 || place[k] >= f.count[k]) return nullptr;
  const Index slot = f.slot[place[0] + f.count[0] * (place[1] + f.count[1] * place[2])];
  return slot < 0 ? nullptr : &f.blocks[slot];
}

Index floor_to_block(Index cell) {
  return cell < 0 ? -1 : cell / block_cells;
}

void gather(const Field& f, const Block& b, BlockWithHalo& s) {
  const Index deep = f.halo_depth();
  for (Index z = -deep; z < f.depth() + deep; ++z)
    for (Index y = -halo; y < block_cells + halo; ++y)
      for (Index x = -halo; x < block_cells + halo; ++x) {
        const Int3 offset = {floor_to_block(x), floor_to_block(y),
                             f.dimensions == 2 ? 0 : floor_to_block(z)};
        const Block* from = block_at(f, b.place + offset);
        const Int3 c = Int3{x, y, z} - offset * block_cells;
        s.cells[BlockWithHalo::index(x + halo, y + halo, z + deep)] =
            from ? from->cells[cell_index(f, c[0], c[1], c[2])] : Vec3::filled(nowhere);
      }
}

/// True where predicate(point) holds for a point in one of the cells around cell c.
template <class Predicate>
bool any_near(const Field& f, const BlockWithHalo& s, const Int3& c, Predicate&& predicate) {
  const Vec3* home =
      &s.cells[BlockWithHalo::index(c[0] + halo, c[1] + halo, c[2] + f.halo_depth())];
  for (const Index step : f.near)
    if (const Vec3& p = home[step]; p[0] < nowhere && predicate(p)) return true;
  return false;
}

Int3 cell_of(const Piece& piece, int level) {
  return {piece.x[0] >> level, piece.x[1] >> level, piece.x[2] >> level};
}

/// A random place within a piece: the same for any order of work.
Vec3 dart(const Field& f, const Block& b, const Piece& piece, int level, int round) {
  const std::uint64_t place =
      b.place[0] +
      std::uint64_t(f.count[0]) * (b.place[1] + std::uint64_t(f.count[1]) * b.place[2]);
  std::uint64_t what = std::uint64_t(round) << 48 | std::uint64_t(level) << 44;
  for (int k = 0; k < 3; ++k) what |= std::uint64_t(piece.x[k]) << (14 * k);
  Vec3 p = f.random.uniform3(place, what);
  for (int k = 0; k < f.dimensions; ++k) p[k] = (p[k] + piece.x[k]) * f.cell / Real(1 << level);
  if (f.dimensions == 2) p[2] = 0;
  return block_origin(f, b) + p;
}

/// One dart into each piece that is left.
void throw_darts(const Field& f, Block& b, int level, int round) {
  if (b.pieces.empty()) return;
  BlockWithHalo s;
  gather(f, b, s);
  for (const Piece& piece : b.pieces) {
    const Int3 c = cell_of(piece, level);
    Vec3& own = b.cells[cell_index(f, c[0], c[1], c[2])];
    if (own[0] < nowhere) continue;
    const Vec3 p = dart(f, b, piece, level, round);
    const auto conflicts = [&](const Vec3& q) {
      return length_squared(p - q) < f.spacing * f.spacing;
    };
    if (any_near(f, s, c, conflicts)) continue;
    if (!piece.wholly_inside && !inside(f.shape, p)) continue;
    own = p;
    s.cells[BlockWithHalo::index(c[0] + halo, c[1] + halo, c[2] + f.halo_depth())] = p;
  }
}

/// The points around a cell.
struct Neighbours {
  std::array<Vec3, 125> points;
  int count = 0;
};

Neighbours around(const Field& f, const BlockWithHalo& s, const Int3& c) {
  Neighbours near;
  any_near(f, s, c, [&](const Vec3& p) {
    near.points[near.count++] = p;
    return false;
  });
  return near;
}

/// True where a point keeps all of the box from holding another.
bool is_covered(const Neighbours& near, Real spacing, const Vec3& middle, const Vec3& half) {
  return std::any_of(near.points.begin(), near.points.begin() + near.count, [&](const Vec3& q) {
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Real far = std::abs(q[k] - middle[k]) + half[k];
      sum += far * far;
    }
    return sum < spacing * spacing;
  });
}

/// Adds the halves of a piece along each axis that have room, pieces of the given width.
void add_halves(const Field& f, const Block& b, const Neighbours& near, const Piece& piece,
                Real width, std::vector<Piece>& finer) {
  const Vec3 half = half_of(f, width);
  for (int child = 0; child < 1 << f.dimensions; ++child) {
    Piece q = piece;
    for (int k = 0; k < 3; ++k) q.x[k] = std::uint16_t(2 * piece.x[k] + (child >> k & 1));
    const Vec3 middle = middle_of(f, b, q, width);
    if (!is_covered(near, f.spacing, middle, half) && touches_shape(f, middle, half, q))
      finer.push_back(q);
  }
}

/// Cuts the pieces into halves along each axis and keeps those with room.
void refine(const Field& f, Block& b, int level) {
  if (b.pieces.empty()) return;
  BlockWithHalo s;
  gather(f, b, s);
  std::vector<Piece> finer;
  Neighbours near;
  Int3 gathered = {-1, -1, -1};
  for (const Piece& piece : b.pieces) {
    const Int3 c = cell_of(piece, level);
    if (b.cells[cell_index(f, c[0], c[1], c[2])][0] < nowhere) continue;
    if (!(c == gathered)) near = around(f, s, c);  // pieces of a cell follow each other
    gathered = c;
    add_halves(f, b, near, piece, f.cell / Real(2 << level), finer);
  }
  b.pieces.swap(finer);
}

void throw_darts_in_all(Field& f, const std::vector<std::vector<Index>>& colours, int level,
                        int round) {
  for (const std::vector<Index>& colour : colours)
    for_each_coarse(Exec{}, "geometry.poisson_darts", static_cast<Index>(colour.size()),
                    [&](Index k) { throw_darts(f, f.blocks[colour[k]], level, round); });
}

std::vector<std::vector<Index>> coloured(const Field& f) {
  std::vector<std::vector<Index>> colours(8);
  for (std::size_t k = 0; k < f.blocks.size(); ++k) {
    const Int3& p = f.blocks[k].place;
    colours[(p[0] & 1) + 2 * (p[1] & 1) + 4 * (p[2] & 1)].push_back(static_cast<Index>(k));
  }
  return colours;
}

bool any_pieces(const Field& f) {
  return std::any_of(f.blocks.begin(), f.blocks.end(),
                     [](const Block& b) { return !b.pieces.empty(); });
}

}  // namespace

std::vector<Vec3> sample_poisson(const Shape& shape, const Bounds& bounds, Real spacing,
                                 std::uint32_t seed, int dimensions) {
  Field f = make_field(shape, bounds, spacing, seed, dimensions);
  const auto colours = coloured(f);
  for (int level = 0; level <= finest_level && any_pieces(f); ++level) {
    const int rounds = level == 0 ? 4 : 1;
    for (int round = 0; round < rounds; ++round) throw_darts_in_all(f, colours, level, round);
    for_each_coarse(Exec{}, "geometry.poisson_refine", static_cast<Index>(f.blocks.size()),
                    [&](Index k) { refine(f, f.blocks[k], level); });
  }
  std::vector<Vec3> points;
  for (const Block& b : f.blocks)
    for (const Vec3& p : b.cells)
      if (p[0] < nowhere) points.push_back(p);
  return points;
}

}  // namespace phyxel
