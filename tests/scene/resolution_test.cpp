#include "phyxel/scene/resolution.h"

#include <doctest/doctest.h>

#include "phyxel/methods/lennard_jones/material.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/to_toml.h"
#include "scene/ball_world.h"

namespace phyxel {
namespace {

using doctest::Approx;

/// A block of cubic packing, ten particles to an edge.
Scene block(const std::string& top, const std::string& material, const std::string& body,
            const std::string& more = "") {
  return parse_scene(fmt::format(R"({}
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
{}
[body.block]
material = "wax"
shape = {{ type = "box", size = [2, 2, 2] }}
packing = "cubic"
{}
{})",
                                 top, material, body, more),
                     "scene.toml");
}

Index particles_of(const Scene& scene) {
  return build(scene).methods[0]->particles().size();
}

const lennard_jones::Parameters& law_of(const Material& material) {
  return parameters_of<lennard_jones::Parameters>(material);
}

}  // namespace

TEST_CASE("the_number_of_particles_goes_with_the_cube_of_the_resolution") {
  CHECK(particles_of(block("", "", "spacing = 0.2")) == 1000);
  CHECK(particles_of(block("resolution = 0.5", "", "spacing = 0.2")) == 125);
  CHECK(particles_of(block("resolution = 2", "", "spacing = 0.2")) == 8000);
}

TEST_CASE("in_flat_scenes_it_goes_with_the_square") {
  const std::string flat = "dimensions = 2\n";
  CHECK(particles_of(block(flat, "", "spacing = 0.2")) == 100);
  CHECK(particles_of(block(flat + "resolution = 0.5", "", "spacing = 0.2")) == 25);
  CHECK(particles_of(block(flat + "resolution = 2", "", "spacing = 0.2")) == 400);
}

TEST_CASE("a_spacing_that_follows_from_the_material_is_made_finer_too") {
  const std::string distance = "equilibrium_distance = 0.2";
  const double coarse = particles_of(block("", distance, "")),
               fine = particles_of(block("resolution = 2", distance, ""));
  // Whole rows of about ten to an edge: the count may be off by one of twenty in each direction.
  CHECK(fine == Approx(8 * coarse).epsilon(0.16));
}

TEST_CASE("lengths_of_the_method_and_of_surfaces_go_with_the_resolution") {
  const auto scene = [](const char* top) {
    return block(top, "equilibrium_distance = 0.2\nobstacle_range = 0.1\ncutoff = 1.5",
                 "spacing = 0.2",
                 "[surface.wax]\nradius = 0.5\ncell = 0.1\nlook = \"wax\"\ndepth = 0.25");
  };
  const Scene plain = scene(""), fine = scene("resolution = 4");
  const auto &a = law_of(plain.materials[0].material), &b = law_of(fine.materials[0].material);
  CHECK(b.equilibrium_distance == Approx(a.equilibrium_distance / 4));
  CHECK(b.obstacle_range == Approx(a.obstacle_range / 4));
  CHECK(b.cutoff == a.cutoff);  // in multiples of the distance
  CHECK(fine.surfaces[0].options.field.radius == Approx(0.125));
  CHECK(fine.surfaces[0].options.cell == Approx(0.025));
  CHECK(fine.surfaces[0].depth == Real(0.25));  // of light, not of points
}

TEST_CASE("finer_matter_is_the_same_matter") {
  World coarse = build(block("", "", "spacing = 0.2"));
  World fine = build(block("resolution = 2", "", "spacing = 0.2"));
  CHECK(diagnose(fine).mass == Approx(diagnose(coarse).mass).epsilon(1e-5));
  // The same modulus needs an energy per volume that is the same.
  const auto energy = [](const World& world) {
    return law_of(world.environment.materials[0]).dissociation_energy;
  };
  CHECK(energy(coarse) == Approx(8 * energy(fine)).epsilon(1e-3));
}

TEST_CASE("events_and_keys_of_lengths_go_with_the_resolution") {
  const Scene scene = block("resolution = 2", "obstacle_range = 0.1", "spacing = 0.2", R"(
[[event]]
time = 1
set = { "material.wax.obstacle_range" = 0.2, "material.wax.damping" = 0.5 }
[[keyframe]]
path = "material.wax.equilibrium_distance"
times = [0, 1]
values = [0.4, 0.8]
)");
  for (const Assignment& set : scene.events.at(0).set)
    CHECK(std::get<double>(set.value) == Approx(set.path == "material.wax.damping" ? 0.5 : 0.1));
  CHECK(scene.keyframes.at(0).values.at(1).at(0) == Approx(0.4));
}

TEST_CASE("the_resolved_copy_of_a_finer_scene_is_as_fine") {
  const Scene scene = block("resolution = 2", "", "spacing = 0.2");
  const Scene again = parse_scene(to_toml(scene), "scene.toml");
  CHECK(again.bodies[0].spacing == scene.bodies[0].spacing);
  CHECK(scene.bodies[0].spacing == Approx(0.1));
}

TEST_CASE("lengths_of_every_method_are_parameters_in_metres") {
  for (const MethodInfo& method : method_registry()) {
    std::any parameters = method.default_parameters();
    Fields fields;
    method.describe(fields, parameters);
    for (const std::string& name : method.lengths) {
      CAPTURE(name);
      const Parameter* parameter = fields.find(name);
      REQUIRE(parameter);
      CHECK(parameter->unit == "m");
      CHECK(std::holds_alternative<Real*>(parameter->value));
    }
    for (const std::string& name : method.of_one_particle) CHECK(fields.find(name));
  }
}

}  // namespace phyxel
