#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/field.h"

using namespace phyxel;

namespace {

constexpr FieldKind kinds[] = {FieldKind::blobs, FieldKind::sph, FieldKind::zhu_bridson,
                               FieldKind::anisotropic};

PointField field_of(const Column<Vec3>& x, FieldKind kind, Real spacing = 0) {
  FieldOptions options;
  options.kind = kind;
  options.spacing = spacing;
  PointField field;
  make_field({}, x, options, field);
  return field;
}

Column<Vec3> ball(Real radius, Real spacing) {
  const std::vector<Vec3> points =
      sample_inside(shape_sphere(radius), Packing::closest, spacing, 1, 3);
  return {points.begin(), points.end()};
}

Vec3 differences(const PointField& field, const Vec3& at, Real h) {
  Vec3 slope;
  for (int c = 0; c < 3; ++c) {
    Vec3 step = Vec3::zero();
    step[c] = h;
    slope[c] = (field_value(field, at + step) - field_value(field, at - step)) / (2 * h);
  }
  return slope;
}

}  // namespace

TEST_CASE("a_sample_is_the_value_and_its_slope") {
  const Real spacing = Real(0.1);
  const Column<Vec3> x = ball(1, spacing);
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const PointField field = field_of(x, kind);
    for (Index k = 0; k < 200; ++k) {
      const Vec3 at = normalized(Random{7, 0}.uniform3(k) - Vec3::filled(Real(0.5))) *
                      (Real(0.9) + Real(0.2) * Random{8, 0}.uniform(k));
      const FieldSample sample = sample_at(field, at);
      CHECK(double(sample.value) == doctest::Approx(double(field_value(field, at))).epsilon(1e-5));
      // Differences over a hundredth of the spacing of values rounded to 1e-8; where the two parts
      // of zhu_bridson meet, the slope has a kink, which these places miss. Bells end with a jump
      // of a thousandth of the sum on the surface: 0.06 over this distance.
      const Vec3 expected = differences(field, at, spacing / 50);
      CHECK(double(length(sample.gradient - expected)) < 0.06 + 0.02 * double(length(expected)));
    }
  }
}

TEST_CASE("the_value_of_a_flat_body_grows_like_the_distance_at_its_surface") {
  const Real spacing = Real(0.1);
  const std::vector<Vec3> points =
      sample_inside(shape_box({2, 2, 2}), Packing::cubic, spacing, 1, 3);
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const PointField field = field_of({points.begin(), points.end()}, kind);
    double mean = 0;
    for (Index k = 0; k < 50; ++k) {
      const Vec3 place = Random{9, 0}.uniform3(k) - Vec3::filled(Real(0.5));
      mean -= double(sample_at(field, {place[0], place[1], 1}).gradient[2]) / 50;
    }
    // Kernels reach some three layers: their sum is no distance, and its slope follows the layers.
    CHECK(mean > 0.7);
    CHECK(mean < 1.6);
  }
}

TEST_CASE("points_far_apart_are_found_like_points_in_one_place") {
  // Too far for a table of rows: 1e5 cells in each direction.
  const Column<Vec3> near = ball(Real(0.4), Real(0.1));
  const Vec3 shift = {Real(8), Real(16384), Real(-32768)};
  Column<Vec3> both = near;
  for (const Vec3& p : near) both.push_back(p - shift);
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const PointField one = field_of(near, kind, Real(0.1)), two = field_of(both, kind, Real(0.1));
    CHECK(!one.rows.row.empty());
    CHECK(two.rows.row.empty());
    for (Index k = 0; k < 100; ++k) {
      const Vec3 at = Random{10, 0}.uniform3(k) - Vec3::filled(Real(0.5));
      // The volume of a particle is measured in both, and comes out the same to rounding.
      CHECK(double(sample_at(one, at).value) ==
            doctest::Approx(double(sample_at(two, at).value)).epsilon(1e-2));
    }
  }
}
