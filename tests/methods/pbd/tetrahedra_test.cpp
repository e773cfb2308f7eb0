#include "phyxel/methods/pbd/tetrahedra.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>

#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/constraints/tetrahedron.h"

using namespace phyxel;
using namespace phyxel::pbd;

namespace {

constexpr Index nx = 4, ny = 3, nz = 5;
constexpr Real spacing = Real(0.1);

/// A turned box of points, in an order that is not that of the lattice.
BodySeed box() {
  BodySeed seed;
  seed.name = "box";
  seed.packing = Packing::cubic;
  seed.spacing = spacing;
  seed.volume = spacing * spacing * spacing;
  seed.frame = {rotation(normalized(Vec3{1, 2, -1}), Real(0.8)), {3, -2, 1}};
  for (Index k = 0; k < nx * ny * nz; ++k) {
    const Index i = k * 7 % (nx * ny * nz);  // 7 and 60 have no divisor in common
    const Vec3 at = {Real(i % nx), Real(i / nx % ny), Real(i / (nx * ny))};
    seed.points.push_back(apply(seed.frame, at * spacing));
  }
  return seed;
}

double volume_of(const BodySeed& seed, const Vec<Index, 4>& t) {
  Vec3d x[4];
  for (int k = 0; k < 4; ++k) x[k] = cast<double>(seed.points[t[k]]);
  return six_volumes(x) / 6;
}

}  // namespace

TEST_CASE("a_box_has_a_cell_for_each_cube_of_its_lattice") {
  const BodySeed seed = box();
  const std::vector<Cell> cells = cells_of(seed);
  CHECK(cells.size() == std::size_t((nx - 1) * (ny - 1) * (nz - 1)));
  for (const Cell& cell : cells)
    for (int k = 0; k < 8; ++k) {
      const Vec3 edge = seed.points[cell.corner[k]] - seed.points[cell.corner[0]];
      const Vec3 local = transpose(seed.frame.rotation) * edge;
      for (int axis = 0; axis < 3; ++axis)
        CHECK(local[axis] == doctest::Approx((k >> axis & 1) * spacing).epsilon(1e-3));
    }
}

TEST_CASE("tetrahedra_fill_the_cells_and_have_a_closed_surface") {
  const BodySeed seed = box();
  const auto tetrahedra = tetrahedra_of(cells_of(seed));
  double volume = 0;
  for (const auto& t : tetrahedra) {
    CHECK(volume_of(seed, t) > 1e-5);
    volume += volume_of(seed, t);
  }
  CHECK(volume == doctest::Approx((nx - 1) * (ny - 1) * (nz - 1) * 1e-3).epsilon(1e-4));
  // Inside all triangles belong to two: on the surface are those of its squares, two each.
  const std::vector<Int3> surface = surface_of(tetrahedra);
  const Index squares = 2 * ((nx - 1) * (ny - 1) + (ny - 1) * (nz - 1) + (nz - 1) * (nx - 1));
  CHECK(Index(surface.size()) == 2 * squares);
  // The front is outside: the divergence theorem gives the same volume.
  double enclosed = 0;
  for (const Int3& t : surface)
    enclosed += dot(cast<double>(seed.points[t[0]]),
                    cross(cast<double>(seed.points[t[1]]), cast<double>(seed.points[t[2]]))) /
                6;
  CHECK(enclosed == doctest::Approx(volume).epsilon(1e-4));
}

TEST_CASE("elements_share_the_whole_volume_of_their_body") {
  const BodySeed seed = box();
  const std::vector<Cell> cells = cells_of(seed);
  const auto sum = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
  };
  const auto of_cells = shared_volumes(cells, seed.points.size(), double(seed.volume));
  CHECK(sum(of_cells) == doctest::Approx(nx * ny * nz * 1e-3).epsilon(1e-5));
  const auto tetrahedra = tetrahedra_of(cells);
  std::vector<double> volumes;
  for (const auto& t : tetrahedra) volumes.push_back(volume_of(seed, t));
  const auto of_tetrahedra =
      shared_volumes(tetrahedra, volumes, seed.points.size(), double(seed.volume));
  CHECK(sum(of_tetrahedra) == doctest::Approx(nx * ny * nz * 1e-3).epsilon(1e-5));
}

TEST_CASE("bodies_without_a_lattice_of_cubes_are_refused_with_a_remedy") {
  BodySeed seed = box();
  seed.packing = Packing::closest;
  CHECK_THROWS_WITH_AS(cells_of(seed), doctest::Contains("packing = \"cubic\""), InputError);
}

TEST_CASE("a_single_layer_has_no_cells") {
  BodySeed seed = box();
  std::erase_if(seed.points,
                [&](const Vec3& x) { return apply_inverse(seed.frame, x)[1] > spacing / 2; });
  CHECK(cells_of(seed).empty());
}
