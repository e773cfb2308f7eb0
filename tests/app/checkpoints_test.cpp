#include "phyxel/app/checkpoints.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

/// A method with two more columns: one for all files, one that only checkpoints need.
class WithOwnColumns final : public Method {
 public:
  explicit WithOwnColumns(std::unique_ptr<Method> method) : method_(std::move(method)) {
    shown.resize(particles().x.size());
    kept.resize(particles().x.size());
  }
  HostParticles& particles() override { return method_->particles(); }
  void keep(const Exec& exec, const HostColumn<Index>& order) override {
    method_->keep(exec, order);
  }
  void begin(const Environment& environment) override { method_->begin(environment); }
  StableStep stable_dt(const Environment& environment) override {
    return method_->stable_dt(environment);
  }
  void step(const Environment& environment, Real dt) override { method_->step(environment, dt); }
  std::vector<ColumnView> columns() override {
    std::vector<ColumnView> views = method_->columns();
    views.push_back(view("shown", "", shown));
    views.push_back(view("kept", "", kept));
    views.back().in_files = false;
    return views;
  }
  Diagnostics diagnostics(const Environment& environment) override {
    return method_->diagnostics(environment);
  }
  std::map<std::string, double> save() override { return method_->save(); }
  void load(const std::map<std::string, double>& numbers) override { method_->load(numbers); }

  HostColumn<Real> shown, kept;

 private:
  std::unique_ptr<Method> method_;
};

World small_world() {
  World world = build(parse_scene(R"([material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
[body.ball]
material = "wax"
shape = { type = "sphere", radius = 0.2 }
spacing = 0.1
)",
                                  "scene.toml"));
  world.methods[0] = std::make_unique<WithOwnColumns>(std::move(world.methods[0]));
  return world;
}

WithOwnColumns& method_of(World& world) {
  return static_cast<WithOwnColumns&>(*world.methods[0]);
}

}  // namespace

TEST_CASE("columns_that_only_checkpoints_need_are_left_out_of_frames_and_kept_in_checkpoints") {
  const TemporaryFolder folder;
  const OutputFolder output{folder.path};
  std::filesystem::create_directories(output.root / "checkpoint");
  World world = small_world();
  WithOwnColumns& method = method_of(world);
  for (std::size_t i = 0; i < method.kept.size(); ++i) {
    method.shown[i] = static_cast<Real>(method.particles().id[i]);
    method.kept[i] = static_cast<Real>(100 + i);
  }
  const Frame frame = take_frame(world);
  REQUIRE(frame.find("shown"));
  for (std::size_t i = 0; i < frame.count; ++i) CHECK(frame.find("shown")->number(i) == double(i));
  CHECK(!frame.find("kept"));
  save_checkpoint(output, world);
  World resumed = small_world();
  load_checkpoint(output, resumed);
  CHECK(method_of(resumed).shown == method.shown);
  CHECK(method_of(resumed).kept == method.kept);
}

TEST_CASE("a_stream_goes_on_with_the_same_bits_after_a_checkpoint") {
  for (const std::string method : {"lennard_jones", "mass_interaction", "sph", "mpm", "lattice"}) {
    CAPTURE(method);
    const auto make = [&] {
      const std::string stiff = method == "sph" || method == "mpm" ? "" : "youngs_modulus = 1e5\n";
      return build(parse_scene("fps = 20\n[material.m]\nmethod = \"" + method + "\"\n" + stiff + R"(
[emitter.tap]
material = "m"
shape = { type = "sphere", centre = [0, 1, 0], radius = 0.05 }
spacing = 0.02
speed = 0.7
motion = { times = [0, 1], positions = [[0, 0, 0], [1, 0, 0]] }
)",
                               "scene.toml"));
    };
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World whole = make();
    for (int k = 0; k < 3; ++k) advance(whole);
    save_checkpoint(output, whole);
    World resumed = make();
    load_checkpoint(output, resumed);
    REQUIRE(resumed.methods[0]->particles().size() == whole.methods[0]->particles().size());
    for (int k = 0; k < 3; ++k) advance(whole), advance(resumed);
    const Frame a = take_frame(whole), b = take_frame(resumed);
    REQUIRE(a.count == b.count);
    for (const FrameColumn& column : a.columns) {
      CAPTURE(column.name);
      CHECK(column.data == b.find(column.name)->data);
    }
  }
}

TEST_CASE("a_stream_into_a_sink_goes_on_with_the_same_bits_after_a_checkpoint") {
  for (const std::string method : {"lennard_jones", "mass_interaction", "sph", "mpm", "lattice"}) {
    CAPTURE(method);
    const auto make = [&] {
      const std::string stiff = method == "sph" || method == "mpm" ? "" : "youngs_modulus = 1e5\n";
      const std::string pairs = method == "mass_interaction" ? "automaton = \"granular\"\n" : "";
      return build(
          parse_scene("fps = 20\n[material.m]\nmethod = \"" + method + "\"\n" + stiff + pairs + R"(
[body.block]
material = "m"
shape = { type = "box", centre = [0, 0, 0], size = [0.3, 0.1, 0.3] }
spacing = 0.02
[emitter.tap]
material = "m"
shape = { type = "sphere", centre = [0, 0.3, 0], radius = 0.05 }
spacing = 0.02
speed = 1.5
[sink.drain]
shape = { type = "box", centre = [0.1, 0, 0], size = [0.15, 0.3, 0.4] }
motion = { times = [0, 1], positions = [[0.1, 0, 0], [-0.4, 0, 0]] }
[[event]]
time = 0.22
remove = "sink.drain"
)",
                      "scene.toml"));
    };
    const TemporaryFolder folder;
    const OutputFolder output{folder.path};
    std::filesystem::create_directories(output.root / "checkpoint");
    World whole = make();
    for (int k = 0; k < 3; ++k) advance(whole);
    save_checkpoint(output, whole);
    World resumed = make();
    load_checkpoint(output, resumed);
    CHECK(resumed.next_id == whole.next_id);
    CHECK(resumed.removal.count == whole.removal.count);
    CHECK(whole.removal.count > 0);
    for (int k = 0; k < 3; ++k) advance(whole), advance(resumed);
    CHECK(resumed.removal.count == whole.removal.count);
    const Frame a = take_frame(whole), b = take_frame(resumed);
    REQUIRE(a.count == b.count);
    for (const FrameColumn& column : a.columns) {
      CAPTURE(column.name);
      CHECK(column.data == b.find(column.name)->data);
    }
  }
}

TEST_CASE("ids_and_counts_beyond_32_bits_survive_a_checkpoint") {
  const TemporaryFolder folder;
  const OutputFolder output{folder.path};
  std::filesystem::create_directories(output.root / "checkpoint");
  constexpr ParticleId large = (ParticleId{1} << 60) + 1;
  World world = small_world();
  world.next_id = large + 1;
  world.removal.count = large;
  world.methods[0]->particles().id[0] = large;
  save_checkpoint(output, world);
  World resumed = small_world();
  load_checkpoint(output, resumed);
  CHECK(resumed.next_id == large + 1);
  CHECK(resumed.removal.count == large);
  CHECK(std::ranges::count(resumed.methods[0]->particles().id, large) == 1);
}

TEST_CASE("a_run_without_matter_is_saved_and_resumed") {
  const auto make = [] {
    return build(parse_scene(R"(fps = 20
[material.m]
method = "mass_interaction"
automaton = "granular"
youngs_modulus = 1e5
[body.ball]
material = "m"
shape = { type = "sphere", radius = 0.1 }
spacing = 0.02
[[event]]
time = 0.0
remove = "body.ball"
)",
                             "scene.toml"));
  };
  const TemporaryFolder folder;
  const OutputFolder output{folder.path};
  std::filesystem::create_directories(output.root / "checkpoint");
  World world = make();
  advance(world);
  CHECK(particle_count(world) == 0);
  save_checkpoint(output, world);
  World resumed = make();
  load_checkpoint(output, resumed);
  CHECK(particle_count(resumed) == 0);
  advance(resumed);
  CHECK(take_frame(resumed).count == 0);
}

}  // namespace phyxel
