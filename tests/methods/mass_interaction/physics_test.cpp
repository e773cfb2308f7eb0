#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/app/checkpoints.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

using namespace phyxel;

namespace {

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}

/// A ball of about 300 masses that flies, turns and falls apart or not, in empty space.
std::string ball(const std::string& law, const std::string& more = "") {
  return fmt::format(R"(
fps = 100
{1}
[world]
gravity = [0, 0, 0]
[material.m]
method = "mass_interaction"
density = 1000.0
stiffness = 50.0
{0}
[body.b]
material = "m"
shape = {{ type = "sphere", radius = 0.041 }}
spacing = 0.01
velocity = [0.3, 0.1, -0.2]
angular_velocity = [3, 20, 5]
)",
                     law, more);
}

const std::vector<std::string> laws = {
    "pair_viscosity = 0.01\nviscous_distance = 1.5",
    "automaton = \"cohesive\"\npair_viscosity = 0.01",
    "automaton = \"granular\"\npair_viscosity = 0.01\nfriction = 0.5\nelastic_distance = 1.02",
    "automaton = \"brittle\"\npair_viscosity = 0.005\nstrength = 500.0",
    "automaton = \"plastic\"\npair_viscosity = 0.01\nyield_stress = 200.0",
};

std::vector<Vec3> places_by_id(World& world) {
  const HostParticles& p = world.methods.front()->particles();
  std::vector<Vec3> places(p.x.size());
  const Vec3 origin = cast<Real>(world.environment.origin);
  for (Index i = 0; i < p.size(); ++i) places[p.id[i]] = origin + p.x[i];
  return places;
}

std::vector<Vec3> after(const std::string& scene, int frames, int threads = 0) {
  const ThreadLimit limit(threads);
  World world = world_of(scene);
  for (int k = 0; k < frames; ++k) advance(world);
  return places_by_id(world);
}

}  // namespace

TEST_CASE("all_pairs_and_the_search_for_neighbours_give_the_same_bits") {
  // 1000 steps of 1e-4 s each.
  for (const std::string& law : laws) {
    CAPTURE(law);
    const std::string scene = ball(law, "[time]\nfixed_dt = 1e-4");
    const std::string pairs = ball(law + "\nall_pairs = true", "[time]\nfixed_dt = 1e-4");
    const std::vector<Vec3> a = after(scene, 10), b = after(pairs, 10);
    CHECK(a.size() > 250);
    CHECK(a == b);
  }
}

TEST_CASE("momenta_are_kept_to_rounding") {
  for (const std::string& law : laws) {
    CAPTURE(law);
    World world = world_of(ball(law));
    const Diagnostics before = diagnose(world);
    for (int k = 0; k < 20; ++k) advance(world);
    const Diagnostics now = diagnose(world);
    // Forces of pairs cancel exactly; velocities and places are rounded in each of some thousand
    // steps, at random: eps sqrt(steps) of the largest terms.
    const double eps = std::numeric_limits<Real>::epsilon(), root = std::sqrt(5000.0);
    const double momentum = before.mass * 1.5, turning = momentum * 0.1;
    CHECK(length(now.momentum - before.momentum) < 4 * eps * root * momentum);
    CHECK(length(now.angular_momentum - before.angular_momentum) < 4 * eps * root * turning);
  }
}

TEST_CASE("energy_never_grows_where_pairs_resist") {
  for (const std::string& law : laws) {
    CAPTURE(law);
    World world = world_of(ball(law));
    double least = infinity, grown = 0;
    for (int k = 0; k < 30; ++k) {
      advance(world);
      const Diagnostics d = diagnose(world);
      const double energy = d.kinetic_energy + d.potential_energy;
      grown = std::max(grown, energy - least);
      least = std::min(least, energy);
    }
    // Symplectic steps know the energy to (omega dt)^2 / 4: a sixteenth of the pairs' own at most,
    // of which a ball that rings has a hundredth.
    CHECK(grown < 1e-3 * least);
  }
}

TEST_CASE("any_number_of_threads_gives_the_same_bits") {
  for (const std::string& law : laws) CHECK(after(ball(law), 5, 1) == after(ball(law), 5, 3));
}

TEST_CASE("a_resumed_run_has_the_same_bits_with_what_pairs_remember") {
  for (const std::string& law : laws) {
    CAPTURE(law);
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World world = world_of(ball(law));
    for (int k = 0; k < 4; ++k) advance(world);
    save_checkpoint(output, world);
    for (int k = 0; k < 4; ++k) advance(world);
    World resumed = world_of(ball(law));
    load_checkpoint(output, resumed);
    for (int k = 0; k < 4; ++k) advance(resumed);
    CHECK(places_by_id(resumed) == places_by_id(world));
  }
}

TEST_CASE("two_materials_that_are_alike_move_as_one") {
  // Pairs of several materials are summed one by one, those of one material in packs.
  for (const std::string& law : laws) {
    if (law.find("granular") == std::string::npos) continue;  // the law between materials
    const std::string one = ball(law);
    std::string two = one;
    two += fmt::format(
        "[material.other]\nmethod = \"mass_interaction\"\ndensity = 1000.0\nstiffness = 50.0\n{}\n"
        "[body.c]\nmaterial = \"other\"\nshape = {{ type = \"sphere\", centre = [1, 0, 0], radius "
        "= "
        "0.011 }}\nspacing = 0.01\n",
        law);
    const std::vector<Vec3> a = after(one, 3), b = after(two, 3);
    Real largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, length(a[k] - b[k]));
    CHECK(largest < 1e-5);
  }
}

namespace {

/// Mean height of a column of dry grains after it has collapsed, over that before, in the plane.
double height_left(double friction) {
  World world = world_of(fmt::format(R"(
dimensions = 2
fps = 20
[material.m]
method = "mass_interaction"
automaton = "granular"
density = 1500.0
youngs_modulus = 2.0e4
viscosity = 5.0
friction = {0}
rolling_friction = 0.3
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.08, 0], size = [0.09, 0.16, 0.1] }}
packing = "jittered"
spacing = 0.01
[collider.floor]
shape = {{ type = "plane" }}
friction = {0}
)",
                                     friction));
  const auto height = [&] {
    const Diagnostics d = diagnose(world);
    return d.mass_moment[1] / d.mass;
  };
  const double before = height();
  for (int k = 0; k < 40; ++k) advance(world);
  return height() / before;
}

std::string error_of(const std::string& law) {
  try {
    world_of(ball(law));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a_pile_of_grains_is_the_higher_the_more_they_rub") {
  const double smooth = height_left(0), some = height_left(0.2), much = height_left(0.8);
  CHECK(smooth < 0.1);  // a single layer: half a spacing of 16 / 2
  CHECK(some > smooth + 0.05);
  CHECK(much > some + 0.05);
}

TEST_CASE("laws_that_make_no_sense_are_refused_with_their_reason") {
  const auto refuses = [](const std::string& law, const std::string& words) {
    const std::string error = error_of(law);
    CAPTURE(error);
    CHECK(error.find(words) != std::string::npos);
  };
  refuses("friction = 0.5", "remember nothing, so that they cannot rub");
  refuses("automaton = \"brittle\"", "give strength");
  refuses("automaton = \"cohesive\"\npull_distance = 0.9", "must be above elastic_distance = 1");
  refuses("states = [\"a\", \"b\"]", "automaton = \"custom\"");
  refuses("automaton = \"custom\"\nstates = [\"a\"]", "from 2 to 8 states");
  const std::string custom = "automaton = \"custom\"\nstates = [\"a\", \"b\"]\n";
  refuses(custom + "state_stiffness = [0]\nstate_viscosity = [0, 0]",
          "1 numbers for 2 states; give one for each");
  refuses(custom +
              "state_stiffness = [5, 5]\nstate_viscosity = [0, 0]\ntransitions = [\"a -> b: "
              "distance < 1\"]",
          "must have no force");
  refuses(custom + "state_stiffness = [0, 5]\nstate_viscosity = [0, 0]", "1 to 16 transitions");
  refuses(custom +
              "state_stiffness = [0, 5]\nstate_viscosity = [0, 0]\ntransitions = [\"a -> c: "
              "distance < 1\"]",
          "material.m.transitions: \"a -> c: distance < 1\": there is no state \"c\"");
  CHECK(error_of(custom + "state_stiffness = [0, 5]\nstate_viscosity = [0, 0]\ntransitions = [\"a "
                          "-> b: distance < 1\", \"b -> a: distance > 1.2\"]") == "no error");
}

TEST_CASE("bonds_that_begin_outside_of_their_reach_are_refused") {
  for (const char* distance : {"0.9", "1.5"}) {
    const std::string error = error_of(std::string("automaton = \"plastic\"\npull_distance = 1.4\n"
                                                   "bond_distance = ") +
                                       distance);
    CAPTURE(error);
    CHECK(error.find(std::string("material.m.bond_distance = ") + distance) != std::string::npos);
    CHECK(error.find("between elastic_distance = 1 and pull_distance = 1.4") != std::string::npos);
  }
}

TEST_CASE("parameters_of_another_automaton_are_refused_with_place_value_and_remedy") {
  const auto refuses = [](const std::string& law, const std::string& words) {
    const std::string error = error_of(law);
    CAPTURE(error);
    CHECK(error.find(words) != std::string::npos);
  };
  // The law begins in line 10 of the scene.
  refuses("strength = 500.0",
          "test:10:1: material.m.strength = 500.0 does nothing here: it is of automaton = "
          "\"brittle\", and this one is \"thresholds\"; remove it or choose that");
  refuses("automaton = \"granular\"\nyield_stress = 5.0", "it is of automaton = \"plastic\"");
  refuses("automaton = \"cohesive\"\ncreep = 5.0", "it is of automaton = \"plastic\"");
  refuses("automaton = \"granular\"\npull_distance = 1.2",
          "it is of automaton = \"cohesive\" or \"plastic\" or \"brittle\"");
  refuses("automaton = \"plastic\"\nviscous_distance = 1.2", "it is of automaton = \"thresholds\"");
  refuses("rolling_friction = 0.2", "material.m.rolling_friction = 0.2 does nothing here");
  refuses("automaton = \"granular\"\nrolling_friction = 0.2", "nothing rubs; give friction too");
  refuses("reach = 2.0", "it is of automaton = \"custom\"");
  refuses("state_friction = [0, 1]", "material.m.state_friction = [0.0, 1.0] does nothing here");
  CHECK(error_of("automaton = \"granular\"\nfriction = 0.0\nrolling_friction = 0.2") == "no error");
  // What a preset says may be idle: only the scene's own words are looked at.
  CHECK(error_of("preset = \"biscuit\"\nautomaton = \"granular\"") == "no error");
}
