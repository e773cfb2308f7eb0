#include "phyxel/methods/lennard_jones/material.h"

#include <doctest/doctest.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/lennard_jones/crystal.h"

using namespace phyxel;
using namespace phyxel::lennard_jones;

namespace {

Material material_with(const Parameters& p) {
  Material material;
  material.name = "m";
  material.method = "lennard_jones";
  material.spacing = Real(0.1);
  material.parameters = p;
  return material;
}

}  // namespace

TEST_CASE("a_named_youngs_modulus_chooses_the_energy_that_gives_it") {
  for (int dimensions : {2, 3}) {
    Parameters p;
    p.youngs_modulus = Real(2.5e5);
    Material material = material_with(p);
    material.dimensions = dimensions;
    resolve(material);
    const PairLaw law = pair_law(parameters_of<Parameters>(material), 1);
    CHECK(youngs_modulus(law, dimensions) == doctest::Approx(2.5e5).epsilon(1e-5));
  }
}

TEST_CASE("without_an_equilibrium_distance_the_packing_is_at_rest_at_its_spacing") {
  Parameters p;
  p.dissociation_energy = 3;
  Material material = material_with(p);
  resolve(material);
  CHECK(relaxed_spacing(pair_law(parameters_of<Parameters>(material), 1), 3) ==
        doctest::Approx(0.1).epsilon(1e-6));
}

TEST_CASE("e0_falls_with_temperature_between_start_and_end_of_softening") {
  Parameters p;
  p.softening_start = 40;
  p.softening_end = 60;
  p.softened_strength = Real(0.25);
  const auto strength = [&](Real t) {
    const Real root = root_strength(softening_of(p), t);
    return root * root;
  };
  CHECK(strength(20) == 1);
  CHECK(strength(50) == doctest::Approx(0.625));
  CHECK(strength(60) == doctest::Approx(0.25));
  CHECK(strength(500) == doctest::Approx(0.25));
  p.softening_start = p.softening_end = not_given;
  CHECK(strength(500) == 1);
}

TEST_CASE("two_materials_meet_in_the_middle") {
  PairLaw a, b;
  a.e0 = 4, b.e0 = 9, a.r0 = 1, b.r0 = 2, a.n = 12, b.n = 8;
  const PairLaw ab = mixed(a, b), ba = mixed(b, a);
  CHECK(ab.e0 == doctest::Approx(6));
  CHECK(ab.r0 == doctest::Approx(1.5));
  CHECK(ab.n == doctest::Approx(10));
  CHECK(ab.e0 == ba.e0);  // the same bits: pairs are met from both sides
  CHECK(ab.cutoff == ba.cutoff);
}

TEST_CASE("a_modulus_of_an_unstable_packing_is_refused") {
  Parameters p;
  p.youngs_modulus = 1e6;
  p.repulsive_exponent = 6;
  p.attractive_exponent = 4;
  p.cutoff = Real(1.5);
  Material material = material_with(p);
  CHECK_THROWS_WITH_AS(resolve(material), doctest::Contains("not stable"), InputError);
  p.cutoff = 2;
  Material stable = material_with(p);
  CHECK_NOTHROW(resolve(stable));
}

TEST_CASE("impossible_materials_are_refused") {
  Parameters p;
  p.dissociation_energy = 1;
  p.repulsive_exponent = 4;
  p.attractive_exponent = 6;
  Material wrong_order = material_with(p);
  CHECK_THROWS_AS(resolve(wrong_order), InputError);
  p.repulsive_exponent = 12;
  p.dissociation_energy = not_given;
  Material no_energy = material_with(p);
  CHECK_THROWS_AS(resolve(no_energy), InputError);
}
