#include "phyxel/surfaces/surfels/disc_search.h"

namespace phyxel {

DiscSearch make_disc_search(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& normal,
                            Real edge) {
  DiscSearch s;
  build_cells(exec, x, edge, {}, s.cells);
  fill_cells(exec, "surfels.search", x, s);
  for (Column<Real>* column : {&s.nx, &s.ny, &s.nz}) column->resize(s.x.size());
  s.disc.resize(s.x.size());
  for_each(exec, "surfels.search", s.size(), [&](Index k) {
    const Index i = s.cells.order[k];
    s.disc[k] = i;
    s.nx[k] = normal[i][0], s.ny[k] = normal[i][1], s.nz[k] = normal[i][2];
  });
  return s;
}

}  // namespace phyxel
