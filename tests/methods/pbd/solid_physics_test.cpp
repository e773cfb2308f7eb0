#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "methods/pbd/pbd_scenes.h"
#include "pbd/cases.h"
#include "phyxel/core/error.h"
#include "phyxel/methods/pbd/closed_surface.h"
#include "phyxel/methods/pbd/constraints/gas.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;
using namespace phyxel::validation::pbd;

namespace {

/// A block of 5 x 4 x 3 particles without gravity, with more keys of its material and body.
std::string block(const std::string& material, const std::string& body = "packing = \"cubic\"") {
  return fmt::format(R"(schema = 1
duration = 0.2
fps = 10
[world]
gravity = [0, 0, 0]
[material.jelly]
method = "pbd"
density = 1000.0
youngs_modulus = 1.0e4
substeps = 20
{}
[body.block]
material = "jelly"
shape = {{ type = "box", size = [0.5, 0.4, 0.3] }}
spacing = 0.1
angular_velocity = [100, 200, -300]
velocity = [1, 0.5, -2]
{}
)",
                     material, body);
}

const std::string kinds[] = {"elements = \"cells\"",
                             "elements = \"tetrahedra\"",
                             "elements = \"cells\"\nlaw = \"neo_hookean\"",
                             "elements = \"network\"",
                             "elements = \"cells\"\npoissons_ratio = 0.0",
                             "elements = \"network\"\nshape_frequency = 50.0"};

}  // namespace

TEST_CASE("solids_that_fly_and_turn_keep_momentum_spin_and_nearly_their_energy") {
  for (const std::string& kind : kinds) {
    CAPTURE(kind);
    World world = world_of(block(kind));
    const Diagnostics before = look(world);
    advance(world);
    advance(world);
    const Diagnostics after = look(world);
    const double rounding = sizeof(Real) == 4 ? 2e-4 : 1e-11;
    // Without what constraints/spin.h gives back spin would decay at the rate h w^2, 0.7 % in all.
    CHECK(length(after.momentum - before.momentum) < rounding * length(before.momentum));
    CHECK(length(after.angular_momentum - before.angular_momentum) <
          rounding * length(before.angular_momentum));
    // Two turns in a fifth of a second stretch it: the energy goes there and some is lost.
    const double total_before = before.kinetic_energy + before.potential_energy;
    const double total_after = after.kinetic_energy + after.potential_energy;
    CHECK(total_after < 1.001 * total_before);
    CHECK(total_after > 0.9 * total_before);
  }
}

TEST_CASE("a_pulled_bar_has_the_moduli_of_its_scene") {
  for (const char* kind : {"cells", "tetrahedra"}) {
    const Pulled p = pull_bar(3, 0.01, {fmt::format("material.rubber.elements=\"{}\"", kind)});
    CHECK(p.youngs_modulus == doctest::Approx(1e5).epsilon(0.05));
    CHECK(p.poissons_ratio == doctest::Approx(0.3).epsilon(0.05));
  }
}

TEST_CASE("a_beam_of_tetrahedra_hangs_where_the_energy_of_its_elements_is_least") {
  // In steps of 0.6 ms, whose corrections are little longer than the distance between floats.
  const Changes tetrahedra = {"material.rubber.elements=\"tetrahedra\""};
  CHECK(bend_beam(4, 0.5, tetrahedra).drop ==
        doctest::Approx(static_drop(4, 0.5, tetrahedra)).epsilon(0.03));
}

TEST_CASE("pressure_times_volume_of_a_balloon_is_constant") {
  for (const double ambient : {0.8e4, 1.25e4})
    CHECK(ambient * blow_balloon(ambient).volume == doctest::Approx(1e4).epsilon(0.01));
}

TEST_CASE("a_skin_that_would_grow_without_end_is_refused_with_the_limit") {
  // 3 Y / 4 r = 3 * 2e4 / (4 * 0.5) Pa; flat triangles of the sphere have a little less area.
  const Changes fixed = {"material.skin.gas=fixed_pressure", "material.skin.stretch_modulus=2e4"};
  const auto with = [&](double above) {
    Changes all = fixed;
    all.push_back(fmt::format("material.skin.pressure={}", 1e4 + above));
    return all;
  };
  CHECK_THROWS_WITH_AS(blow_balloon(1e4, with(3.2e4)), doctest::Contains("grows without end"),
                       InputError);
  CHECK(std::cbrt(blow_balloon(1e4, with(1.5e4)).volume) - 1 > 0.1);
}

TEST_CASE("gas_presses_with_what_its_volume_leaves_of_it") {
  const Gas gas{1000, 1e5, true};
  CHECK(gauge_pressure(gas, 0.005) == doctest::Approx(1e5));
  // In a rigid box one step finds the whole force, and a second one nothing more.
  const double change = gas_change(gas, 0.005, 0.005, 0, 0, 0.01);
  CHECK(change == doctest::Approx(1e5 * 1e-4));
  CHECK(gas_change(gas, 0.005, 0.005, 0, change, 0.01) == doctest::Approx(0));
  // Its energy falls by the work that it does.
  const double v = 0.007, d = 1e-6;
  CHECK((gas_energy(gas, v - d, 0.005) - gas_energy(gas, v + d, 0.005)) / (2 * d) ==
        doctest::Approx(gauge_pressure(gas, v)).epsilon(1e-6));
}

TEST_CASE("surfaces_that_enclose_nothing_are_refused_with_their_place") {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  std::vector<Int3> closed = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  CHECK(why_not_closed(closed, points).empty());
  CHECK(enclosed_volume(closed, points) == doctest::Approx(1 / 6.0));
  std::vector<Int3> open(closed.begin(), closed.end() - 1);
  CHECK(why_not_closed(open, points).find("3 edges belong to one triangle") == 0);
  std::vector<Int3> crowded = closed;
  crowded.push_back({1, 2, 4});
  crowded.push_back({2, 1, 4});
  CHECK(why_not_closed(crowded, points).find("more than two triangles") != std::string::npos);
  std::vector<Int3> turned = closed;
  std::swap(turned[0][1], turned[0][2]);
  CHECK(why_not_closed(turned, points).find("face opposite ways") != std::string::npos);
}

TEST_CASE("bodies_that_cannot_be_what_their_material_says_are_refused_with_a_remedy") {
  const auto message = [](const std::string& text) -> std::string {
    try {
      World world = world_of(text);
      method_of(world).begin(world.environment);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(block("elements = \"cells\"", "")).find("packing = \"cubic\"") !=
        std::string::npos);
  CHECK(message(block("pressure = 1.0e5")).find("fill = \"surface\"") != std::string::npos);
  CHECK(message(block("elements = \"cells\"",
                      "packing = \"cubic\"\n[pin.no]\nbody = \"block\"\n"
                      "shape = { type = \"sphere\", radius = 0.01, centre "
                      "= [5, 0, 0] }"))
            .find("pin.no") != std::string::npos);
  CHECK(message(block("stretch_modulus = -1.0")).find("stretch_modulus") != std::string::npos);
  CHECK(message(block("poissons_ratio = 0.5")).find("nearly incompressible") != std::string::npos);
}
