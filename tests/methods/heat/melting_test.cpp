#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "heat_scenes.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/core/error.h"
#include "phyxel/matter/heat.h"
#include "render/temporary_folder.h"

// Conduction, melting and freezing of material points.

using namespace phyxel;

namespace {

/// Rows of numbers of a file in validation/heat, without its comment and heading.
std::vector<std::vector<double>> read_table(const std::string& name) {
  std::ifstream file(PHYXEL_VALIDATION_DIR "/heat/" + name);
  REQUIRE(file);
  std::vector<std::vector<double>> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || (std::isdigit(line[0]) == 0)) continue;
    std::stringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

/// A slab of unit length and unit diffusivity in the plane, wide enough that its middle does not
/// feel its sides. It melts into a liquid of the same density.
World slab(double temperature, double latent_heat, const std::string& left,
           const std::string& right) {
  return build(parse_scene(fmt::format(R"(
fps = 1000
dimensions = 2
[world]
gravity = [0, 0, 0]
[material.solid]
method = "mpm"
law = "corotated"
youngs_modulus = 100.0
density = 1.0
conductivity = 1.0
specific_heat = 1.0
latent_heat = {:.9f}
melts_into = "melt"
[material.melt]
method = "mpm"
law = "liquid"
bulk_modulus = 100.0
density = 1.0
conductivity = 1.0
specific_heat = 1.0
latent_heat = {:.9f}
[body.b]
material = "solid"
spacing = 0.04
temperature = {:.3f}
shape = {{ type = "box", centre = [0.5, 0, 0], size = [1, 0.7, 1] }}
[collider.left]
shape = {{ type = "plane", point = [0, 0, 0], normal = [1, 0, 0] }}
{}
[collider.right]
shape = {{ type = "plane", point = [1, 0, 0], normal = [-1, 0, 0] }}
{}
)",
                                       latent_heat, latent_heat, temperature, left, right),
                           "test"),
               {});
}

/// Mean over the particles of the middle band around x.
double temperature_at(World& world, double x) {
  const HostParticles& p = method_of(world).particles();
  double sum = 0, weight = 0;
  for (Index i = 0; i < p.size(); ++i) {
    if (std::abs(p.x[i][1] + world.environment.origin[1]) > 0.12) continue;
    const double distance = std::abs(p.x[i][0] + world.environment.origin[0] - x);
    const double w = std::max(0.0, 1 - distance / 0.05);
    sum += w * p.temperature[i], weight += w;
  }
  return sum / weight;
}

}  // namespace

TEST_CASE("a_slab_of_mpm_cools_as_the_series_says") {
  World world = slab(1, 0, "temperature = 0.0", "temperature = 0.0");
  // melting_temperature is 0, and no particle gets below.
  double worst = 0;
  for (const std::vector<double>& row : read_table("heat_slab.csv")) {
    if (row[0] < 0.009 || row[0] > 0.101) continue;
    while (world.environment.time < row[0] - 1e-9) advance(world);
    worst = std::max(worst, std::abs(temperature_at(world, row[1]) - row[2]));
  }
  MESSAGE("slab: largest error ", worst);
  // 25 layers of 0.04, half a layer at each wall: 2 percent of the initial temperature.
  CHECK(worst < 0.02);
}

TEST_CASE("the_melting_front_of_mpm_moves_as_stefan_says") {
  for (const std::vector<double>& row : read_table("stefan_one_phase.csv")) {
    const double stefan = row[0], lambda = row[1];
    if (stefan != 1) continue;
    World world = slab(0, 1 / stefan, "temperature = 1.0", "");
    double worst = 0, front = 0, liquid = 0;
    while (front < 0.5) {
      for (int frame = 0; frame < 10; ++frame) advance(world);
      const HostParticles& p = method_of(world).particles();
      const double* enthalpy = enthalpies(world);
      double melted = 0, changed = 0, all = 0;
      for (Index i = 0; i < p.size(); ++i) {
        if (std::abs(p.x[i][1] + world.environment.origin[1]) > 0.12) continue;
        melted += std::clamp(enthalpy[i] * stefan, 0.0, 1.0);
        changed += p.material[i] == 1;
        ++all;
      }
      front = melted / all, liquid = changed / all;
      const double exact = 2 * lambda * std::sqrt(world.environment.time);
      if (exact > 0.2) worst = std::max(worst, std::abs(front / exact - 1));
    }
    MESSAGE("Stefan number ", stefan, ": largest error of the front ", worst);
    CHECK(worst < 0.03);
    // A layer is 0.035 wide, and one of them is melting.
    CHECK(liquid < front);
    CHECK(liquid > front - 0.08);
  }
}

namespace {

/// Snow that may become water, and water that may become ice.
const std::string snow_and_water = R"(
[material.snow]
method = "mpm"
law = "snow"
density = 400.0
conductivity = {0}
specific_heat = 100.0
latent_heat = 1000.0
heating = {1}
melts_into = "water"
[material.water]
method = "mpm"
law = "liquid"
density = 1000.0
conductivity = {0}
specific_heat = 200.0
latent_heat = 1000.0
freezes_into = "ice"
[material.ice]
method = "mpm"
law = "corotated"
density = 900.0
youngs_modulus = 1e5
conductivity = {0}
specific_heat = 100.0
latent_heat = 1000.0
)";

World melting_world(double conductivity, double heating, const std::string& head,
                    const std::string& rest) {
  return build(
      parse_scene(head +
                      fmt::format(fmt::runtime(snow_and_water), fmt::format("{:.3f}", conductivity),
                                  fmt::format("{:.3f}", heating)) +
                      rest,
                  "test"),
      {});
}

int count_of(World& world, Index material) {
  const HostParticles& p = method_of(world).particles();
  return static_cast<int>(std::count(p.material.begin(), p.material.end(), material));
}

}  // namespace

TEST_CASE("melting_keeps_mass_momentum_and_enthalpy") {
  World world = melting_world(0.001, 4000, "fps = 50\n[world]\ngravity = [0, 0, 0]\n", R"(
[body.b]
material = "snow"
spacing = 0.04
temperature = -5.0
velocity = [1, 2, 0]
shape = { type = "sphere", radius = 0.2 }
)");
  const Diagnostics before = diagnose(world);
  const double heat = heat_of(world);
  for (int frame = 0; frame < 20; ++frame) advance(world);
  // 5 degrees of 100 J/(kg K) and 1000 J/kg at 4000 W/kg: 0.375 s.
  CHECK(count_of(world, 0) == 0);
  const HostParticles& p = method_of(world).particles();
  REQUIRE(count_of(world, 1) == p.size());
  const Diagnostics after = diagnose(world);
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-12));
  for (int k = 0; k < 3; ++k)
    CHECK(std::abs(after.momentum[k] - before.momentum[k]) < 2e-5 * length(before.momentum));
  // Snow is heated until it is water, which is found after 0.01 s and a step at the latest.
  const double given = (heat_of(world) - heat) / before.mass;
  CHECK(given > 1500 - 1);
  CHECK(given < 1500 + 0.02 * 4000);
  for (const ColumnView& view : method_of(world).columns())
    if (view.name == "volume")
      CHECK(static_cast<const Real*>(view.data)[0] == doctest::Approx(p.mass[0] / 1000));
}

TEST_CASE("water_of_snow_takes_the_room_of_water") {
  World world = melting_world(0.001, 4000, R"(
fps = 20
[world]
walls = "closed"
[world.domain]
min = [-0.12, 0, -0.12]
max = [0.12, 2, 0.12]
)",
                              R"(
[body.b]
material = "snow"
spacing = 0.03
shape = { type = "box", centre = [0, 0.2, 0], size = [0.24, 0.4, 0.24] }
)");
  const double before = diagnose(world).centre()[1];
  for (int frame = 0; frame < 30; ++frame) advance(world);
  CHECK(count_of(world, 1) == method_of(world).particles().size());
  const double share = diagnose(world).centre()[1] / before;
  MESSAGE("height over that of the snow: ", share);
  // 400 / 1000, and the gap that the grid leaves at the walls.
  CHECK(share < 0.55);
  CHECK(share > 0.3);
}

TEST_CASE("water_freezes_when_its_latent_heat_is_gone") {
  World world = melting_world(1, 0, "fps = 50\n[world]\ngravity = [0, 0, 0]\n", R"(
[body.b]
material = "water"
spacing = 0.04
temperature = 2.0
shape = { type = "box", size = [0.2, 0.2, 0.2] }
[[event]]
time = 0.1
set = { "material.water.heating" = -10000.0 }
)");
  for (int frame = 0; frame < 10; ++frame) advance(world);
  // 400 J/kg to reach 0 degrees and 1000 J/kg to freeze: 0.14 s after the event.
  CHECK(count_of(world, 1) == method_of(world).particles().size());
  for (int frame = 0; frame < 4; ++frame) advance(world);
  CHECK(count_of(world, 2) == method_of(world).particles().size());
}

TEST_CASE("heat_of_mpm_does_not_depend_on_the_frame_rate") {
  double warmed[2];
  for (const int k : {0, 1}) {
    World world = heated_world({"mpm", "law = \"corotated\"\n"}, "conductivity = 500.0\n",
                               "{ type = \"box\", size = [0.2, 0.2, 0.2] }", 0.04, R"(
[collider.wall]
shape = { type = "plane", point = [-0.1, 0, 0], normal = [1, 0, 0] }
temperature = 100.0
)",
                               "", k == 0 ? 5 : 200);
    while (world.environment.time < 0.4 - 1e-9) advance(world);
    warmed[k] = mean_temperature(world) - 20;
  }
  // Powers are found after equal times; steps before frames are shorter.
  CHECK(warmed[1] == doctest::Approx(warmed[0]).epsilon(2e-3));
}

namespace {

World snow_on_a_hot_plate() {
  return melting_world(50, 0, "fps = 50\n", R"(
[body.b]
material = "snow"
spacing = 0.03
temperature = -1.0
velocity = [0, -1, 0]
shape = { type = "sphere", centre = [0, 0.16, 0], radius = 0.15 }
[collider.plate]
shape = { type = "plane" }
temperature = 300.0
friction = 0.3
)");
}

}  // namespace

TEST_CASE("melting_snow_has_the_same_bits_on_one_two_and_three_threads_and_when_resumed") {
  std::vector<std::byte> first;
  for (int threads = 1; threads <= 3; ++threads) {
    const ThreadLimit limit(threads);
    World world = snow_on_a_hot_plate();
    for (int frame = 0; frame < 10; ++frame) advance(world);
    if (threads == 1) first = bytes_of(world);
    CHECK(bytes_of(world) == first);
  }
  const TemporaryFolder folder;
  const OutputFolder output{folder.path};
  std::filesystem::create_directories(output.root / "checkpoint");
  World world = snow_on_a_hot_plate();
  for (int frame = 0; frame < 6; ++frame) advance(world);
  const int melted = count_of(world, 1);
  CHECK(melted > 0);
  CHECK(count_of(world, 0) > 0);
  save_checkpoint(output, world);
  World resumed = snow_on_a_hot_plate();
  CHECK(load_checkpoint(output, resumed) == 6);
  CHECK(count_of(resumed, 1) == melted);
  for (World* w : {&world, &resumed})
    for (int frame = 0; frame < 4; ++frame) advance(*w);
  CHECK(bytes_of(resumed) == bytes_of(world));
  CHECK(bytes_of(world) == first);
}

namespace {

std::string refusal_of(const std::string& scene) {
  try {
    build(parse_scene(scene, "scene.toml"), {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CHECK(text.find(part) != std::string::npos);
  return true;
}

}  // namespace

TEST_CASE("materials_that_cannot_turn_into_each_other_are_refused_with_their_place") {
  const auto scene = [](const std::string& keys, const std::string& other) {
    return "[material.snow]\nmethod = \"mpm\"\nconductivity = 1.0\n" + keys + "\n" + other +
           "[body.b]\nmaterial = \"snow\"\nspacing = 0.1\nshape = { type = \"box\", size = [1, 1, "
           "1] }\n";
  };
  const std::string water = "[material.water]\nmethod = \"mpm\"\nlaw = \"liquid\"\n";
  const std::string unknown = refusal_of(scene("melts_into = \"watr\"", water));
  has(unknown, "scene.toml:4:1");
  has(unknown, "material.snow.melts_into = \"watr\"");
  has(unknown, "did you mean 'water'?");
  const std::string other =
      refusal_of(scene("melts_into = \"water\"", "[material.water]\nmethod = \"sph\"\n"));
  has(other, "scene.toml:4:1");
  has(other, "is of method sph");
  const std::string heat = refusal_of(scene("latent_heat = 5.0\nmelts_into = \"water\"", water));
  has(heat, "scene.toml:5:1");
  has(heat, "give both the same");
}
