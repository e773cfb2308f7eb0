#include "phyxel/surfaces/surfels/thin_out.h"

#include "phyxel/neighbours/cell_table.h"

namespace phyxel {

namespace {

/// The opposite sides of a thin part and of an acute edge do not take each other's room.
constexpr Real least_agreement = Real(-0.3);

struct Kept {
  Vec3 x, normal;
};

/// What has been kept of each cell: the first of its places.
struct Sample {
  const Column<Vec3>& x;
  const Column<Vec3>& normal;
  Real squared;       // m^2, of the distance
  CellTable cells;    // of candidates
  Column<char> kept;  // of each place in their order
};

void gather(const Sample& s, Index row, Index x, std::vector<Kept>& near) {
  near.clear();
  const CellTableView t = s.cells.view();
  TouchingRows rows = touching_rows(t, row, x);
  visit_places(t, rows, x, [&](const PlaceRange& places) {
    for (Index k = places.first; k < places.last; ++k)
      if (const Index i = s.cells.order[k]; s.kept[k]) near.push_back({s.x[i], s.normal[i]});
  });
}

bool has_room(const Sample& s, const std::vector<Kept>& near, Index i) {
  for (const Kept& k : near)
    if (length_squared(k.x - s.x[i]) < s.squared && dot(k.normal, s.normal[i]) > least_agreement)
      return false;
  return true;
}

void fill_cell(Sample& s, Index row, Index cell) {
  thread_local std::vector<Kept> near;
  gather(s, row, s.cells.x[cell], near);
  for (Index k = s.cells.start[cell]; k < s.cells.start[cell + 1]; ++k) {
    const Index i = s.cells.order[k];
    if (!has_room(s, near, i)) continue;
    s.kept[k] = 1;
    near.push_back({s.x[i], s.normal[i]});
  }
}

/// Cells of one colour (the parity of their coordinates) do not see each other.
void fill_colour(const Exec& exec, Sample& s, Index colour) {
  for_each_coarse(exec, "surfels.thin_out", s.cells.rows(), [&](Index row) {
    const Vec<Index, 2> yz = s.cells.yz[row];
    if ((yz[0] & 1) != (colour >> 1 & 1) || (yz[1] & 1) != colour >> 2) return;
    for (Index c = s.cells.row_start[row]; c < s.cells.row_start[row + 1]; ++c)
      if ((s.cells.x[c] & 1) == (colour & 1)) fill_cell(s, row, c);
  });
}

}  // namespace

Column<Index> thin_out(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& normal,
                       Real distance) {
  Sample s{x, normal, distance * distance, {}, {}};
  build_cells(exec, x, distance, {}, s.cells);
  s.kept.assign(x.size(), 0);
  for (Index colour = 0; colour < 8; ++colour) fill_colour(exec, s, colour);
  Column<Index> chosen;
  for (std::size_t k = 0; k < s.kept.size(); ++k)
    if (s.kept[k]) chosen.push_back(s.cells.order[k]);
  return chosen;
}

}  // namespace phyxel
