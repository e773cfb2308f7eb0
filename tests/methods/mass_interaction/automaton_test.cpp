#include "phyxel/methods/mass_interaction/automaton.h"

#include <doctest/doctest.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/mass_interaction/automaton_text.h"

using namespace phyxel;
using namespace phyxel::mass_interaction;

namespace {

Material material_of(AutomatonKind kind) {
  Parameters p;
  p.automaton = kind;
  p.stiffness = 100;
  p.pair_viscosity = 2;
  p.strength = 5;
  p.yield_stress = 4;
  Material material;
  material.name = "m";
  material.spacing = 1;
  material.parameters = p;
  return material;
}

Automaton automaton(AutomatonKind kind) {
  return automaton_of(material_of(kind)).automaton;
}

/// At rest at this distance along x.
PairMotion<Real> still(Real distance) {
  PairMotion<Real> motion;
  motion.d = {distance, 0, 0};
  motion.v = motion.spins = motion.rolling = Vec3::zero();
  return motion;
}

/// Force that pushes i away from j, after the pair went through these distances.
Real push_after(const Automaton& a, std::initializer_list<double> distances, Real dt = Real(1e-3)) {
  Memory<Real> memory;
  Real push = 0;
  for (const double d : distances)
    push = -advance(Rules{a, dt}, still(Real(d)), {}, memory).force[0];
  return push;
}

const std::vector<std::string> names = {"apart", "bound", "torn"};

std::string error_of(const std::string& text) {
  try {
    read_transition(text, names, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("transitions_are_read_and_written_back") {
  const Transition t =
      read_transition("bound -> torn: distance > 1.5 and speed>0.25 and force < 3", names, 2);
  CHECK(t.from == 1);
  CHECK(t.to == 2);
  REQUIRE(t.conditions == 3);
  CHECK(t.condition[0].limit == 3);  // in metres
  CHECK(t.condition[0].above);
  CHECK(t.condition[1].what == Observed::speed);
  CHECK(t.condition[1].limit == Real(0.25));
  CHECK_FALSE(t.condition[2].above);
  CHECK(to_string(t, names, 2) == "bound -> torn: distance > 1.5 and speed > 0.25 and force < 3");
}

TEST_CASE("what_is_no_transition_is_refused_with_its_reason") {
  CHECK(error_of("bound -> gone: distance > 1").find("there is no state \"gone\"") !=
        std::string::npos);
  CHECK(error_of("bound torn: distance > 1").find("other parts") != std::string::npos);
  CHECK(error_of("bound -> torn: colour > 1").find("\"colour\" is none of") != std::string::npos);
  CHECK(error_of("bound -> torn: distance = 1").find("neither < nor >") != std::string::npos);
  CHECK(error_of("bound -> torn: distance > far").find("is no number") != std::string::npos);
  CHECK(error_of("bound -> bound: distance > 1").find("where it comes from") != std::string::npos);
  CHECK(error_of("bound -> torn: distance > 1 or force > 1").find("\"and\"") != std::string::npos);
  CHECK(error_of("a -> b: distance > 1 and speed > 1 and force > 1 and speed < 3") != "");
}

TEST_CASE("thresholds_push_below_one_distance_and_resist_below_the_other") {
  const Thresholds law = thresholds_of(material_of(AutomatonKind::thresholds));
  PairMotion<Real> motion = still(Real(0.9));
  CHECK(act(law, motion, 1).force[0] == doctest::Approx(-10).epsilon(1e-5));
  motion.v = {Real(0.5), 3, 0};  // parting at 0.5 m/s
  CHECK(act(law, motion, 1).force[0] == doctest::Approx(-9).epsilon(1e-5));
  motion.d = {Real(1.2), 0, 0};
  CHECK(act(law, motion, 1).force[0] == doctest::Approx(1).epsilon(1e-5));
  motion.d = {Real(1.41), 0, 0};
  CHECK(act(law, motion, 1).force[0] == 0);
}

TEST_CASE("the_automaton_of_thresholds_does_the_same_with_states") {
  const Material material = material_of(AutomatonKind::thresholds);
  const Automaton a = automaton_of(material).automaton;
  Memory<Real> memory;
  for (const double d : {1.5, 1.35, 1.1, 0.95, 0.7, 0.99, 1.2, 1.45, 0.8, 1.6}) {
    PairMotion<Real> motion = still(Real(d));
    motion.v = {Real(-0.3), Real(0.1), 0};
    const Effect<Real> seen = advance(Rules{a, Real(1e-3)}, motion, {}, memory);
    const Touch<Real> expected = act(thresholds_of(material), motion, 1);
    CHECK(seen.force[0] == doctest::Approx(expected.force[0]).epsilon(1e-5));
    CHECK(seen.energy == doctest::Approx(expected.energy).epsilon(1e-5));
  }
}

TEST_CASE("cohesive_pairs_pull_only_after_they_have_touched") {
  const Automaton a = automaton(AutomatonKind::cohesive);
  CHECK(push_after(a, {1.2}) == 0);
  CHECK(push_after(a, {0.99, 1.2}) == doctest::Approx(-20).epsilon(1e-4));
  CHECK(push_after(a, {0.99, 1.31, 1.2}) == 0);
}

TEST_CASE("granular_pairs_never_pull") {
  const Automaton a = automaton(AutomatonKind::granular);
  CHECK(push_after(a, {0.9}) == doctest::Approx(10).epsilon(1e-4));
  CHECK(push_after(a, {0.9, 1.01}) == 0);
  PairMotion<Real> leaving = still(Real(0.99));
  leaving.v = {10, 0, 0};
  Memory<Real> memory;
  CHECK(advance(Rules{a, Real(1e-3)}, leaving, {}, memory).force[0] == 0);
}

TEST_CASE("brittle_bonds_break_once_and_do_not_heal") {
  const Automaton a = automaton(AutomatonKind::brittle);
  // Bound at 1.1, which is their length at rest.
  CHECK(push_after(a, {1.1, 1.14}) == doctest::Approx(-4).epsilon(1e-3));
  CHECK(push_after(a, {1.1, 1.16, 1.14}) == 0);
  CHECK(push_after(a, {1.1, 1.16, 1.05}) == 0);
  CHECK(push_after(a, {1.1, 1.16, 0.95}) == doctest::Approx(5).epsilon(1e-3));
  // A pair that approaches from afar is not bound, even after its memory was lost out of reach.
  CHECK(push_after(a, {1.5, 1.2}) == 0);
  CHECK(push_after(a, {1.1, 1.16, 5.0, 1.5, 1.2}) == 0);
}

TEST_CASE("plastic_bonds_keep_what_is_beyond_their_yield_force") {
  const Automaton a = automaton(AutomatonKind::plastic);
  Memory<Real> memory;
  advance(Rules{a, Real(1e-3)}, still(Real(0.999)), {}, memory);
  for (int k = 0; k < 1000; ++k) advance(Rules{a, Real(1e-3)}, still(Real(1.2)), {}, memory);
  // 4 N of 100 N/m stay elastic: at rest at 1.16.
  CHECK(memory.rest == doctest::Approx(1.16).epsilon(1e-3));
  for (int k = 0; k < 1000; ++k) advance(Rules{a, Real(1e-3)}, still(Real(0.8)), {}, memory);
  CHECK(memory.rest == doctest::Approx(1).epsilon(1e-4));  // masses do not shrink
}

TEST_CASE("plastic_bonds_that_begin_above_their_length_do_not_pull_at_once") {
  Automaton a = automaton(AutomatonKind::plastic);
  a.transition[0].condition[0].limit = Real(1.15);  // bond_distance
  Memory<Real> memory;
  CHECK(advance(Rules{a, Real(1e-3)}, still(Real(1.1)), {}, memory).force[0] == 0);
  CHECK(memory.rest == Real(1.1));
  const Real pulled = advance(Rules{a, Real(1e-3)}, still(Real(1.13)), {}, memory).force[0];
  CHECK(pulled == doctest::Approx(3).epsilon(1e-3));  // 100 N/m
}

TEST_CASE("friction_holds_up_to_its_limit_and_keeps_angular_momentum") {
  Material material = material_of(AutomatonKind::granular);
  std::any_cast<Parameters&>(material.parameters).friction = Real(0.5);
  std::any_cast<Parameters&>(material.parameters).pair_viscosity = 0;
  const Automaton a = automaton_of(material).automaton;
  Memory<Real> memory, mirrored;
  PairMotion<Real> motion = still(Real(0.9));
  motion.v = {0, Real(0.1), 0};  // j slides past i
  PairMotion<Real> seen_from_j = motion;
  seen_from_j.d = -motion.d;
  seen_from_j.v = -motion.v;
  for (int k = 1; k < 2000; ++k) {
    const Effect<Real> e = advance(Rules{a, Real(1e-3)}, motion, {}, memory),
                       back = advance(Rules{a, Real(1e-3)}, seen_from_j, {}, mirrored);
    const Real stretched = min(Real(0.1e-3) * k * 100, Real(5));
    CHECK(e.force[1] == doctest::Approx(stretched).epsilon(1e-3));
    CHECK(back.force[1] == -e.force[1]);
    // Torques of both and the moment of the pair of forces cancel.
    const Vec3 moment = e.torque + back.torque + cross(motion.d, back.force);
    CHECK(length(moment) < 1e-5);
  }
}
