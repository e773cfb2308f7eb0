#include "phyxel/methods/lennard_jones/crystal.h"

#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <sstream>

using namespace phyxel;
using namespace phyxel::lennard_jones;

namespace {

struct LatticeSums {
  double spacing;  // over sigma
  double energy;   // per atom over epsilon
};

/// validation/lennard_jones/lj_lattice_sums.csv: infinite-range 12-6 crystals.
std::map<std::string, LatticeSums> reference() {
  std::ifstream file(PHYXEL_VALIDATION_DIR "/lennard_jones/lj_lattice_sums.csv");
  std::map<std::string, LatticeSums> result;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("lattice")) continue;
    std::stringstream row(line);
    std::string name, a12, a6, spacing, energy;
    std::getline(row, name, ',');
    std::getline(row, a12, ',');
    std::getline(row, a6, ',');
    std::getline(row, spacing, ',');
    std::getline(row, energy, ',');
    result[name] = {std::stod(spacing), std::stod(energy)};
  }
  return result;
}

/// 12-6 in the units of the reference: sigma = 1, epsilon = 1; r0 = 2^(1/6) sigma.
PairLaw twelve_six(double cutoff) {
  PairLaw law;
  law.r0 = static_cast<Real>(std::pow(2.0, 1.0 / 6));
  law.cutoff = static_cast<Real>(cutoff);
  law.faded = false;
  return law;
}

}  // namespace

TEST_CASE("the_12_6_crystal_has_the_spacing_and_energy_of_the_lattice_sums") {
  const auto sums = reference();
  REQUIRE(sums.size() == 2);
  // Cut off at 20 sigma the attraction misses 4 pi sqrt2 / (3 * 20^3 * 14.45) = 5e-5 of its sum in
  // 3D.
  const double fcc = relaxed_spacing(twelve_six(20), 3);
  CHECK(fcc == doctest::Approx(sums.at("fcc").spacing).epsilon(2e-5));
  CHECK(lattice_energy(twelve_six(20), fcc, 3) ==
        doctest::Approx(sums.at("fcc").energy).epsilon(2e-4));
  const double hexagonal = relaxed_spacing(twelve_six(20), 2);
  CHECK(hexagonal == doctest::Approx(sums.at("hex2d").spacing).epsilon(2e-5));
  CHECK(lattice_energy(twelve_six(20), hexagonal, 2) ==
        doctest::Approx(sums.at("hex2d").energy).epsilon(2e-4));
}

TEST_CASE("a_bond_is_as_stiff_and_strong_as_the_paper_says") {
  PairLaw law;
  law.e0 = 200;
  law.r0 = Real(1.192);
  law.n = 8;
  law.m = 6;
  const Bond bond = bond_of(law);
  CHECK(bond.stiffness == doctest::Approx(200 * 48 / (1.192 * 1.192)).epsilon(1e-6));
  CHECK(bond.tensile_separation == doctest::Approx(1.192 * std::sqrt(9.0 / 7)).epsilon(1e-6));
  // At r_t the slope of the unfaded energy is largest: a little nearer or farther it is smaller.
  law.faded = false;
  const auto slope = [&](double r) {
    return pair_term(PairLawOf<double>{law.e0, law.r0, law.n, law.m, 1, 9, 0, false}, r).slope;
  };
  CHECK(bond.tensile_force == doctest::Approx(slope(bond.tensile_separation)).epsilon(1e-6));
  CHECK(slope(bond.tensile_separation * 0.99) < bond.tensile_force);
  CHECK(slope(bond.tensile_separation * 1.01) < bond.tensile_force);
}

TEST_CASE("nearest_neighbours_alone_give_the_textbook_modulus_of_a_face_centred_crystal") {
  // Springs k between nearest neighbours of an fcc crystal with spacing d: C11 = sqrt2 k/d, C12 =
  // C44 = C11/2, so that E along a cube axis is C11 - 2 C12^2/(C11 + C12) = 2/3 C11 and nu =
  // C12/(C11 + C12) = 1/3.
  PairLaw law;
  law.e0 = 1;
  law.r0 = 1;
  law.n = 12;
  law.m = 6;
  law.cutoff = Real(1.3);
  law.faded = false;
  const double k = bond_of(law).stiffness;
  CHECK(youngs_modulus(law, 3) == doctest::Approx(2.0 / 3 * std::sqrt(2.0) * k).epsilon(1e-3));
  CHECK(poisson_ratio(law, 3) == doctest::Approx(1.0 / 3).epsilon(1e-3));
  // The triangular lattice is isotropic: E = 2 k / sqrt3, nu = 1/3.
  CHECK(youngs_modulus(law, 2) == doctest::Approx(2 / std::sqrt(3.0) * k).epsilon(1e-3));
  CHECK(poisson_ratio(law, 2) == doctest::Approx(1.0 / 3).epsilon(1e-3));
}

TEST_CASE("youngs_modulus_is_proportional_to_the_dissociation_energy") {
  PairLaw law = twelve_six(2.5);
  law.faded = true;
  law.fade_from = law.r0;
  const double one = youngs_modulus(law, 3);
  law.e0 = 50;
  CHECK(youngs_modulus(law, 3) == doctest::Approx(50 * one).epsilon(1e-6));
}
