#include "phyxel/scene/read_scene.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/timeline.h"
#include "phyxel/scene/to_toml.h"
#include "render/temporary_folder.h"
#include "scene/base_scene.h"

namespace phyxel {
namespace {

// Every key there is, with a value that is not its default, written as value_text() writes it.
const char* const top_keys = R"(name = "everything"
description = "all keys"
duration = 0.75
fps = 48.0
seed = 7
)";
const char* const world_keys = R"([world]
gravity = [0.5, -2.0, 0.25]
air_temperature = -5.0
periodic = [true, false, false]
walls = "sticky"
out_of_memory = "stop"
remove_every = 0.75
plane = "stress"
domain = { min = [-4.0, -0.5, -3.0], max = [4.0, 5.0, 3.0] }
)";
const char* const time_keys = R"([time]
max_dt = 0.125
fixed_dt = 0.0625
settle = 0.03125
safety = 0.5
)";
const char* const material_keys = R"(density = 750.0
colour = [0.25, 0.5, 0.75]
youngs_modulus = 20000.0
equilibrium_distance = 0.125
repulsive_exponent = 10.0
attractive_exponent = 5.0
truncation = "plain"
fade_from = 1.25
cutoff = 2.5
damping = 0.5
viscous_damping = 0.75
obstacle_range = 0.0625
obstacle_exponent = 3.0
obstacle_alpha = 0.03125
softening_start = 30.0
softening_end = 50.0
softened_strength = 0.5
integration = "euler"
conductivity = 0.25
specific_heat = 1500.0
latent_heat = 2500.0
melting_temperature = 45.0
heating = 12.5
convection = 7.5
)";
const char* const other_material_keys = R"(particle_mass = 0.25
dissociation_energy = 12.0
obstacle_beta = 6.0
)";
const char* const body_keys = R"(material = "wax"
spacing = 0.125
packing = "cubic"
velocity = [1.0, 2.0, 3.0]
angular_velocity = [4.0, 5.0, 6.0]
temperature = 35.0
)";
const char* const emitter_keys = R"(material = "wax"
spacing = 0.25
packing = "cubic"
direction = [1.0, -2.0, 0.5]
speed = 1.25
start = 0.375
stop = 1.75
active = false
temperature = 55.0
)";
const char* const collider_keys = R"(friction = 0.625
restitution = 0.875
contact = "slip"
temperature = 65.0
heat_flux = 120.0
visible = false
colour = [0.125, 0.25, 0.375]
)";
const char* const pin_keys = R"(body = "ball"
temperature = 45.0
active = false
)";
const char* const sink_keys = R"(material = ["wax"]
active = false
)";
const char* const motion_keys = R"(times = [0.5, 1.5]
pivot = [0.25, 0.5, 0.75]
interpolation = "step"
)";
const char* const render_keys = R"([render]
enabled = false
width = 64
height = 36
samples = 2
seconds = 1.5
bounces = 3
exposure = 1.25
ground = "shadow"
background = "environment"
environment = "sky.hdr"
environment_turn = 90.0
key_light = 0.5
colour_by = "speed"
colour_map = "magma"
colour_min = 0.5
colour_max = 1.5
legend = false
particle_radius = 0.25
camera_position = [1.0, 2.0, 3.0]
camera_target = [0.0, 1.0, 0.0]
view_direction = [0.0, 0.0, -1.0]
field_of_view = 45.0
zoom = 2.0
aperture = 0.02
focus = 2.5
every = 3
)";
const char* const surface_keys = R"([surface.wax]
method = "blobs"
radius = 0.75
blobbiness = 2.5
iso = 1.5
cell = 0.25
smooth = 7
visible = false
look = "gel"
colour = [0.25, 0.5, 0.75]
roughness = 0.125
depth = 0.375
)";
const char* const light_keys = R"([light.lamp]
position = [3.0, 2.0, 1.0]
target = [0.0, 0.5, 0.0]
width = 0.5
height = 0.25
colour = [1.0, 0.5, 0.25]
strength = 8.0
)";
const char* const output_keys = R"([output]
particles = "both"
sets = true
usd = true
contact_sheet = 9
video = false
shell = true
video_fps = 12.5
checkpoint_every = 4
every = 5
)";

std::string everything() {
  return fmt::format(R"({}{}{}
[material.wax]
method = "lennard_jones"
{}
[material.other]
method = "lennard_jones"
{}
[body.ball]
shape = {{ type = "sphere", centre = [0, 2, 0], radius = 0.5 }}
{}
[emitter.tap]
shape = {{ type = "sphere", centre = [2, 2, 0], radius = 0.5 }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [3, 0, 0]] }}
{}
[collider.ground]
shape = {{ type = "plane" }}
{}
[collider.ground.motion]
positions = [[0, 0, 0], [1, 2, 3]]
rotations = [[0, 0, 0], [4, 5, 6]]
{}
[pin.top]
shape = {{ type = "plane", point = [0, 2, 0] }}
{}
[sink.drain]
shape = {{ type = "plane", point = [0, -9, 0] }}
{}{}{}{}{})",
                     top_keys, world_keys, time_keys, material_keys, other_material_keys, body_keys,
                     emitter_keys, collider_keys, motion_keys, pin_keys, sink_keys, surface_keys,
                     light_keys, render_keys, output_keys);
}

Scene scene_of(const std::string& text, const std::vector<std::string>& set = {}) {
  std::vector<Override> overrides;
  for (const std::string& s : set) overrides.push_back(parse_override(s));
  return parse_scene(text, "scene.toml", ".", overrides);
}

/// Every parameter has what stands in `text`, which is not its default.
void check_read(Fields read, Fields defaults, const std::string& text,
                const std::vector<std::string>& others = {}) {
  for (const Parameter& p : read.list) {
    if (std::find(others.begin(), others.end(), p.name) != others.end()) continue;
    const std::string value = value_text(p);
    CHECK_MESSAGE(text.find(p.name + " = " + value + "\n") != text.npos, p.name, " = ", value);
    CHECK_MESSAGE(value != value_text(*defaults.find(p.name)), p.name, " has its default");
  }
}

template <class Spec>
void check_read(Spec read, const std::string& text, const std::vector<std::string>& others = {}) {
  Spec defaults;
  check_read(described(read), described(defaults), text, others);
}

Fields fields_of_material(Material& material) {
  Fields fields;
  describe(fields, material);
  find_method(material.method)->describe(fields, material.parameters);
  return fields;
}

std::string material_value(Scene& scene, std::size_t k, const std::string& name) {
  return value_text(*fields_of_material(scene.materials[k].material).find(name));
}

}  // namespace

TEST_CASE("every_key_is_read_to_where_it_belongs") {
  Scene scene = scene_of(everything());
  set_origin(scene, Vec3d::zero());                                     // places as written
  check_read(scene, top_keys, {"schema", "dimensions", "resolution"});  // it changes other keys
  check_read(scene.world, world_keys,
             {"origin", "positions", "outside"});  // to_toml_test.cpp; not beside walls
  CHECK(scene.world.has_domain);
  CHECK(scene.world.domain_min == Vec3d{-4, -0.5, -3});
  CHECK(scene.world.domain_max == Vec3d{4, 5, 3});
  check_read(scene.time, time_keys);
  check_read(scene.bodies.at(0), body_keys, {"fill", "thickness"});  // body_seed_test.cpp
  BodySpec emitter = scene.bodies.at(1), plain;
  plain.nozzle.emplace();
  check_read(described(emitter), described(plain), emitter_keys, {"rate"});  // instead of speed
  CHECK(emitter.nozzle->motion.positions.at(1) == Vec3{3, 0, 0});
  check_read(scene.colliders.at(0), collider_keys, {"voxel"});  // not of a plane
  const Scene voxels =
      scene_of(and_then("[collider.blade]\nshape = { mesh = \"blade.obj\" }\nvoxel = 0.25\n"));
  CHECK_FALSE(is_given(voxels.colliders.at(0).voxel));
  CHECK(voxels.colliders.at(1).voxel == Real(0.25));
  check_read(scene.pins.at(0), pin_keys);
  check_read(scene.sinks.at(0), sink_keys);
  const Motion& motion = scene.colliders.at(0).motion;
  check_read(motion, motion_keys, {"positions", "rotations"});
  CHECK(motion.positions.at(1) == Vec3{1, 2, 3});
  CHECK(motion.rotations.at(1) == Vec3{4, 5, 6});
  // A skin reads texture and mesh, a flow and surfels what is their own, fields without a grid are
  // drawn directly, decimation needs OpenMesh.
  check_read(scene.surfaces.at(0), surface_keys,
             {"of",
              "phase",
              "decimate",
              "direct",
              "texture",
              "mesh",
              "back_colour",
              "alpha",
              "longest_edge",
              "border",
              "relative_to",
              "surfel_spacing",
              "surfel_detail",
              "surfel_implicit",
              "surfel_contact",
              "surfel_resampling",
              "surfel_zombies",
              "show",
              "paint",
              "paint_width",
              "paint_direction",
              "paint_colours"});
  const SurfaceSpec surfels =
      scene_of(and_then("[surface.wax]\nmethod = \"surfels\"\nsurfel_spacing = 0.0625\n"
                        "surfel_implicit = false\nsurfel_contact = false\n"
                        "surfel_resampling = false\nsurfel_zombies = false\n"
                        "paint = \"checker\"\npaint_width = 0.125\npaint_direction = [0, 0, 1]\n"
                        "paint_colours = [[0, 0, 1], [1, 0.5, 0]]\n"))
          .surfaces.at(0);
  CHECK(surfels.surfel_spacing == Real(0.0625));
  CHECK(surfels.surfel_detail);
  CHECK(!surfels.surfel_implicit);
  CHECK(!surfels.surfel_contact);
  CHECK(!surfels.surfel_resampling);
  CHECK(!surfels.surfel_zombies);
  CHECK(surfels.paint.pattern == "checker");
  CHECK(surfels.paint.width == Real(0.125));
  CHECK(surfels.paint.direction == Vec3{0, 0, 1});
  CHECK(surfels.paint.colours == std::vector<Vec3>{{0, 0, 1}, {1, Real(0.5), 0}});
  const SurfaceSpec flow =
      scene_of(and_then("[surface.wax]\nmethod = \"flow\"\nlongest_edge = 0.25\n"
                        "border = 0.5\nrelative_to = \"frame\"\n"))
          .surfaces.at(0);
  CHECK(flow.flow.longest_edge == Real(0.25));
  CHECK(flow.flow.border == Real(0.5));
  CHECK(flow.flow.relative_to == BorderRule::frame);
  CHECK(scene_of(and_then("[surface.wax]\nmethod = \"flow\"\nalpha = 0.125\n"))
            .surfaces.at(0)
            .flow.alpha == Real(0.125));
  check_read(scene.lights.at(0), light_keys);
  check_read(scene.render, render_keys);
  check_read(scene.output, output_keys, {"surface", "volume"});  // an animation wants PLY; OpenVDB
}

TEST_CASE("phases_of_matter_get_surfaces_of_their_own") {
  const std::string melting = R"(
[material.ice]
method = "lattice"
[body.cube]
material = "ice"
shape = { type = "box", size = [1, 1, 1] }
spacing = 0.1
)";
  const Scene scene = scene_of(melting + R"(
[surface.ice]
phase = "solid"
[surface.melt]
of = "ice"
phase = "liquid"
)");
  CHECK(scene.surfaces.at(0).of == "ice");
  CHECK(scene.surfaces.at(0).phase == SurfacePhase::solid);
  CHECK(scene.surfaces.at(1).of == "ice");
  CHECK(scene.surfaces.at(1).phase == SurfacePhase::liquid);
  const auto refused = [&](const std::string& tables, const std::string& word) {
    try {
      scene_of(melting + tables);
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find(word) != std::string::npos);
      return true;
    }
    return false;
  };
  CHECK(refused("[surface.melt]\nof = \"ise\"\n", "did you mean 'ice'"));
  CHECK(refused("[surface.ice]\n[surface.melt]\nof = \"ice\"\nphase = \"liquid\"\n",
                "surface.ice is for the same particles"));
  CHECK(refused("[surface.ice]\nmethod = \"skin\"\nphase = \"solid\"\n", "a skin needs"));
}

TEST_CASE("every_parameter_of_a_material_is_read") {
  Scene scene = scene_of(everything());
  Material defaults;
  defaults.method = "lennard_jones";
  defaults.parameters = find_method("lennard_jones")->default_parameters();
  const std::vector<std::string> second = {"particle_mass", "dissociation_energy", "obstacle_beta"};
  check_read(fields_of_material(scene.materials.at(0).material), fields_of_material(defaults),
             material_keys, second);
  for (const std::string& name : second)
    CHECK(std::string(other_material_keys).find(name + " = " + material_value(scene, 1, name)) !=
          std::string::npos);
}

TEST_CASE("top_of_the_file_has_sensible_defaults") {
  const Scene scene = scene_of(with_line(2, ""));
  CHECK(scene.name == "scene");
  CHECK(scene.schema == 1);
  CHECK(scene.dimensions == 3);
  CHECK(scene.world.gravity[1] == Real(-9.81));
  CHECK(scene.frames() == 48);
  CHECK(scene_of("dimensions = 2\n" + std::string(base_scene)).bodies[0].packing ==
        Packing::hexagonal);
}

TEST_CASE("materials_bodies_and_colliders_keep_the_order_of_the_file") {
  const std::string text = R"(
[body.zebra]
material = "wax"
shape = { type = "sphere", radius = 1 }
[material.wax]
method = "lennard_jones"
[body.ant]
material = "lead"
shape = { type = "sphere", centre = [4, 0, 0], radius = 1 }
[material.lead]
method = "lennard_jones"
[body.monkey]
material = "wax"
shape = { type = "sphere", centre = [8, 0, 0], radius = 1 }
)";
  const Scene scene =
      scene_of(text, {R"(body.aardvark={material="wax",shape={type="bunny",size=1}})"});
  REQUIRE(scene.bodies.size() == 4);
  CHECK(scene.bodies[0].name == "zebra");
  CHECK(scene.bodies[1].name == "ant");
  CHECK(scene.bodies[2].name == "monkey");
  CHECK(scene.bodies[3].name == "aardvark");  // what the command line adds comes last
  CHECK(scene.materials[0].material.name == "wax");
  const Scene again = scene_of(to_toml(scene));
  for (std::size_t k = 0; k < 4; ++k) CHECK(again.bodies[k].name == scene.bodies[k].name);
}

TEST_CASE("a_preset_is_a_start_that_every_key_overrides") {
  Scene plain = scene_of(with_line(4, "preset = \"putty\""));
  CHECK(plain.materials[0].material.method == "lennard_jones");
  CHECK(material_value(plain, 0, "density") == "1600.0");
  CHECK(material_value(plain, 0, "youngs_modulus") == "100000.0");
  CHECK(material_value(plain, 0, "repulsive_exponent") == "8.0");
  Scene other = scene_of(with_line(5, "preset = \"putty\"\nviscous_damping = 9.0"));
  CHECK(material_value(other, 0, "youngs_modulus") == "40000.0");
  CHECK(material_value(other, 0, "viscous_damping") == "9.0");
}

TEST_CASE("what_takes_the_place_of_a_preset_value_removes_it") {
  Scene scene =
      scene_of(with_line(5, "preset = \"putty\"\ndissociation_energy = 3.0\nparticle_mass = 0.5"));
  CHECK(material_value(scene, 0, "dissociation_energy") == "3.0");
  CHECK(material_value(scene, 0, "youngs_modulus") == "");
  CHECK(material_value(scene, 0, "particle_mass") == "0.5");
  CHECK(material_value(scene, 0, "density") == "");
}

TEST_CASE("every_preset_can_be_built") {
  // A closed shell with edges as long as the spacing of the scene, for presets with gas inside.
  const TemporaryFolder folder;
  const std::filesystem::path shell = std::filesystem::absolute(folder.path / "shell.obj");
  std::ofstream(shell) << R"(v 0.07 0 0
v -0.07 0 0
v 0 0.07 0
v 0 -0.07 0
v 0 0 0.07
v 0 0 -0.07
f 1 3 5
f 3 2 5
f 2 4 5
f 4 1 5
f 3 1 6
f 2 3 6
f 4 2 6
f 1 4 6
)";
  for (const KnownMaterial& preset : known_materials()) {
    CAPTURE(preset.name);
    std::string text = with_line(5, "preset = \"" + preset.name + "\"");
    const std::string method = "lennard_jones";
    text.replace(text.find(method), method.size(), preset.method);
    if (preset.values.contains("pressure")) {
      const std::size_t at = text.find("shape = "), end = text.find('\n', at);
      text.replace(at, end - at,
                   fmt::format("fill = \"surface\"\nshape = {{ type = \"mesh\", file = \"{}\", "
                               "centre = [0, 1, 0] }}",
                               shell.string()));
    }
    CHECK(build(scene_of(text)).methods.size() == 1);
  }
}

TEST_CASE("overrides_change_add_and_replace") {
  const Scene scene = scene_of(
      base_scene,
      {"duration=1.25", "name=other", "world.gravity=[0, -1.62, 0]", "render.colour_by=speed",
       "render.legend=false", "body.ball.shape.radius=0.25", "material.wax.damping=2",
       R"(event=[{time=0.5, set={"world.gravity"=[1, 2, 3]}}])", "output.particles=vtp"});
  CHECK(scene.duration == 1.25);
  CHECK(scene.name == "other");
  CHECK(scene.world.gravity[1] == Real(-1.62));
  CHECK(scene.render.colour_by == "speed");
  CHECK_FALSE(scene.render.legend);
  CHECK(scene.bodies[0].shape.radius == Real(0.25));
  CHECK(scene.events.at(0).time == 0.5);
  CHECK(scene.output.particles == "vtp");
  CHECK(scene_of(base_scene, {"seed=3", "seed=4"}).seed == 4);  // the last one counts
  CHECK(to_toml(scene_of(to_toml(scene))) == to_toml(scene));
}

TEST_CASE("the_resolved_text_is_the_same_scene") {
  const Scene scene = scene_of(everything(), {"fps=30", "body.ball.temperature=0.1"});
  const Scene again = scene_of(to_toml(scene));
  CHECK(to_toml(again) == to_toml(scene));
  CHECK(physics_text(again) == physics_text(scene));
  CHECK(again.fps == 30);
  CHECK(again.bodies[0].temperature == Real(0.1));
  CHECK(again.colliders[0].motion.positions[1] == Vec3{1, 2, 3});
}

TEST_CASE("what_only_shows_does_not_change_the_physics") {
  const Scene scene = scene_of(base_scene);
  for (const char* set : {"duration=9", "name=x", "description=y", "render.width=64",
                          "output.video=false", "render.colour_by=speed"})
    CHECK(physics_text(scene_of(base_scene, {set})) == physics_text(scene));
  for (const char* set :
       {"seed=2", "fps=25", "material.wax.damping=1", "body.ball.spacing=0.11", "time.safety=0.5",
        "dimensions=2", "resolution=2", "world.gravity=[0, -9.8, 0]"})
    CHECK(physics_text(scene_of(base_scene, {set})) != physics_text(scene));
}

TEST_CASE("files_of_the_resolved_copy_are_found_from_anywhere") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "points.xyz") << "0 1 0\n0 1.1 0\n";
  std::ofstream(folder.path / "scene.toml")
      << with_line(8, "shape = { particles = \"points.xyz\" }")
      << "[output]\nparticles = \"ply\"\n";
  const Scene scene = read_scene(folder.path / "scene.toml");
  CHECK(to_toml(scene).find((folder.path / "points.xyz").string()) != std::string::npos);
  const Scene moved = parse_scene(to_toml(scene), "copy.toml", "/nowhere");
  CHECK(moved.output.particles == "ply");
  CHECK(build(moved).methods[0]->particles().size() == 2);
}

TEST_CASE("keys_are_held_before_and_after_and_joined_between") {
  KeyframeSpec keys;
  keys.times = {1, 3};
  keys.values = {{10}, {20}};
  const auto at = [&](double t) { return std::get<double>(value_at(keys, t)); };
  CHECK(at(0) == 10);
  CHECK(at(1) == 10);
  CHECK(at(1.5) == 12.5);
  CHECK(at(3) == 20);
  CHECK(at(9) == 20);
  keys.interpolation = Interpolation::smooth;
  CHECK(at(1.5) == doctest::Approx(10 + 10 * 0.15625));  // 3 s^2 - 2 s^3 at a quarter
  CHECK(at(2) == doctest::Approx(15));
  keys.interpolation = Interpolation::step;
  CHECK(at(2.999) == 10);
  CHECK(at(3) == 20);
  keys.values = {{0, 1, 2}, {2, 1, 0}};
  keys.interpolation = Interpolation::linear;
  CHECK(std::get<std::vector<double>>(value_at(keys, 2)) == std::vector<double>{1, 1, 1});
}

TEST_CASE("events_are_sorted_by_time_and_keep_their_order_at_one_time") {
  const Scene scene = scene_of(and_then(R"(
[[event]]
time = 2
set = { "material.wax.damping" = 1 }
[[event]]
time = 1
set = { "material.wax.damping" = 2 }
[[event]]
time = 1
set = { "material.wax.damping" = 3 }
)"));
  REQUIRE(scene.events.size() == 3);
  CHECK(std::get<double>(scene.events[0].set[0].value) == 2);
  CHECK(std::get<double>(scene.events[1].set[0].value) == 3);
  CHECK(std::get<double>(scene.events[2].set[0].value) == 1);
}

TEST_CASE("the_format_of_surfaces_is_read") {
  CHECK(scene_of(and_then("[output]\nsurface = \"glb\"")).output.surface == "glb");
}

TEST_CASE("every_value_knows_its_place") {
  const Scene scene = scene_of(base_scene);
  CHECK(to_string(scene.place_of("body.ball.spacing")) == "scene.toml:9:1");
  CHECK(to_string(scene.place_of("body.ball.velocity")) == "scene.toml:6:1");  // its table
  CHECK(to_string(scene.place_of("render.width")) == "scene.toml:1:1");
  CHECK(to_string(place_named_in(scene, "material.wax.youngs_modulus = 1: bad")) ==
        "scene.toml:5:1");
  CHECK(to_string(place_named_in(scene, "enlarge world.gravity or so")) == "scene.toml:2:1");
  CHECK(to_string(place_named_in(scene, "nothing named")) == "scene.toml");
}

}  // namespace phyxel
