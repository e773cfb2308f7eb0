#include "phyxel/methods/mls/law.h"

#include <doctest/doctest.h>

#include "methods/mls/random_shapes.h"

using namespace phyxel;
using namespace phyxel::mls;
using namespace phyxel::mls::test;

namespace {

const double youngs_modulus = 1e5;  // Pa: stresses are about that

/// With and without volume stiffness and fibres, nearly incompressible and not at all.
std::vector<Moduli<double>> many_moduli() {
  std::vector<Moduli<double>> all;
  for (const double nu : {0.0, 0.3, 0.49}) {
    Parameters p = elastic(youngs_modulus, nu);
    all.push_back(moduli_with(p));
    p.volume_stiffness = 0;
    p.fibre_modulus = Real(5 * youngs_modulus);
    all.push_back(moduli_with(p, 3, normalized(Vec3d{1, -2, 0.5})));
  }
  return all;
}

/// The same, and each of them as matter that has swollen and shrunk.
std::vector<Moduli<double>> swollen_or_not() {
  std::vector<Moduli<double>> all;
  for (Moduli<double> c : many_moduli())
    for (const double swollen : {0.0, 0.04, -0.04}) {
      c.swollen = swollen;
      all.push_back(c);
    }
  return all;
}

/// Energy of a gradient, and its stress; `directions` of the neighbours: P.
double energy_at(const Moduli<double>& c, const Mat3d& f, const Symmetric<double>& directions) {
  return energy_density(c, green_strain(f, directions), determinant(f));
}
Mat3d stress_at(const Moduli<double>& c, const Mat3d& f, const Symmetric<double>& directions) {
  return first_piola(c, f, stress_of(c, green_strain(f, directions)));
}
/// Stresses of F grow with its fourth power, and so do the terms that differences cancel.
double scale_of(const Moduli<double>& c, const Mat3d& f) {
  const double stretch = 1 + norm_squared(f);
  return (c.mu + std::abs(c.lambda) + c.volume_stiffness + c.fibre_stiffness) * stretch * stretch;
}

void check_slope_of_energy(const Moduli<double>& c, const Mat3d& f, const Mat3d& df,
                           const Symmetric<double>& directions) {
  const double h = 1e-5;
  const double slope =
      (energy_at(c, f + df * h, directions) - energy_at(c, f - df * h, directions)) / (2 * h);
  // Central differences over h: h^2 of the third derivative, and rounding over h.
  CHECK(std::abs(slope - inner(stress_at(c, f, directions), df)) < 1e-9 * scale_of(c, f));
}

/// Exact: appendix B, and the change of cofactors that it leaves out.
Mat3d whole_change(const Moduli<double>& c, const Mat3d& f, const Mat3d& df) {
  const Symmetric<double> s = stress_of(c, green_strain(f, identity()));
  return stress_change(c, f, s, df, {0, 0}) + cofactor_change(c, f, df);
}

/// Strain of a pull along x that leaves the sides as Poisson's ratio says.
Mat3d pulled(double strain, double nu) {
  return diagonal(Vec3d{strain, -nu * strain, -nu * strain});
}

Symmetric<double> shear_strain(double size) {
  return {0, 0, 0, 0, 0, size / std::sqrt(2.0)};
}
double shear_of(const Symmetric<double>& e) {
  const Symmetric<double> d = deviator(e);
  return std::sqrt(contract(d, d));
}

}  // namespace

TEST_CASE("stress_is_the_slope_of_the_energy") {
  for (const Moduli<double>& c : swollen_or_not()) {
    int k = 0;
    for (const Mat3d& f : many_gradients())
      check_slope_of_energy(c, f, random_matrix(++k, 7), identity());
  }
}

TEST_CASE("stress_is_the_slope_of_the_energy_in_sheets_and_along_lines") {
  for (const double rank : {1.0, 2.0}) {
    const Moduli<double> c = moduli_with(elastic(youngs_modulus, 0.3), rank);
    CHECK(c.volume_stiffness == 0);
    for (int k = 0; k < 100; ++k) {
      const Mat3d turn = random_rotation(k);
      const Mat3d along = turn * diagonal(Vec3d{1, rank - 1, 0}) * transpose(turn);
      const Mat3d f = random_matrix(k, 3) * 2 * along, df = random_matrix(k, 4) * along;
      check_slope_of_energy(c, f, df, symmetric(along));
    }
  }
}

TEST_CASE("the_change_of_stress_is_its_slope") {
  for (const Moduli<double>& c : swollen_or_not()) {
    int k = 0;
    for (const Mat3d& f : many_gradients()) {
      const double h = 1e-5;
      const Mat3d df = random_matrix(++k, 8);
      const Mat3d slope =
          (stress_at(c, f + df * h, identity()) - stress_at(c, f - df * h, identity())) *
          (1 / (2 * h));
      CHECK(size(whole_change(c, f, df) - slope) < 1e-8 * scale_of(c, f));
    }
  }
}

TEST_CASE("stiffness_is_symmetric") {
  // The change of stress by a, along b, is that by b along a: there is an energy.
  for (const Moduli<double>& c : swollen_or_not())
    for (int k = 0; k < 50; ++k) {
      const Mat3d f = random_matrix(k, 1) * 2, a = random_matrix(k, 2), b = random_matrix(k, 3);
      const double there = inner(whole_change(c, f, a), b), back = inner(whole_change(c, f, b), a);
      CHECK(std::abs(there - back) < 1e-13 * scale_of(c, f));
    }
}

TEST_CASE("with_the_tension_alone_stiffness_is_never_negative") {
  // As implicit steps need it, at any deformation.
  bool was_negative = false;
  for (const Moduli<double>& c : swollen_or_not()) {
    int k = 0;
    for (const Mat3d& f : many_gradients()) {
      const Mat3d df = random_matrix(++k, 9);
      const Symmetric<double> s = stress_of(c, green_strain(f, identity()));
      CHECK(inner(stress_change(c, f, positive_part(s), df, {0, 0}), df) > -1e-13 * scale_of(c, f));
      was_negative = was_negative || inner(whole_change(c, f, df), df) < -0.01 * c.mu;
    }
  }
  CHECK(was_negative);
}

TEST_CASE("the_positive_part_of_a_stress_keeps_its_tensions") {
  for (int k = 0; k < 50; ++k) {
    const Mat3d turn = random_rotation(k);
    const Symmetric<double> mixed = symmetric(turn * diagonal(Vec3d{2, -1, 0.5}) * transpose(turn)),
                            tension =
                                symmetric(turn * diagonal(Vec3d{2, 0, 0.5}) * transpose(turn));
    CHECK(size(full(positive_part(mixed)) - full(tension)) < 1e-14);
  }
}

TEST_CASE("the_law_is_objective_and_without_fibres_isotropic") {
  for (const Moduli<double>& c : many_moduli())
    for (int k = 0; k < 50; ++k) {
      const Mat3d f = random_matrix(k, 5) * 2, turn = random_rotation(k);
      const Mat3d stress = stress_at(c, f, identity());
      CHECK(size(stress_at(c, turn * f, identity()) - turn * stress) < 1e-13 * scale_of(c, f));
      // The body turned before it is deformed, with its fibres.
      Moduli<double> turned = c;
      turned.fibre = transpose(turn) * c.fibre;
      CHECK(size(stress_at(turned, f * turn, identity()) - stress * turn) < 1e-13 * scale_of(c, f));
    }
}

TEST_CASE("rotations_have_neither_strain_nor_stress") {
  for (const Moduli<double>& c : many_moduli())
    for (int k = 0; k < 50; ++k) {
      const Mat3d turn = random_rotation(k);
      CHECK(size(stress_at(c, turn, identity())) < 1e-13 * scale_of(c, turn));
      CHECK(std::abs(energy_at(c, turn, identity())) < 1e-26 * scale_of(c, turn));
    }
}

TEST_CASE("small_strains_have_the_modulus_and_the_ratio_that_the_material_names") {
  for (const double nu : {0.0, 0.2, 0.3, 0.45, 0.49})
    for (const double volume_stiffness : {-1.0, 0.0, 1e4}) {
      CAPTURE(nu);
      CAPTURE(volume_stiffness);
      Parameters p = elastic(youngs_modulus, nu);
      if (volume_stiffness >= 0) p.volume_stiffness = Real(volume_stiffness);
      const Moduli<double> c = moduli_with(p);
      const Mat3d stress = whole_change(c, Mat3d::identity(), pulled(1, double(p.poissons_ratio)));
      // Moduli are rounded to Real, and at 0.49 lambda is fifty times what is left of it.
      CHECK(stress[0][0] == doctest::Approx(youngs_modulus).epsilon(200 * eps));
      CHECK(std::abs(stress[1][1]) < 200 * eps * youngs_modulus);
      CHECK(std::abs(stress[0][1]) < 1e-14 * youngs_modulus);
    }
}

TEST_CASE("the_volume_stiffness_takes_from_lambda_what_it_gives_to_the_bulk_modulus") {
  Parameters p = elastic(youngs_modulus, 0.4);
  const SolidOf<double> chosen = solid_with(p);
  p.volume_stiffness = 0;
  const SolidOf<double> none = solid_with(p);
  CHECK(chosen.volume_stiffness > 0.9 * none.lambda);
  CHECK(chosen.lambda + chosen.volume_stiffness == doctest::Approx(none.lambda).epsilon(10 * eps));
  CHECK(chosen.mu == none.mu);
}

TEST_CASE("a_long_pull_follows_the_law_of_saint_venant_and_kirchhoff") {
  // P = E l (l^2 - 1) / 2 with l_t^2 = 1 - nu (l^2 - 1).
  const double nu = 0.3;
  Parameters p = elastic(youngs_modulus, nu);
  p.volume_stiffness = 0;
  const Moduli<double> c = moduli_with(p);
  for (const double l : {0.8, 1.2, 1.6}) {
    const double across = std::sqrt(1 - nu * (l * l - 1));
    const Mat3d stress = stress_at(c, diagonal(Vec3d{l, across, across}), identity());
    CHECK(stress[0][0] == doctest::Approx(youngs_modulus * l * (l * l - 1) / 2).epsilon(100 * eps));
    CHECK(std::abs(stress[1][1]) < 100 * eps * youngs_modulus);
  }
}

TEST_CASE("sheets_and_lines_are_as_stiff_as_free_ones") {
  const double nu = 0.3, e = youngs_modulus;
  const Symmetric<double> pull{1, 0, 0, 0, 0, 0};
  // A sheet that keeps its width has E / (1 - nu^2), a line E.
  const double sheet = stress_of(moduli_with(elastic(e, nu), 2), pull)[0],
               line = stress_of(moduli_with(elastic(e, nu), 1), pull)[0];
  CHECK(sheet == doctest::Approx(e / (1 - nu * nu)).epsilon(20 * eps));
  CHECK(stress_of(moduli_with(elastic(e, nu), 2), {0, 1, 0, 0, 0, 0})[0] ==
        doctest::Approx(nu * e / (1 - nu * nu)).epsilon(20 * eps));
  CHECK(line == doctest::Approx(e).epsilon(20 * eps));
}

TEST_CASE("a_flat_scene_of_plane_stress_is_a_sheet") {
  const double nu = 0.3, e = youngs_modulus;
  const SolidOf<double> slice = solid_with(elastic(e, nu), 2, Plane::strain),
                        sheet = solid_with(elastic(e, nu), 2, Plane::stress);
  CHECK(sheet.volume_stiffness == 0);
  CHECK(sheet.lambda + 2 * sheet.mu == doctest::Approx(e / (1 - nu * nu)).epsilon(20 * eps));
  CHECK(slice.lambda + slice.volume_stiffness + 2 * slice.mu ==
        doctest::Approx(e * (1 - nu) / ((1 + nu) * (1 - 2 * nu))).epsilon(20 * eps));
}

TEST_CASE("along_its_fibres_matter_has_their_modulus_and_across_them_its_own") {
  const double nu = 0.3;
  Parameters p = elastic(youngs_modulus, nu);
  p.fibre_modulus = Real(4 * youngs_modulus);
  const auto pull = [&](const Vec3d& fibre) {
    return whole_change(moduli_with(p, 3, fibre), Mat3d::identity(), pulled(1, nu))[0][0];
  };
  CHECK(pull({1, 0, 0}) == doctest::Approx(4 * youngs_modulus).epsilon(100 * eps));
  // Fibres across are pressed by nu, and pull at nothing along x.
  CHECK(pull({0, 1, 0}) == doctest::Approx(youngs_modulus).epsilon(100 * eps));
}

TEST_CASE("inverted_matter_is_pushed_back_by_its_volume_alone") {
  Parameters p = elastic(youngs_modulus, 0.3);
  const Mat3d inverted = diagonal(Vec3d{-1, 1, 1});
  // Its strain is that of a mirror image: none.
  CHECK(stress_at(moduli_with(p), inverted, identity())[0][0] < -0.1 * youngs_modulus);
  p.volume_stiffness = 0;
  CHECK(size(stress_at(moduli_with(p), inverted, identity())) == 0);
}

TEST_CASE("strain_below_the_yield_strain_leaves_no_trace") {
  const Flow<double> flow{0.1, 1, 10, 0};
  const Symmetric<double> before = shear_strain(0.02);
  const Symmetric<double> after = plastic_after(flow, shear_strain(0.1199), before);
  for (int k = 0; k < 6; ++k) CHECK(after[k] == before[k]);
}

TEST_CASE("strain_beyond_the_yield_strain_becomes_plastic_at_once_or_by_its_share") {
  for (const double share : {1.0, 0.3}) {
    const Flow<double> flow{0.1, share, 10, 0};
    const Symmetric<double> e = shear_strain(0.5);
    Symmetric<double> elastic = e;
    elastic -= plastic_after(flow, e, Symmetric<double>::zero());
    CHECK(shear_of(elastic) == doctest::Approx(0.5 - share * 0.4));
  }
}

TEST_CASE("creep_in_many_steps_follows_the_exponential") {
  const double creep = 5, dt = 1e-4;
  Symmetric<double> plastic = Symmetric<double>::zero();
  for (int step = 0; step < 2000; ++step)
    plastic = plastic_after({0.1, creep * dt, 10, 0}, shear_strain(0.5), plastic);
  // creep dt / 2 of the exponent is lost by steps.
  CHECK(shear_of(plastic) == doctest::Approx(0.4 * (1 - std::exp(-creep * 0.2))).epsilon(1e-3));
}

TEST_CASE("plastic_strain_keeps_the_volume_unless_the_matter_flows") {
  const Symmetric<double> e{0.3, 0.1, 0.2, 0, 0, 0.4};
  const Symmetric<double> none = Symmetric<double>::zero();
  // A third is rounded to Real.
  CHECK(std::abs(trace(plastic_after<double>({0.1, 1, 10, 0}, e, none))) < 2 * eps);
  CHECK(trace(plastic_after<double>({0.1, 1, 10, 0.25}, e, none)) ==
        doctest::Approx(0.25 * trace(e)).epsilon(10 * eps));
}

TEST_CASE("plastic_strain_grows_to_its_maximum_and_not_beyond") {
  const Symmetric<double> after =
      plastic_after<double>({0.1, 1, 0.2, 0}, shear_strain(2), Symmetric<double>::zero());
  CHECK(std::sqrt(contract(after, after)) == doctest::Approx(0.2));
  // It may turn back: its sign follows the strain.
  const Symmetric<double> back = plastic_after<double>({0.1, 1, 0.2, 0}, shear_strain(-2), after);
  CHECK(back[5] == doctest::Approx(-after[5]));
}

TEST_CASE("matter_without_a_yield_strain_never_flows") {
  const SolidOf<double> solid = solid_with(elastic(youngs_modulus, 0.3));
  const Symmetric<double> after = plastic_after<double>(
      {solid.yield_strain, 1, solid.largest_plastic, 0}, shear_strain(100), shear_strain(0.3));
  CHECK(shear_of(after) == doctest::Approx(0.3));
}

TEST_CASE("matter_that_absorbs_its_deformation_bit_by_bit_keeps_its_pressure") {
  // Ten parts of a deformation that grows by 4 % in volume, each taken into the reference shape,
  // stress the present shape as the whole of it does: P F^T / J by volume alone.
  Moduli<double> whole = moduli_with(elastic(youngs_modulus, 0.45)), taken_in = whole;
  const Mat3d part = diagonal(Vec3d{1.1, 0.9, std::pow(1.04, 0.1) / 0.99});
  Mat3d all = Mat3d::identity();
  for (int k = 0; k < 10; ++k) {
    all = part * all;
    taken_in.swollen = swollen_after(taken_in.swollen, determinant(part), 1.0);
  }
  CHECK(taken_in.swollen == doctest::Approx(0.04).epsilon(1e-12));
  const Symmetric<double> none = Symmetric<double>::zero();
  const Mat3d by_whole = first_piola(whole, all, none) * transpose(all) * (1 / determinant(all));
  const Mat3d by_parts = first_piola(taken_in, Mat3d::identity(), none) * (1 / 1.04);
  CHECK(size(by_whole - by_parts) < 1e-12 * youngs_modulus);
  CHECK(by_parts[0][0] == doctest::Approx(0.04 * whole.volume_stiffness).epsilon(1e-9));
}

TEST_CASE("what_is_torn_or_crushed_forgets_how_far") {
  double swollen = 0;
  for (int k = 0; k < 10; ++k) swollen = swollen_after(swollen, 1.2, 1.0);
  CHECK(swollen == doctest::Approx(most_swollen).epsilon(1e-6));
  for (int k = 0; k < 10; ++k) swollen = swollen_after(swollen, 0.8, 1.0);
  CHECK(swollen == doctest::Approx(-most_swollen).epsilon(1e-6));
  CHECK(swollen_after(swollen, 1.0, 0.5) == doctest::Approx(-0.5 * most_swollen).epsilon(1e-6));
  CHECK(swollen_after(swollen, 1.0, 0.0) == 0);
}
