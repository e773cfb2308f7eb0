#include <doctest/doctest.h>

#include "methods/pbd/kinds.h"
#include "phyxel/methods/pbd/constraints/cell.h"
#include "phyxel/methods/pbd/constraints/tetrahedron.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;

namespace {

constexpr double youngs_modulus = 3e4, poissons_ratio = 0.3;

constexpr std::array<Vec3d, 4> tetrahedron = {Vec3d{0.1, 0, 0}, Vec3d{0.9, 0.1, 0.2},
                                              Vec3d{0.2, 1.1, -0.3}, Vec3d{0.1, 0.2, 0.8}};

constexpr double edge = 0.5;

std::array<Vec3d, 8> cell() {
  std::array<Vec3d, 8> corners;
  for (int k = 0; k < 8; ++k)
    corners[k] = {(k & 1) * edge, (k >> 1 & 1) * edge, (k >> 2 & 1) * edge};
  return corners;
}

/// Far from rest, and no linear image of it.
template <std::size_t N>
std::array<Vec3d, N> strained(std::array<Vec3d, N> points) {
  for (std::size_t k = 0; k < N; ++k) {
    const Vec3d x = points[k];
    points[k] = {1.2 * x[0] + 0.1 * x[1] + 0.2 * x[1] * x[2], 0.9 * x[1] - 0.2 * x[2],
                 0.3 * x[0] + x[2] + 0.1 * x[0] * x[1]};
  }
  return points;
}

/// Turned inside out.
template <std::size_t N>
std::array<Vec3d, N> inverted(std::array<Vec3d, N> points) {
  for (Vec3d& x : points) x = {1.1 * x[0] + 0.2 * x[1], 0.8 * x[1], -0.7 * x[2] + 0.1 * x[0]};
  return points;
}

LameModuli moduli() {
  return lame_moduli(Real(youngs_modulus), Real(poissons_ratio));
}

/// An element with both of its constraints.
template <class Shape, class Volume>
struct Element {
  Points<Shape> rest_points;
  Vec<double, Shape::numbers> rest;
  double volume;

  double energy(const Points<Shape>& x) const {
    const double shape = slope_at<Shape>(x, rest).value, growth = slope_at<Volume>(x, rest).value;
    return volume / 2 *
           (double(moduli().mu) * shape * shape + double(moduli().lambda) * growth * growth);
  }

  /// Positions after a step h from rest, with a sweep; all particles weigh 1.
  Points<Shape> projected(const Points<Shape>& from, double h) const {
    Vec3d x[Shape::points];
    double w[Shape::points];
    for (int k = 0; k < Shape::points; ++k) {
      x[k] = from[k];
      w[k] = 1;
    }
    double of_shape = 0, of_volume = 0;
    project<Shape>(rest, w, 1 / (double(moduli().mu) * volume * h * h), of_shape, x);
    project<Volume>(rest, w, 1 / (double(moduli().lambda) * volume * h * h), of_volume, x);
    Points<Shape> to;
    for (int k = 0; k < Shape::points; ++k) to[k] = x[k];
    return to;
  }
};

template <class Law>
using TetrahedronOf = Element<TetrahedronShape<Law>, TetrahedronVolume>;
template <class Law>
using CellOf = Element<CellShape<Law>, CellVolume>;

template <class Law>
TetrahedronOf<Law> a_tetrahedron() {
  Vec3d x[4];
  for (int k = 0; k < 4; ++k) x[k] = tetrahedron[k];
  return {tetrahedron, tetrahedron_rest(x), six_volumes(x) / 6};
}
template <class Law>
CellOf<Law> a_cell() {
  return {cell(), {1 / edge}, edge * edge * edge};
}

/// In short steps and in steps so long that constraints are as good as rigid.
constexpr double steps[] = {1e-3, 2e-2, 10};

template <class E>
void check_rest_of(const E& element) {
  for (const double h : steps) {
    const auto at = moved_rigidly(element.rest_points);
    const auto after = element.projected(at, h);
    for (std::size_t k = 0; k < at.size(); ++k) CHECK(length(after[k] - at[k]) < 1e-13);
  }
}

template <class E>
void check_return(const E& element, decltype(E::rest_points) from) {
  const double before = element.energy(from);
  for (const double h : steps) {
    auto x = from;
    for (int step = 0; step < (h < 0.01 ? 60000 : 600); ++step) x = element.projected(x, h);
    CHECK(element.energy(x) < 1e-6 * before);
  }
}

/// Energy of small strains beside that of linear elasticity.
template <class E>
void check_moduli(const E& element) {
  const double mu = youngs_modulus / (2 * (1 + poissons_ratio));
  const double lame = 2 * mu * poissons_ratio / (1 - 2 * poissons_ratio), s = 1e-3;
  const Mat3d strains[] = {{{{s, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
                           {{{0, s, 0}, {s, 0, 0}, {0, 0, 0}}},
                           {{{s, 0, s / 2}, {0, -s, 0}, {s / 2, 0, 2 * s}}}};
  for (const Mat3d& strain : strains) {
    auto x = element.rest_points;
    for (Vec3d& p : x) p += strain * p;
    const double linear =
        element.volume * (mu * norm_squared(strain) + lame / 2 * std::pow(trace(strain), 2));
    // Third orders of the strain.
    CHECK(element.energy(x) == doctest::Approx(linear).epsilon(0.01));
  }
}

template <class Law>
void check_law() {
  const auto solid = a_tetrahedron<Law>();
  for (const auto& x : {strained(tetrahedron), inverted(tetrahedron)})
    check_kind<TetrahedronShape<Law>>(x, solid.rest, 10);
  const auto cube = a_cell<Law>();
  for (const auto& x : {strained(cell()), inverted(strained(cell()))})
    check_kind<CellShape<Law>>(x, cube.rest, 10);
  check_rest_of(solid);
  check_rest_of(cube);
  check_moduli(solid);
  check_moduli(cube);
}

}  // namespace

TEST_CASE("corotated_shapes_have_their_gradients_and_moduli_also_inside_out") {
  check_law<Corotated>();
}

TEST_CASE("neo_hookean_shapes_have_their_gradients_and_moduli_also_inside_out") {
  check_law<NeoHookean>();
}

TEST_CASE("a_neo_hookean_shape_and_its_volume_have_the_energy_of_the_paper") {
  const auto element = a_tetrahedron<NeoHookean>();
  const double mu = double(moduli().mu), lambda = double(moduli().lambda);
  for (const double s : {0.5, 0.9, 1.4, 2.5}) {
    auto x = element.rest_points;
    for (Vec3d& p : x) p = {s * p[0], 1.1 * p[1] + 0.3 * p[0], p[2]};
    const double i = s * s + 1.1 * 1.1 + 0.3 * 0.3 + 1, j = 1.1 * s;
    // Smith et al. 2018, eq. 13, less its value at rest.
    const double alpha = 1 + mu / (lambda + mu);
    const auto psi = [&](double i_c, double det) {
      return mu / 2 * (i_c - 3) + (lambda + mu) / 2 * (det - alpha) * (det - alpha);
    };
    CHECK(element.energy(x) ==
          doctest::Approx(element.volume * (psi(i, j) - psi(3, 1))).epsilon(1e-6));
  }
}

TEST_CASE("volumes_and_bending_have_their_gradients_also_inside_out_and_close") {
  const auto solid = a_tetrahedron<Corotated>();
  for (const auto& x : {strained(tetrahedron), inverted(tetrahedron)})
    check_kind<TetrahedronVolume>(x, solid.rest, 10);
  for (const auto& x : {strained(cell()), inverted(strained(cell()))}) {
    check_kind<CellVolume>(x, {1 / edge}, 10);
    check_kind<CellBend>(x, {1 / edge}, 10);
  }
  check_projection<TetrahedronVolume>(strained(tetrahedron), solid.rest);
  check_projection<CellVolume>(strained(cell()), {1 / edge});
  // Particles of different masses: what is left of a bend points elsewhere after each sweep.
  check_projection<CellBend>(strained(cell()), {1 / edge}, 60);
}

TEST_CASE("inverted_and_flat_elements_come_back") {
  check_return(a_tetrahedron<Corotated>(), inverted(tetrahedron));
  check_return(a_cell<Corotated>(), inverted(cell()));
  auto flat = tetrahedron;
  for (Vec3d& p : flat) p[2] = 0.001 * p[0];
  check_return(a_tetrahedron<Corotated>(), flat);
  auto point = tetrahedron;
  for (Vec3d& p : point) p = p * 1e-6;
  check_return(a_tetrahedron<Corotated>(), point);
}

TEST_CASE("no_linear_image_of_a_cell_bends_it") {
  CHECK(slope_at<CellBend>(inverted(cell()), {1 / edge}).value < 1e-14);
}

TEST_CASE("a_bent_cell_has_the_energy_of_pure_bending") {
  // u_x = c x z, and u_z = -c x^2 / 2, which the corners of a cell about its centre do not see.
  Points<CellBend> x = cell();
  const double c = 0.01, volume = edge * edge * edge;
  for (Vec3d& p : x) p[0] += c * (p[0] - edge / 2) * (p[2] - edge / 2);
  const double value = slope_at<CellBend>(x, {1 / edge}).value;
  const double k = youngs_modulus * volume / cell_bend_softness;
  CHECK(k * value * value / 2 ==
        doctest::Approx(youngs_modulus * c * c * volume * edge * edge / 24).epsilon(1e-6));
}
