#include "phyxel/scene/removal.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <set>

#include "phyxel/core/exec.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {
namespace {

const std::vector<std::string> all_methods = {"lennard_jones", "mass_interaction", "sph", "lattice",
                                              "mpm"};

/// Keys of a material that every method takes.
std::string material_of(const std::string& method) {
  const bool liquid = method == "sph" || method == "mpm";
  const std::string pairs = method == "mass_interaction" ? "automaton = \"granular\"\n" : "";
  return fmt::format("method = \"{}\"\ndensity = 1000.0\n{}{}", method, pairs,
                     liquid ? "" : "youngs_modulus = 1e5\n");
}

/// A stream that falls 0.3 m into a sink.
std::string stream(const std::string& method, const std::string& more = "") {
  return fmt::format(R"(
fps = 20
duration = 2.0
[material.water]
{}
[emitter.tap]
material = "water"
shape = {{ type = "cylinder", centre = [0, 0.5, 0], radius = 0.05, height = 0.1 }}
spacing = 0.02
speed = 1.0
[sink.drain]
shape = {{ type = "box", centre = [0, 0, 0], size = [1, 0.4, 1] }}
{}
)",
                     material_of(method), more);
}

/// A block above a sink that reaches down without end.
std::string falling_block(const std::string& method, const std::string& more = "") {
  return fmt::format(R"(
fps = 20
duration = 2.0
[material.water]
{}
[body.block]
material = "water"
shape = {{ type = "box", centre = [0, 0.1, 0], size = [0.1, 0.1, 0.1] }}
spacing = 0.02
{}
)",
                     material_of(method), more);
}

World world_of(const std::string& text) {
  return build(parse_scene(text, "scene.toml"));
}
void advance_to(World& world, int frame) {
  while (world.frame < frame) advance(world);
}

double removed(World& world) {
  for (const auto& [name, value] : diagnose(world).extra)
    if (name == "removed") return value;
  return -1;
}

std::string message_of(const std::string& text) {
  try {
    plan(parse_scene(text, "scene.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}
bool has(const std::vector<std::string>& texts, const std::string& part) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return has(text, part); });
}

}  // namespace

TEST_CASE("what_falls_into_a_sink_vanishes_and_its_ids_are_never_used_again") {
  for (const std::string& method : all_methods) {
    CAPTURE(method);
    World world = world_of(stream(method));
    std::set<ParticleId> gone, here;
    for (int frame = 1; frame <= 14; ++frame) {
      advance(world);
      const HostParticles& p = world.methods[0]->particles();
      const std::set<ParticleId> now(p.id.begin(), p.id.end());
      CHECK(now.size() == p.id.size());
      for (const ParticleId id : here)
        if (!now.contains(id)) gone.insert(id);
      for (const ParticleId id : now) CHECK(!gone.contains(id));
      here = now;
    }
    CHECK(removed(world) > 100);
    CHECK(std::uint64_t(removed(world)) + particle_count(world) == world.next_id);
    // A sink looks every 0.01 s: at 2.2 m/s nothing comes deeper than 3 cm below its upper side.
    for (const Vec3& x : world.methods[0]->particles().x)
      CHECK(double(x[1]) + world.environment.origin[1] > 0.2 - 0.04);
  }
}

TEST_CASE("a_stream_into_a_sink_is_as_long_however_long_it_has_run") {
  World world = world_of(stream("mpm"));
  advance_to(world, 10);
  const std::size_t after_half = particle_count(world);
  const ParticleId made = world.next_id;
  const std::size_t room = world.methods[0]->particles().x.capacity();
  advance_to(world, 30);
  CHECK(world.next_id > 2 * made);
  // Layers of the stream come and go at their own times.
  CHECK(std::abs(double(particle_count(world)) - double(after_half)) < 0.2 * double(after_half));
  CHECK(world.methods[0]->particles().x.capacity() <= 2 * room);
}

TEST_CASE("a_world_that_has_lost_all_matter_goes_on") {
  for (const std::string& method : all_methods) {
    CAPTURE(method);
    World world = world_of(
        falling_block(method, "[sink.floor]\nshape = { type = \"plane\", point = [0, 0, 0] }\n"));
    const std::size_t all = particle_count(world);
    advance_to(world, 8);
    CHECK(particle_count(world) == 0);
    CHECK(removed(world) == double(all));
    const Frame frame = take_frame(world);
    CHECK(frame.count == 0);
    CHECK(frame.find("id"));
    CHECK(diagnose(world).kinetic_energy == 0);
    CHECK(world.methods[0]->save_pairs().empty());
  }
}

TEST_CASE("matter_comes_again_where_all_was_removed") {
  for (const std::string& method : all_methods) {
    CAPTURE(method);
    const std::string text = stream(method, "[[event]]\ntime = 0.5\nremove = \"emitter.tap\"\n");
    World world = world_of(text);
    advance_to(world, 10);
    const std::size_t flowing = particle_count(world);
    advance(world);  // the event at its beginning, and a frame of the stream
    CHECK(particle_count(world) < flowing);
    advance_to(world, 20);
    CHECK(double(particle_count(world)) == doctest::Approx(double(flowing)).epsilon(0.2));
  }
}

TEST_CASE("memory_of_what_is_gone_is_given_back") {
  for (const std::string& method : all_methods) {
    CAPTURE(method);
    World world = world_of(falling_block(method, R"([body.other]
material = "water"
shape = { type = "box", centre = [1, 0.1, 0], size = [0.04, 0.04, 0.04] }
spacing = 0.02
[[event]]
time = 0.05
remove = "body.block"
)"));
    const std::size_t before = world.methods[0]->particles().x.capacity();
    advance_to(world, 3);
    CHECK(world.methods[0]->particles().x.capacity() < before / 2);
    for (const ColumnView& view : world.methods[0]->columns())
      CHECK(view.count == particle_count(world));
  }
}

TEST_CASE("a_sink_takes_only_its_materials_and_follows_its_motion") {
  World world = world_of(falling_block("mpm", R"([material.oil]
method = "mpm"
[body.drop]
material = "oil"
shape = { type = "box", centre = [0, 0.1, 0.5], size = [0.1, 0.1, 0.1] }
spacing = 0.02
[sink.scoop]
material = "water"
shape = { type = "box", centre = [-1, 0, 0], size = [0.5, 4, 4] }
motion = { times = [0, 0.2], positions = [[0, 0, 0], [1, 0, 0]] }
)"));
  std::vector<std::size_t> before(2), after(2);
  for (const Index b : world.methods[0]->particles().body) ++before[b];
  advance_to(world, 2);
  CHECK(particle_count(world) == before[0] + before[1]);  // it is still 0.2 m away
  advance_to(world, 4);
  for (const Index b : world.methods[0]->particles().body) ++after[b];
  CHECK(after[0] == 0);
  CHECK(after[1] == before[1]);
}

TEST_CASE("events_remove_bodies_materials_and_what_a_closed_sink_holds") {
  const auto left = [](const std::string& what) {
    World world = world_of(falling_block("sph", fmt::format(R"([body.second]
material = "water"
shape = {{ type = "box", centre = [1, 0.1, 0], size = [0.1, 0.1, 0.1] }}
spacing = 0.02
[sink.region]
active = false
shape = {{ type = "sphere", centre = [1, 0.1, 0], radius = 0.3 }}
[[event]]
time = 0.02
remove = {}
)",
                                                            what)));
    advance(world);
    std::vector<std::size_t> count(2, 0);
    for (const Index b : world.methods[0]->particles().body) ++count[b];
    return count;
  };
  CHECK(left("\"body.block\"")[0] == 0);
  CHECK(left("\"body.block\"")[1] > 0);
  CHECK(left("[\"sink.region\"]")[0] > 0);
  CHECK(left("[\"sink.region\"]")[1] == 0);
  CHECK(left("\"material.water\"") == std::vector<std::size_t>{0, 0});
  CHECK(left("[\"body.second\", \"body.block\"]") == std::vector<std::size_t>{0, 0});
}

TEST_CASE("an_event_opens_a_sink") {
  World world = world_of(falling_block("sph", R"([sink.all]
active = false
shape = { type = "sphere", radius = 9 }
[[event]]
time = 0.12
set = { "sink.all.active" = true }
)"));
  const std::size_t all = particle_count(world);
  advance_to(world, 2);
  CHECK(particle_count(world) == all);
  advance_to(world, 3);
  CHECK(particle_count(world) == 0);
}

TEST_CASE("what_leaves_the_domain_is_kept_or_removed_but_for_periodic_axes") {
  const auto left = [](const std::string& keys) {
    World world = world_of(falling_block("sph",
                                         "velocity = [3, 0, 0]\n[world]\ngravity = [0, 0, 0]\n"
                                         "domain = { min = [-1, -1, -1], max = [0.3, 1, 1] }\n" +
                                             keys));
    const std::size_t all = particle_count(world);
    advance_to(world, 4);
    return double(particle_count(world)) / double(all);
  };
  CHECK(left("") == 1);
  CHECK(left("outside = \"remove\"") == 0);
  CHECK(left("outside = \"remove\"\nperiodic = [true, false, false]") == 1);
}

TEST_CASE("sinks_look_at_the_start_of_a_frame_and_at_equal_parts_of_it") {
  World world = world_of(stream("sph", "[world]\nremove_every = 0.02\n"));  // frames of 0.05 s
  CHECK(time_of_next_look(world) == doctest::Approx(0.05 / 3));
  world.environment.time = time_of_next_look(world);
  CHECK(time_of_next_look(world) == doctest::Approx(0.1 / 3));
  world.environment.time = time_of_next_look(world);
  CHECK(time_of_next_look(world) == infinity);  // the start of the next frame
  World none = world_of(falling_block("sph"));
  CHECK(time_of_next_look(none) == infinity);
}

TEST_CASE("removal_has_the_same_bits_on_any_number_of_threads") {
  for (const std::string& method : all_methods) {
    CAPTURE(method);
    const auto positions = [&](int threads) {
      const ThreadLimit limit(threads);
      World world = world_of(stream(method));
      advance_to(world, 9);
      return take_frame(world).columns.front().data;
    };
    CHECK(positions(1) == positions(3));
  }
}

TEST_CASE("sinks_that_remove_nothing_or_what_is_there_at_the_start_are_warned_of") {
  const auto warnings = [](const std::string& more) {
    const World world = world_of(falling_block("sph", more));
    std::vector<std::string> all = world.warnings;
    all.insert(all.end(), world.notes.begin(), world.notes.end());
    return all;
  };
  CHECK(
      has(warnings("[sink.far]\nshape = { type = \"sphere\", centre = [900, 0, 0], radius = 1 }\n"),
          "sink.far will remove nothing: no matter can come as far"));
  CHECK(has(warnings("[material.oil]\nmethod = \"sph\"\n[sink.oil]\nmaterial = \"oil\"\n"
                     "shape = { type = \"sphere\", radius = 1 }\n"),
            "sink.oil will remove nothing: no body is of its materials"));
  CHECK(has(warnings("[sink.here]\nshape = { type = \"plane\", point = [0, 0.1, 0] }\n"),
            "particles of body.block at the start and removes them"));
  CHECK(warnings("[sink.floor]\nshape = { type = \"plane\" }\n").empty());
  const World world = world_of(stream("sph",
                                      "[sink.mouth]\nshape = { type = \"sphere\", centre = "
                                      "[0, 0.5, 0], radius = 0.2 }\n"));
  CHECK(has(world.notes, "sink.mouth lies at the mouth of emitter.tap"));
}

TEST_CASE("wrong_sinks_and_removals_are_refused_with_place_value_and_remedy") {
  const auto refusal = [](const std::string& more) {
    return message_of(falling_block("sph", more));
  };
  CHECK(has(refusal("[sink.drain]\n"), "sink.drain has no shape"));
  CHECK(has(refusal("[sink.drain]\nmaterial = [\"wter\"]\nshape = { type = \"plane\" }\n"),
            "sink.drain.material has \"wter\", which is not a material of this scene; did you mean "
            "'water'?"));
  CHECK(has(refusal("[sink.drain]\nshape = { particles = \"a.ply\" }\n"),
            "sink.drain.shape of a sink cannot be particles"));
  CHECK(
      has(refusal("[world]\noutside = \"remove\"\n"), "world.outside = \"remove\" needs a domain"));
  CHECK(has(refusal("[world]\noutside = \"remove\"\nwalls = \"closed\"\n"
                    "domain = { min = [-1, -1, -1], max = [1, 1, 1] }\n"),
            "nothing leaves a domain with walls"));
  CHECK(has(refusal("[world]\nremove_every = 0.1\n"),
            "world.remove_every = 0.1 s does nothing here"));
  CHECK(has(refusal("[world]\nremove_every = 0\n"), "world.remove_every"));
  CHECK(has(refusal("[[event]]\ntime = 1.0\nremove = \"body.blok\"\n"), "there is no [body.blok]"));
  CHECK(has(refusal("[[event]]\ntime = 1.0\nremove = \"collider.block\"\n"),
            "an event removes \"body.NAME\""));
  CHECK(has(refusal("[[event]]\ntime = 1.0\nremove = \"emitter.block\"\n"),
            "did you mean \"body.block\"?"));
  CHECK(
      has(refusal("[surface.water]\nmethod = \"skin\"\n[sink.all]\nshape = { type = \"plane\" }\n"),
          "surface.water.method = \"skin\": a sink, an event or world.outside may remove"));
  CHECK(has(refusal("[[event]]\ntime = 1.0\n"), "sets nothing"));
  CHECK(has(refusal("[[event]]\ntime = 1.0\nset = { \"sink.x.active\" = false }\n"),
            "there is no sink.x here"));
}

}  // namespace phyxel
