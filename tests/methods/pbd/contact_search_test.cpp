#include <doctest/doctest.h>
#include <random>
#include <set>

#include "methods/pbd/contact_sheet.h"

// Which pairs of elements the search finds, and which it may leave out.

using namespace phyxel;
using namespace phyxel::pbd;

namespace {

struct Pair {
  PairKind kind;
  Index corner[4];

  /// The same for all orders of the corners of its elements.
  std::pair<int, std::vector<Index>> key() const {
    std::vector<Index> c(corner, corner + 4);
    if (kind == PairKind::vertex_triangle) {
      std::sort(c.begin() + 1, c.end());
    } else {
      std::sort(c.begin(), c.begin() + 2);
      std::sort(c.begin() + 2, c.end());
      if (c[0] > c[2]) std::swap_ranges(c.begin(), c.begin() + 2, c.begin() + 2);
    }
    return {int(kind), c};
  }
};
using Keys = std::set<std::pair<int, std::vector<Index>>>;

Keys keys_of(const Column<Candidate>& found) {
  Keys keys;
  for (const Candidate& c : found)
    CHECK(keys.insert(Pair{c.kind, {c.corner[0], c.corner[1], c.corner[2], c.corner[3]}}.key())
              .second);  // each pair once
  return keys;
}

/// All pairs of elements without a common corner.
std::vector<Pair> all_pairs(const ContactSheets& s) {
  std::vector<Pair> pairs;
  for (const Int3& t : s.mesh.triangles)
    for (Index v = 0; v < static_cast<Index>(s.x.size()); ++v)
      if (v != t[0] && v != t[1] && v != t[2])
        pairs.push_back({PairKind::vertex_triangle, {v, t[0], t[1], t[2]}});
  for (std::size_t i = 0; i < s.edges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec<Index, 2> e = s.edges[j], f = s.edges[i];
      if (e[0] != f[0] && e[0] != f[1] && e[1] != f[0] && e[1] != f[1])
        pairs.push_back({PairKind::edge_edge, {e[0], e[1], f[0], f[1]}});
    }
  return pairs;
}

/// Those that may touch while particles stay in their balls.
std::vector<Pair> pairs_in_reach(const ContactSheets& s, const Column<ContactBall>& balls) {
  std::vector<Pair> near;
  for (const Pair& pair : all_pairs(s)) {
    const Index* const c = pair.corner;
    const int first = pair.kind == PairKind::vertex_triangle ? 1 : 2;
    Real reach[2] = {0, 0};
    Vec3 x[4];
    for (int k = 0; k < 4; ++k) {
      x[k] = s.x[c[k]];
      reach[k >= first] = std::max(reach[k >= first], balls[c[k]].radius);
    }
    if (std::sqrt(nearest(pair.kind, x).squared) <= reach[0] + reach[1]) near.push_back(pair);
  }
  return near;
}

Column<ContactBall> balls_of(const ContactSheets& s, Real radius, Real more) {
  Column<ContactBall> balls;
  for (std::size_t i = 0; i < s.x.size(); ++i)
    balls.push_back({s.x[i], radius + more * Real(i % 7)});
  return balls;
}

Keys search(const ContactElements& elements, const Column<ContactBall>& balls, Real half) {
  CandidateSearch search;
  search.set_elements(elements);
  Column<Candidate> found;
  search.find({}, balls, half, nullptr, found);
  return keys_of(found);
}

ContactSheets crumpled_sheet() {
  ContactSheets s;
  add_sheet(s, 8, Real(0.1), Real(0.08), [](const Vec3& q) { return q; });
  return s;
}

/// A place in a ball, often on its surface.
Vec3 place_in(const ContactBall& ball, Real half, std::mt19937& engine) {
  std::uniform_real_distribution<double> any(-1, 1);
  const Vec3 to = {Real(any(engine)), Real(any(engine)), Real(any(engine))};
  return ball.centre + to * ((ball.radius - half) / std::max(length(to), Real(1)));
}

}  // namespace

TEST_CASE("the_tree_finds_every_pair_of_elements_that_is_in_reach_and_each_once") {
  const ContactSheets s = crumpled_sheet();
  ContactElements elements = make_elements({s.mesh.triangles, s.edges}, s.rest, s.body);
  elements.start.assign(elements.leaves + 1, 0);  // no leaves are one patch: nothing is left out
  elements.neighbour.clear();
  const Column<ContactBall> balls = balls_of(s, Real(0.025), Real(0.001));
  const Keys found = search(elements, balls, Real(0.002));
  const std::vector<Pair> expected = pairs_in_reach(s, balls);
  std::size_t missing = 0;
  for (const Pair& pair : expected) missing += found.count(pair.key()) == 0;
  CHECK(expected.size() > 500);
  CHECK(missing == 0);
  CHECK(found.size() == expected.size());
}

TEST_CASE("the_tree_finds_every_pair_that_comes_in_reach_while_balls_travel") {
  const ContactSheets s = crumpled_sheet();
  ContactElements elements = make_elements({s.mesh.triangles, s.edges}, s.rest, s.body);
  elements.start.assign(elements.leaves + 1, 0);
  elements.neighbour.clear();
  Column<ContactBall> balls = balls_of(s, Real(0.01), 0);
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> any(-0.05, 0.05);
  for (ContactBall& ball : balls)
    ball.travel = {Real(1 + any(engine)), Real(any(engine)), Real(any(engine))};
  const Keys found = search(elements, balls, Real(0.002));
  std::size_t missing = 0, coming = 0;
  for (const Pair& pair : all_pairs(s)) {
    Real least = 1;
    for (int k = 0; k <= 10; ++k) {
      Vec3 x[4];
      for (int c = 0; c < 4; ++c) {
        const ContactBall& ball = balls[pair.corner[c]];
        x[c] = ball.centre + ball.travel * Real(0.1 * k);
      }
      least = std::min(least, std::sqrt(nearest(pair.kind, x).squared));
    }
    if (least > Real(0.02)) continue;
    ++coming;
    missing += found.count(pair.key()) == 0;
  }
  CHECK(coming > 100);
  CHECK(missing == 0);
  CHECK(found.size() < 40 * coming);
}

TEST_CASE("pairs_that_flat_patches_leave_out_cannot_touch_while_particles_stay_in_their_balls") {
  std::mt19937 engine(3);
  const Real half = Real(0.03);
  std::size_t left_out = 0;
  int touching = 0;
  for (int trial = 0; trial < 60; ++trial) {
    ContactSheets s;
    // Waves of other heights and directions, from nearly flat to too steep for any patch.
    std::uniform_real_distribution<double> any(-1, 1);
    const Real height = Real(0.1 * (1 + any(engine))), kx = Real(8 * any(engine)),
               ky = Real(8 * any(engine));
    add_sheet(s, 8, Real(0.1), Real(0.01), [&](const Vec3& q) {
      return Vec3{q[0], q[1], height * std::sin(kx * q[0] + ky * q[1])};
    });
    const Column<ContactBall> balls = balls_of(s, half + Real(0.015 * (1 + any(engine))), 0);
    const ContactElements elements = make_elements({s.mesh.triangles, s.edges}, s.rest, s.body);
    const Keys found = search(elements, balls, half);
    for (const Pair& pair : pairs_in_reach(s, balls)) {
      if (found.count(pair.key())) continue;
      ++left_out;
      for (int k = 0; k < 20; ++k) {
        Vec<double, 3> x[4], move[4];
        for (int c = 0; c < 4; ++c) {
          const ContactBall& ball = balls[pair.corner[c]];
          x[c] = cast<double>(ball.centre);
          move[c] = cast<double>(place_in(ball, half, engine)) - x[c];
        }
        touching += free_part(pair.kind, x, move, 1e-6) < 1;
      }
    }
  }
  CHECK(left_out > 1000);
  CHECK(touching == 0);
}

TEST_CASE("lips_of_a_slit_are_searched_even_where_all_is_flat") {
  ContactSheets s;
  add_sheet(s, 8, Real(0.1), 0, [](const Vec3& q) { return q; });
  // Triangles above a line have copies of its vertices, on one half of the line.
  const Index before = static_cast<Index>(s.x.size());
  std::vector<Index> copy(before, -1);
  Real line = 1;
  for (const Vec3& x : s.x) line = std::abs(x[1]) < std::abs(line) ? x[1] : line;
  const auto row = [&](Index v) { return std::abs(s.rest[v][1] - line) < Real(0.01); };
  for (Int3& t : s.mesh.triangles) {
    const Vec3 centre = (s.x[t[0]] + s.x[t[1]] + s.x[t[2]]) / Real(3);
    for (int k = 0; k < 3; ++k) {
      const Index v = t[k];
      if (v >= before || centre[1] < line || s.x[v][0] < Real(0.05) || !row(v)) continue;
      if (copy[v] < 0) {
        copy[v] = static_cast<Index>(s.x.size());
        s.x.push_back(Vec3(s.x[v]));
        s.rest.push_back(Vec3(s.rest[v]));
        s.body.push_back(0);
      }
      t[k] = copy[v];
    }
  }
  REQUIRE(s.x.size() > std::size_t(before) + 2);
  s.edges.clear();
  const Column<ContactBall> balls = balls_of(s, Real(0.02), 0);
  const Keys found =
      search(make_elements({s.mesh.triangles, s.edges}, s.rest, s.body), balls, Real(0.002));
  std::size_t lips = 0;
  for (const Pair& pair : pairs_in_reach(s, balls)) {
    if (pair.corner[0] < before) continue;
    ++lips;
    CHECK(found.count(pair.key()) == 1);
  }
  CHECK(lips > 10);
}

TEST_CASE("of_a_flat_sheet_most_pairs_in_reach_are_left_out") {
  ContactSheets s;
  add_sheet(s, 20, Real(0.1), 0, [](const Vec3& q) { return q; });
  const Real half = Real(0.03);
  const Column<ContactBall> balls = balls_of(s, half + Real(0.02), 0);
  ContactElements elements = make_elements({s.mesh.triangles, s.edges}, s.rest, s.body);
  const std::size_t by_patches = search(elements, balls, half).size();
  elements.start.assign(elements.leaves + 1, 0);
  const std::size_t all = search(elements, balls, half).size();
  CHECK(all > 5000);
  CHECK(by_patches < all / 2);
}

TEST_CASE("sheets_that_fall_together_are_searched_once") {
  ContactSheets s;
  for (const Real side : {Real(1), Real(-1)})
    add_sheet(s, 10, Real(0.02), 0, [&](const Vec3& q) {
      return Vec3{q[0], q[1], q[2] + Real(0.008) * side};
    });
  s.settings = {Real(0.01), 0};
  prepare(s);
  for (Vec3& v : s.v) v = {3, -20, 1};
  for (int step = 0; step < 200; ++step)
    substep(s, Real(0.001), 0, [](Index, const Vec3& p) { return p; });
  CHECK(s.contacts.searches() <= 3);
}
