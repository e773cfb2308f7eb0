#include "phyxel/surfaces/surfels/carry.h"

#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/surfaces/surfels/bind.h"
#include "surfaces/surfels/cases.h"

using namespace phyxel;

namespace {

const SurfelMotion rigid = {rotation_degrees({40, -25, 110}), {3, -2, Real(0.5)}};
const SurfelMotion affine = {
    Mat3{
        {{Real(1.3), Real(0.2), 0}, {Real(-0.1), Real(0.8), Real(0.4)}, {Real(0.3), 0, Real(1.1)}}},
    {-1, 2, 5}};
/// Sums of 16 terms of some 5 m are rounded a few times.
constexpr double rounding = 40 * double(std::numeric_limits<Real>::epsilon());

SurfelCase ball() {
  return surfel_case(shape_sphere(1), Real(0.25), Real(0.1), displacement_only());
}

/// Phyxels that wobble by a smooth field of amplitude `a`, m.
SurfelPhyxels wobbled(SurfelPhyxels p, Real a) {
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3 X = p.reference[i];
    p.x[i] = X + Vec3{a * std::sin(3 * X[1]), a * std::sin(3 * X[2]), a * std::sin(3 * X[0])};
    p.deformation[i] = Mat3::identity();
    for (int r = 0; r < 3; ++r)
      p.deformation[i][r][(r + 1) % 3] = 3 * a * std::cos(3 * X[(r + 1) % 3]);
  }
  return p;
}

/// Phyxels on one side of a plane through the middle, turned nearly half around its normal.
SurfelPhyxels turned_apart(SurfelPhyxels p) {
  const Mat3 turn = rotation_degrees({170, 0, 0});
  for (Index i = 0; i < p.size(); ++i) {
    if (p.reference[i][0] < Real(0.01)) continue;
    p.x[i] = turn * p.reference[i];
    p.deformation[i] = turn;
  }
  return p;
}

double area(const Surfels& s, Index k) {
  return length(cross(s.u[k], s.v[k]));
}

}  // namespace

TEST_CASE("surfels between phyxels that have turned apart hold on to the nearest") {
  SurfelCase c = ball();
  advance(c, turned_apart(c.phyxels), displacement_only());
  const CarriedSurfels& s = c.surface.detail;
  const double whole = 0.1 * 0.1;  // of a disc at rest, m^2
  for (Index k = 0; k < s.size(); ++k) {
    // The mean of two turns by 170 degrees shrinks areas across their axis to 0.008.
    CHECK(area(s, k) > 0.2 * whole);
    // The mean counts while it keeps half of an area, and so 0.71 of a radius; beyond it ends at 0.
    CHECK(std::abs(length(s.x[k]) - 1) < 0.3);
  }
}

TEST_CASE("surfels that are bound where phyxels have turned apart come back with them") {
  SurfelCase c = ball();
  const SurfelPhyxels rest = c.phyxels;
  advance(c, turned_apart(rest), displacement_only());
  bind_all({}, c.phyxels, c.surface.detail);
  advance(c, rest, displacement_only());
  const CarriedSurfels& s = c.surface.detail;
  for (Index k = 0; k < s.size(); ++k) {
    // An anchor by the inverse of the mean would lie up to a hundred times too far out.
    CHECK(length(s.x[k]) < 1.5);
    CHECK(length(s.u[k]) < 2 * 0.1);
    CHECK(length(s.v[k]) < 2 * 0.1);
  }
}

TEST_CASE("half axes have a limit, however far matter is torn about its phyxels") {
  SurfelCase c = ball();
  SurfelMotion torn;
  torn.linear[1][1] = 30;
  advance(c, moved(c.phyxels, torn), displacement_only());
  const CarriedSurfels& s = c.surface.detail;
  double longest = 0;
  for (Index k = 0; k < s.size(); ++k)
    longest = std::max({longest, double(length(s.u[k])), double(length(s.v[k]))});
  CHECK(longest == doctest::Approx(longest_axis * 0.1).epsilon(1e-4));
}

TEST_CASE("a rigid motion carries surfels and their axes rigidly") {
  SurfelCase c = ball();
  const Surfels rest = c.surface.detail;
  advance(c, moved(c.phyxels, rigid), displacement_only());
  CHECK(distance(c.surface.detail, rest, rigid) < rounding);
}

TEST_CASE("an affine motion carries surfels exactly") {
  SurfelCase c = ball();
  const Surfels rest = c.surface.detail;
  advance(c, moved(c.phyxels, affine), displacement_only());
  CHECK(distance(c.surface.detail, rest, affine) < rounding);
}

TEST_CASE("surfels of a flowing body follow affine motions frame by frame") {
  SurfelCase c = ball();
  const Surfels rest = c.surface.detail;
  const SurfelMotion step = {rotation_degrees({3, 4, -5}), {Real(0.01), 0, Real(-0.02)}};
  SurfelMotion all;
  for (int frame = 0; frame < 10; ++frame) {
    advance(c, flowed(c.phyxels, step), displacement_only());
    all = {step.linear * all.linear, step(all.shift)};
  }
  CHECK(distance(c.surface.detail, rest, all) < 10 * rounding);
}

TEST_CASE("detail that stays anchored does not drift in 500 frames") {
  SurfelCase c = ball();
  const Surfels rest = c.surface.detail;
  const SurfelPhyxels start = c.phyxels;
  for (int frame = 0; frame < 500; ++frame)
    advance(c, wobbled(start, Real(0.1) * Real(std::sin(0.3 * frame))), displacement_only());
  advance(c, start, displacement_only());
  // Far below a tenth of the spacing: the place is a function of the phyxels, not of their past.
  CHECK(distance(c.surface.detail, rest, {}) < rounding);
}

TEST_CASE("a surfel that solidifies stays where it is and follows its new reference shape") {
  SurfelCase c = ball();
  SurfelPhyxels flowing = flowed(c.phyxels, affine);
  advance(c, flowing, displacement_only());
  const Surfels molten = c.surface.detail;
  SurfelPhyxels solid = moved(flowing, rigid);  // as it turns it becomes solid
  for (std::uint8_t& absorbs : solid.absorbs) absorbs = 0;
  advance(c, solid, displacement_only());
  CHECK(distance(c.surface.detail, molten, rigid) < 4 * rounding);
  for (Index k = 0; k < c.surface.detail.size(); ++k) REQUIRE(c.surface.detail.flows[k] == 0);
  advance(c, moved(solid, affine), displacement_only());
  CHECK(distance(c.surface.detail, molten, affine) < 10 * rounding);
}

TEST_CASE("surfels are carried between their phyxels smoothly") {
  SurfelCase c = surfel_case(shape_sphere(1), Real(0.15), Real(0.1), displacement_only());
  const Surfels rest = c.surface.detail;
  advance(c, wobbled(c.phyxels, Real(0.1)), displacement_only());
  const auto field = [](const Vec3& X) {
    return X + Vec3{std::sin(3 * X[1]), std::sin(3 * X[2]), std::sin(3 * X[0])} * Real(0.1);
  };
  // Linear terms are exact; of the curvature 3^2 0.1 1/m the half times (h/3)^2 = 0.0156 m^2 is
  // left: 0.007 m.
  for (Index k = 0; k < rest.size(); ++k)
    CHECK(length(c.surface.detail.x[k] - field(rest.x[k])) < 0.008);
}

TEST_CASE("surfels hold on to phyxels of their own body") {
  const Real s = Real(0.2);
  SurfelPhyxels p = phyxels_in(shape_box({1, 1, 1}), s);
  for (Index i = 0; i < p.size(); ++i) p.object.push_back(p.x[i][0] > 0);
  Surfels surfels = surfels_on(shape_box({1, 1, 1}), Real(0.1));
  const SurfelSurface surface = make_surfel_surface({}, surfels, p, Real(0.1), displacement_only());
  const CarriedSurfels& d = surface.detail;
  for (Index k = 0; k < d.size(); ++k)
    for (int j = 0; j < most_links && d.weight[k][j] > 0; ++j)
      CHECK(p.object[d.phyxel[k][j]] == d.object[k]);
}

TEST_CASE("weights of a surfel add up to one, the nearest phyxel first") {
  const SurfelCase c = ball();
  for (const LinkWeights& w : c.surface.detail.weight) {
    double sum = 0;
    for (int k = 0; k < most_links; ++k) {
      sum += w[k];
      if (k > 0) CHECK(w[k] <= w[0]);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("surfels survive the removal of some phyxels, and go with the last of them") {
  SurfelCase c = ball();
  const Surfels rest = c.surface.detail;
  const auto without = [](const SurfelPhyxels& p, const auto& is_gone) {
    SurfelPhyxels left;
    for (Index i = 0; i < p.size(); ++i) {
      if (is_gone(p.x[i])) continue;
      left.id.push_back(p.id[i]), left.x.push_back(p.x[i]);
      left.reference.push_back(p.reference[i]), left.deformation.push_back(p.deformation[i]);
      left.absorbed.push_back(p.absorbed[i]), left.absorbs.push_back(p.absorbs[i]);
      left.support.push_back(p.support[i]), left.boundary.push_back(p.boundary[i]);
    }
    return left;
  };
  advance(c, without(c.phyxels, [](const Vec3& x) { return x[0] > Real(0.2); }),
          displacement_only());
  Index beyond = 0;
  for (const Vec3& x : c.surface.detail.x) beyond += x[0] > Real(0.9);
  CHECK(beyond == 0);
  CHECK(c.surface.detail.size() > rest.size() / 2);
  for (Index k = 0; k < c.surface.detail.size(); ++k)  // ids were 0, 1, ...: they have not moved
    CHECK(length(c.surface.detail.x[k] - rest.x[c.surface.detail.id[k]]) < rounding);
  advance(c, without(c.phyxels, [](const Vec3&) { return true; }), displacement_only());
  CHECK(c.surface.detail.size() == 0);
}

TEST_CASE("a surface that was saved and loaded goes on with the same bits") {
  SurfelCase c = ball();
  advance(c, flowed(c.phyxels, affine), displacement_only());
  SurfelCase loaded = c;
  loaded.surface = load_surfels(save(c.surface));
  const SurfelPhyxels next = flowed(c.phyxels, rigid);
  advance(c, next, displacement_only());
  advance(loaded, next, displacement_only());
  CHECK(loaded.surface.detail.x == c.surface.detail.x);
  CHECK(loaded.surface.detail.u == c.surface.detail.u);
  CHECK(loaded.surface.detail.id == c.surface.detail.id);
  CHECK(loaded.surface.frame == c.surface.frame);
  CHECK_THROWS_AS(load_surfels({}), Error);
}

TEST_CASE("surfels and phyxels that do not fit are refused") {
  SurfelCase c = ball();
  SurfelPhyxels other = c.phyxels;
  other.id[0] = 1000000;
  std::sort(other.id.begin(), other.id.end());
  CHECK_THROWS_AS(advance_surfels({}, c.surface, other, other, {}, {}, c.scratch), Error);
  other.support.pop_back();
  CHECK_THROWS_WITH_AS(check(other), doctest::Contains("support"), Error);
  CHECK_THROWS_AS(make_surfel_surface({}, {}, c.phyxels, Real(0.1), {}), InputError);
  CHECK_THROWS_AS(make_surfel_surface({}, c.surface.detail, {}, Real(0.1), {}), InputError);
}
