#include <array>
#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/marching_cubes.h"

using namespace phyxel;

namespace {

PointField field_of(const Column<Vec3>& x, FieldKind kind, Real spacing = 1) {
  FieldOptions options;
  options.kind = kind;
  options.spacing = spacing;
  PointField field;
  make_field({}, x, options, field);
  return field;
}

/// Layers of a closest packing of spacing 1, the last one at z = 0, each point moved at random by
/// up to `jitter` along each axis.
Column<Vec3> layers_of_points(int layers, int half_width, Real jitter) {
  const Real row = std::sqrt(Real(0.75)), layer = std::sqrt(Real(2) / 3);
  Column<Vec3> x;
  for (int l = 1 - layers; l <= 0; ++l)
    for (int b = -half_width; b <= half_width; ++b)
      for (int a = -half_width; a <= half_width; ++a) {
        const Real odd_row = b & 1 ? Real(0.5) : 0, odd_layer = l & 1 ? Real(0.5) : 0;
        const Vec3 place = {Real(a) + odd_row + odd_layer, Real(b) * row + odd_layer * row * 2 / 3,
                            Real(l) * layer};
        const Vec3 shift =
            Random{5, 0}.uniform3(static_cast<std::uint32_t>(x.size())) * Real(2) - Vec3::filled(1);
        x.push_back(place + shift * jitter);
      }
  return x;
}
const Real half_layer = std::sqrt(Real(1) / 6);

/// Where the field changes its sign between two places, the first of which is inside.
Vec3 crossing(const PointField& field, Vec3 inside, Vec3 outside) {
  REQUIRE(field_value(field, inside) > 0);
  REQUIRE(field_value(field, outside) < 0);
  for (int k = 0; k < 20; ++k) {
    const Vec3 middle = (inside + outside) * Real(0.5);
    (field_value(field, middle) > 0 ? inside : outside) = middle;
  }
  return inside;
}

/// How a nearly flat surface above a place differs from a plane.
struct Flatness {
  double height = 0;  // mean, in spacings
  double rough = 0;   // root of the mean square of the difference from it
  double turn = 0;    // root of the mean square of the normals' angles, in degrees
};
Flatness measure(const PointField& field, Real from, Real to) {
  Flatness f;
  double squares = 0;
  const int n = 400;
  for (int k = 0; k < n; ++k) {
    const Vec3 at = (Random{6, 0}.uniform3(k) - Vec3::filled(Real(0.5))) * Real(12);
    const Vec3 on = crossing(field, {at[0], at[1], from}, {at[0], at[1], to});
    const double up = std::min(1.0, double(field_normal(field, on)[2]));
    f.height += on[2] / n;
    squares += double(on[2]) * on[2] / n;
    f.turn += std::acos(up) * std::acos(up) / n;
  }
  f.rough = std::sqrt(std::max(0.0, squares - f.height * f.height));
  f.turn = std::sqrt(f.turn) * 180 / M_PI;
  return f;
}

}  // namespace

TEST_CASE("flat_bodies_end_half_a_layer_beyond_their_last_layer") {
  const std::vector<Vec3> box = sample_inside(shape_box({20, 20, 10}), Packing::cubic, 1, 1, 3);
  const Flatness cubic = measure(field_of({box.begin(), box.end()}, FieldKind::anisotropic), 3, 7);
  const Flatness closest =
      measure(field_of(layers_of_points(8, 12, 0), FieldKind::anisotropic), -1, 2);
  // One sum on the surface serves all packings: within a thirtieth of the spacing.
  CHECK(std::abs(cubic.height - 5) < 0.033);
  CHECK(std::abs(closest.height - double(half_layer)) < 0.033);
  CHECK(cubic.rough < 0.005);
  CHECK(closest.rough < 0.005);
}

TEST_CASE("stretched_kernels_smooth_what_the_others_show") {
  // Jitter of a liquid at rest: a third of the spacing and less.
  const Column<Vec3> x = layers_of_points(8, 12, Real(0.3));
  const Flatness stretched = measure(field_of(x, FieldKind::anisotropic), -2, 3);
  for (const FieldKind kind : {FieldKind::blobs, FieldKind::sph, FieldKind::zhu_bridson}) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const Flatness other = measure(field_of(x, kind), -2, 3);
    // Light shows the normals. Waves longer than any kernel remain in the heights.
    CHECK(stretched.turn < 0.5 * other.turn);
    CHECK(stretched.rough < 0.8 * other.rough);
  }
  CHECK(stretched.turn < 5);
  CHECK(std::abs(stretched.height - double(half_layer)) < 0.06);
}

TEST_CASE("sheets_stay_thin_where_wide_round_kernels_swell_them") {
  for (const int layers : {1, 2, 3}) {
    CAPTURE(layers);
    const Column<Vec3> x = layers_of_points(layers, 12, Real(0.1));
    const auto thickness = [&](FieldKind kind) {
      const PointField field = field_of(x, kind);
      const Real middle = -half_layer * Real(layers - 1);
      double sum = 0;
      for (int k = 0; k < 100; ++k) {
        const Vec3 at = (Random{7, 0}.uniform3(k) - Vec3::filled(Real(0.5))) * Real(10);
        const Vec3 inside = {at[0], at[1], middle};
        sum += crossing(field, inside, inside + Vec3{0, 0, 4})[2] -
               crossing(field, inside, inside - Vec3{0, 0, 4})[2];
      }
      return sum / 100;
    };
    const double wanted = 2 * double(half_layer) * layers;
    const double stretched = thickness(FieldKind::anisotropic), round = thickness(FieldKind::sph);
    // The volume of a particle is measured where points are densest, and in a sheet comes out too
    // large: by half with one layer.
    CHECK(stretched - wanted < 0.5 * (round - wanted));
    CHECK(stretched > 0.9 * wanted);
  }
}

TEST_CASE("few_particles_stay_drops_and_threads") {
  const auto surface_of = [](const Column<Vec3>& x) {
    SparseField grid;
    sample_field({}, field_of(x, FieldKind::anisotropic), Real(0.1), grid);
    return marching_cubes({}, grid);
  };
  const double own = 1 / std::sqrt(2.0);  // of a particle in a closest packing, m^3
  const TriangleMesh drop = surface_of({{Real(0.2), Real(0.1), 0}});
  CHECK(volume(drop) > 0.4 * own);
  CHECK(volume(drop) < 1.1 * own);
  Column<Vec3> thread;
  for (int k = 0; k < 12; ++k) thread.push_back({Real(k), 0, 0});
  const TriangleMesh line = surface_of(thread);
  CHECK(static_cast<int>(line.vertices.size()) - static_cast<int>(line.triangles.size()) / 2 == 2);
  CHECK(volume(line) > 0.4 * 12 * own);
  CHECK(volume(line) < 1.3 * 12 * own);
}

TEST_CASE("a_turned_cloud_has_the_turned_field") {
  const Mat3 turn = rotation_degrees({31, 17, 43});
  const std::vector<Vec3> ball = sample_inside(shape_sphere(9), Packing::closest, 1, 1, 3);
  Column<Vec3> cloud, small, ball_turned, small_turned;
  for (std::size_t i = 0; i < ball.size(); ++i)
    cloud.push_back(ball[i] + Random{8, 0}.uniform3(static_cast<std::uint32_t>(i)) * Real(0.3));
  for (std::size_t i = 0; i < 450; ++i)
    small.push_back(Random{9, 0}.uniform3(static_cast<std::uint32_t>(i)) * Real(7));
  for (const Vec3& p : cloud) ball_turned.push_back(turn * p);
  for (const Vec3& p : small) small_turned.push_back(turn * p);
  for (const FieldKind kind : {FieldKind::sph, FieldKind::zhu_bridson, FieldKind::anisotropic}) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const PointField before = field_of(cloud, kind), after = field_of(ball_turned, kind);
    const PointField before_small = field_of(small, kind),
                     after_small = field_of(small_turned, kind);
    for (std::uint32_t k = 0; k < 300; ++k) {
      const Vec3 skin = normalized(Random{10, 0}.uniform3(k) - Vec3::filled(Real(0.5))) *
                        (Real(8) + Real(3) * Random{11, 0}.uniform(k));
      // The volume of a particle is measured at 500 of these, other ones when turned; where the
      // field is light or heavy, that changes it by some 1e-3.
      CHECK(std::abs(field_value(after, turn * skin) - field_value(before, skin)) < Real(5e-3));
      // All of these are measured. Positions are rounded to 1e-6 in floats; sums of some hundred
      // kernels follow them.
      const Vec3 at = Random{12, 0}.uniform3(k) * Real(7);
      CHECK(std::abs(field_value(after_small, turn * at) - field_value(before_small, at)) <
            Real(1e-4));
    }
  }
}
