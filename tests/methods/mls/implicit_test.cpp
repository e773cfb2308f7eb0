#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "methods/mls/mls_scenes.h"
#include "phyxel/linear/dense_inverse.h"
#include "phyxel/methods/mls/coarse_nodes.h"

using namespace phyxel;
using namespace phyxel::mls;
using namespace phyxel::mls::test;

namespace {

/// Two boxes of phyxels side by side, out of order.
struct TwoBoxes {
  HostColumn<Vec3> x;
  HostColumn<Index> object;
  TwoBoxes() {
    const Random random{3, 1};
    for (Index k = 0; k < 900; ++k) {
      const Vec3 at = random.uniform3(k);
      const Index box = k % 3 == 0;
      x.push_back({at[0] * 4 + Real(5 * box), at[1] * 2, at[2]});
      object.push_back(box);
    }
  }
};

/// What is left of a field after its best fit by nodes, at most.
template <class Field>
double left_of_fit(const CoarseNodes& nodes, std::size_t phyxels, const Field& field) {
  const int n = nodes.count;
  std::vector<double> a(std::size_t(n) * n), b(n), y(n);
  for (std::size_t i = 0; i < phyxels; ++i) {
    const Corners& at = nodes.corners[i];
    for (int c = 0; c < 8; ++c) {
      b[at.node[c]] += double(at.share[c]) * field(i);
      for (int d = 0; d < 8; ++d)
        a[std::size_t(at.node[c]) * n + at.node[d]] += double(at.share[c]) * double(at.share[d]);
    }
  }
  linear::invert_in_place(a, n);
  for (int k = 0; k < n; ++k)
    for (int c = 0; c < n; ++c) y[k] += a[std::size_t(k) * n + c] * b[c];
  double most = 0;
  for (std::size_t i = 0; i < phyxels; ++i) {
    double fit = 0;
    for (int c = 0; c < 8; ++c)
      fit += double(nodes.corners[i].share[c]) * y[nodes.corners[i].node[c]];
    most = std::max(most, std::abs(fit - field(i)));
  }
  return most;
}

/// A beam that is held at one end and falls until it hangs by its stiffness.
std::string beam(double modulus, double dt) {
  return fmt::format(R"(
fps = 10
[time]
fixed_dt = {}
[material.m]
method = "mls"
integration = "implicit"
density = 1000.0
youngs_modulus = {}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.8, 0, 0], size = [1.6, 0.2, 0.2] }}
packing = "cubic"
spacing = 0.05
[pin.p]
body = "b"
shape = {{ type = "box", size = [0.2, 1, 1] }}
[field.air]
type = "drag"
linear = 30.0
)",
                     dt, modulus);
}

/// Of the frame that ended: iterations of a solve, and solves that reached their limit.
struct Solves {
  double iterations, unfinished;
};
Solves solves_of(World& world) {
  double solves = 0, iterations = 0, unfinished = 0;
  for (const auto& [name, value] : diagnose(world).extra) {
    if (name == "solves") solves = value;
    if (name == "solve_iterations") iterations = value;
    if (name == "unfinished_solves") unfinished = value;
  }
  return {iterations / solves, unfinished};
}

double lowest(World& world) {
  double y = 0;
  for (const Vec3& x : method_of(world).particles().x) y = std::min(y, double(x[1]));
  return y;
}

}  // namespace

TEST_CASE("nodes_share_all_of_each_phyxel_and_objects_share_no_node") {
  const TwoBoxes boxes;
  const CoarseNodes nodes = make_coarse_nodes(boxes.x, boxes.object, Real(0.2), 60);
  CHECK(nodes.count <= 60);
  CHECK(nodes.count >= 30);
  std::set<Index> used[2];
  for (std::size_t i = 0; i < boxes.x.size(); ++i) {
    double sum = 0;
    for (int c = 0; c < 8; ++c) sum += double(nodes.corners[i].share[c]);
    CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    used[boxes.object[i]].insert(nodes.corners[i].node, nodes.corners[i].node + 8);
  }
  for (const Index a : used[0]) CHECK(used[1].count(a) == 0);
  CHECK(used[0].size() + used[1].size() == std::size_t(nodes.count));
}

TEST_CASE("entries_of_nodes_are_the_shares_of_phyxels") {
  const TwoBoxes boxes;
  const CoarseNodes nodes = make_coarse_nodes(boxes.x, boxes.object, Real(0.2), 60);
  std::size_t shares = 0;
  for (const Corners& at : nodes.corners)
    for (const Real share : at.share) shares += share > 0;
  CHECK(nodes.entry.size() == shares);
  for (Index a = 0; a < nodes.count; ++a)
    for (Index piece = nodes.node_start[a]; piece < nodes.node_start[a + 1]; ++piece) {
      CHECK(nodes.piece_start[piece + 1] - nodes.piece_start[piece] <= entries_of_piece);
      for (Index e = nodes.piece_start[piece]; e < nodes.piece_start[piece + 1]; ++e)
        CHECK(nodes.corners[nodes.entry[e] / 8].node[nodes.entry[e] % 8] == a);
    }
}

TEST_CASE("nodes_can_move_matter_by_any_linear_displacement") {
  const TwoBoxes boxes;
  const CoarseNodes nodes = make_coarse_nodes(boxes.x, boxes.object, Real(0.2), 60);
  const auto linear = [&](std::size_t i) {
    const Vec3& x = boxes.x[i];
    return 1.0 + 2.0 * x[0] - 3.0 * x[1] + 0.5 * x[2];
  };
  const auto curved = [&](std::size_t i) { return double(boxes.x[i][0] * boxes.x[i][0]); };
  CHECK(left_of_fit(nodes, boxes.x.size(), linear) < 1e-4);
  CHECK(left_of_fit(nodes, boxes.x.size(), curved) > 1e-2);
}

TEST_CASE("few_phyxels_have_no_nodes_and_sheets_have_one_layer") {
  HostColumn<Vec3> x;
  for (int k = 0; k < 400; ++k) x.push_back({Real(k % 20), Real(k / 20), Real(2)});
  const HostColumn<Index> object(400, 0);
  const CoarseNodes sheet = make_coarse_nodes(x, object, 1, 125);
  CHECK(sheet.count <= 33);
  CHECK(sheet.count >= 16);
  for (const Corners& at : sheet.corners)
    for (int c = 4; c < 8; ++c) CHECK(at.share[c] == 0);
  x.resize(40);
  CHECK(make_coarse_nodes(x, HostColumn<Index>(40, 0), 1, 125).count == 0);
}

TEST_CASE("nodes_take_over_what_bends_a_stiff_beam") {
  World world = world_of(beam(4e8, 0.01));
  double before = 0, after = 0;
  for (int frame = 0; frame < 4; ++frame) {
    advance(world);
    const Solves solves = solves_of(world);
    (frame == 0 ? before : after) = solves.iterations;
    CHECK(solves.unfinished == 0);
  }
  MESSAGE("iterations of a solve, the first frame's and the fourth's: ", before, " ", after);
  CHECK(after < 0.5 * before);
}

TEST_CASE("a_stiff_beam_hangs_as_low_whatever_the_length_of_the_steps") {
  World coarse = world_of(beam(4e8, 0.02)), fine = world_of(beam(4e8, 0.004));
  for (World* const world : {&coarse, &fine})
    for (int frame = 0; frame < 20; ++frame) advance(*world);
  CHECK(lowest(coarse) < -0.0785);
  CHECK(lowest(coarse) + 0.075 == doctest::Approx(lowest(fine) + 0.075).epsilon(0.01));
}
