#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/surface_scratch.h"
#include "phyxel/surfaces/volumes.h"

using namespace phyxel;

namespace {

/// f(place of the node, value) for all nodes within the band.
template <class F>
void for_band(const SparseField& grid, F&& f) {
  constexpr Index E = SparseField::edge;
  for (Index b = 0; b < grid.blocks(); ++b)
    for (Index i = 0; i < SparseField::nodes; ++i) {
      const Real value = grid.value[static_cast<std::size_t>(b) * SparseField::nodes + i];
      if (std::abs(value) >= grid.outside) continue;
      const Int3 node = grid.block[b] * E + Int3{i % E, i / E % E, i / (E * E)};
      f(node, value);
    }
}

Vec3 place(const Int3& node, Real cell) {
  return cast<Real>(node) * cell;
}

/// The value at a node, `outside` where there is no block.
Real value_at(const SparseField& grid, const Int3& node) {
  constexpr Index E = SparseField::edge;
  Int3 block, within;
  for (int k = 0; k < 3; ++k) {
    block[k] = (node[k] - (node[k] < 0 ? E - 1 : 0)) / E;
    within[k] = node[k] - block[k] * E;
  }
  const Index b = grid.find(block);
  if (b < 0) return grid.outside;
  return grid.value[static_cast<std::size_t>(b) * SparseField::nodes +
                    (within[2] * E + within[1]) * E + within[0]];
}

Frame frame_of(const std::vector<Vec3>& x) {
  Frame frame;
  frame.count = x.size();
  frame.columns = {make_frame_column("position", "m", x.data(), x.size())};
  return frame;
}

}  // namespace

TEST_CASE("a_level_set_of_a_ball_holds_distances_to_it") {
  // A polyhedron of 20480 faces lies up to 1 - cos(half an edge of 0.035) = 1.5e-4 below the ball.
  SparseField grid;
  make_level_set({}, mesh_icosphere(1, 5), Real(0.04), grid);
  std::size_t nodes = 0;
  Real worst = 0;
  for_band(grid, [&](const Int3& node, Real value) {
    worst = std::max(worst, std::abs(value - (length(place(node, grid.cell)) - 1)));
    ++nodes;
  });
  CHECK(worst < Real(5e-4));
  // A shell of 6 cells.
  const double shell = 4 * M_PI / 3 * (std::pow(1.12, 3) - std::pow(0.88, 3));
  CHECK(double(nodes) * std::pow(0.04, 3) == doctest::Approx(shell).epsilon(0.01));
}

TEST_CASE("large_triangles_have_exact_distances_at_faces_edges_and_corners") {
  SparseField grid;
  make_level_set({}, mesh_box({2, 2, 2}), Real(0.11), grid);
  Real worst = 0;
  for_band(grid, [&](const Int3& node, Real value) {
    const Vec3 x = place(node, grid.cell);
    Vec3 out, q;
    for (int k = 0; k < 3; ++k) q[k] = std::abs(x[k]) - 1, out[k] = std::max(q[k], Real(0));
    const Real expected = length(out) + std::min(std::max({q[0], q[1], q[2]}), Real(0));
    worst = std::max(worst, std::abs(value - expected));
  });
  CHECK(worst < Real(1e-6));
}

TEST_CASE("cavities_are_outside") {
  TriangleMesh mesh = mesh_icosphere(1, 4);
  const TriangleMesh cavity = flipped(mesh_icosphere(Real(0.5), 4));
  for (const Int3& t : cavity.triangles)
    mesh.triangles.push_back(t + Int3::filled(static_cast<Index>(mesh.vertices.size())));
  mesh.vertices.insert(mesh.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
  SparseField grid;
  make_level_set({}, mesh, Real(0.05), grid);
  std::size_t wrong = 0;
  for_band(grid, [&](const Int3& node, Real value) {
    const Real r = length(place(node, grid.cell));
    // The faces lie 0.002 below the balls.
    if (std::abs(r - 1) > Real(0.01) && std::abs(r - Real(0.5)) > Real(0.01))
      wrong += (value < 0) != (r < 1 && r > Real(0.5));
  });
  CHECK(wrong == 0);
}

TEST_CASE("distances_of_random_clouds_change_by_no_more_than_the_way") {
  // A wrong sign anywhere shows as a jump between neighbours.
  for (int seed = 0; seed < 12; ++seed) {
    const Random random{static_cast<std::uint32_t>(seed)};
    std::vector<Vec3> x(seed < 2 ? 1 : 300);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform3(i);
    if (seed % 3 == 1) x.push_back(x.front());
    SurfaceOptions options;
    options.field.kind = static_cast<FieldKind>(seed % 3);
    options.field.spacing = Real(0.1);
    options.smooth = seed % 4 == 3 ? 3 : 0;
    SurfaceScratch scratch;
    const Volumes volumes = make_volumes({}, frame_of(x), options, scratch);
    const SparseField& grid = volumes.bodies.at(0).distance;
    std::size_t jumps = 0;
    for_band(grid, [&](const Int3& node, Real value) {
      for (int k = 0; k < 3; ++k) {
        Int3 next = node;
        ++next[k];
        const Real other = value_at(grid, next);
        jumps +=
            std::abs(other) < grid.outside && !(std::abs(other - value) < Real(1.001) * grid.cell);
      }
    });
    CHECK_MESSAGE(jumps == 0, seed);
  }
}

TEST_CASE("volumes_are_the_same_on_any_number_of_threads") {
  const std::vector<Vec3> x = sample_inside(shape_sphere(1), Packing::closest, Real(0.1), 1, 3);
  SurfaceScratch scratch;
  std::vector<Volumes> found;
  for (int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    found.push_back(make_volumes({}, frame_of(x), {}, scratch));
  }
  CHECK(found[0].bodies[0].distance.value == found[1].bodies[0].distance.value);
  CHECK(found[0].bodies[0].density.value == found[1].bodies[0].density.value);
}

TEST_CASE("density_adds_up_to_the_volume_of_all_points_and_is_1_deep_inside") {
  const std::vector<Vec3> x = sample_inside(shape_sphere(1), Packing::closest, Real(0.1), 1, 3);
  SurfaceScratch scratch;
  for (const Real cell : {Real(0.03), Real(0.05), Real(0.25)}) {
    SurfaceOptions options;
    options.cell = cell;
    const Volumes volumes = make_volumes({}, frame_of(x), options, scratch);
    const SparseField& density = volumes.bodies.at(0).density;
    double sum = 0;
    for (const Real d : density.value) sum += double(d);
    sum *= std::pow(double(cell), 3);
    CHECK(sum == doctest::Approx(double(x.size()) * double(scratch.field.volume)).epsilon(1e-4));
    // What the particles fill and what the ball holds: how well they fit is up to the sampling.
    CHECK(sum == doctest::Approx(4 * M_PI / 3).epsilon(0.03));
    // A lattice that is not the bell's own leaves a ripple.
    CHECK(double(value_at(density, {0, 0, 0})) == doctest::Approx(1).epsilon(0.05));
  }
}

TEST_CASE("materials_have_volumes_of_their_own_on_one_grid") {
  const std::vector<Vec3> x = sample_inside(shape_sphere(1), Packing::closest, Real(0.1), 1, 3);
  Frame frame = frame_of(x);
  std::vector<std::int32_t> material;
  for (const Vec3& p : x) material.push_back(p[0] > 0 ? 4 : 2);
  frame.columns.push_back(make_frame_column("material", "", material.data(), x.size()));
  SurfaceScratch scratch;
  const Volumes two = make_volumes({}, frame, {}, scratch);
  REQUIRE(two.bodies.size() == 2);
  CHECK(two.bodies[0].material == 2);
  CHECK(two.bodies[1].material == 4);
  CHECK(two.bodies[0].distance.cell == two.bodies[1].distance.cell);
  CHECK(open_edges(two.mesh).count == 0);
  SurfaceOptions options;
  options.separate = false;
  CHECK(make_volumes({}, frame, options, scratch).bodies.size() == 1);
  CHECK(make_volumes({}, frame_of({}), options, scratch).bodies.empty());
}
