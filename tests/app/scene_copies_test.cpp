#include <doctest/doctest.h>

#include "phyxel/app/scenes.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/to_toml.h"
#include "phyxel/scene/toml_value.h"

namespace phyxel {
namespace {

void add(std::string& text, const Fields& fields) {
  for (const Parameter& p : fields.list)
    if (p.name != "resolution" && p.name != "origin" && p.name != "positions")
      text += p.name + " = " + toml_text(p) + "\n";
}

void add_shape(std::string& text, ShapeSpec shape) {
  shape.file = std::filesystem::path(shape.file).filename();  // absolute in copies
  text += shape.type + "\n";
  add(text, described(shape));
  for (const ShapeSpec& part : shape.of) add_shape(text, part);
}

template <class Spec>
void add_named(std::string& text, Spec spec) {
  text += spec.name + "\n";
  add(text, described(spec));
}

/// All described values of a scene as it is in memory, places relative to its origin.
std::string all_values(Scene s) {
  std::string text;
  add(text, described(s));
  add(text, described(s.world));
  Fields corners;
  describe_domain(corners, s.world);
  add(text, corners);
  add(text, described(s.time));
  add(text, described(s.render));
  add(text, described(s.output));
  for (MaterialSpec& m : s.materials) {
    text += m.material.name + " " + m.material.method + " " + m.preset + "\n";
    add(text, described_whole(m.material));
  }
  for (const BodySpec& b : s.bodies) add_named(text, b);
  for (const ColliderSpec& c : s.colliders) add_named(text, c);
  for (const PinSpec& p : s.pins) add_named(text, p);
  for (SurfaceSpec f : s.surfaces) {
    f.mesh = std::filesystem::path(f.mesh).filename();
    f.texture = std::filesystem::path(f.texture).filename();
    add_named(text, f);
  }
  for (const LightSpec& l : s.lights) add_named(text, l);
  for_each_solid(s, [&](const std::string& path, const ShapeSpec& shape, Motion* motion) {
    text += path + "\n";
    add_shape(text, shape);
    if (motion) add(text, described(*motion));
  });
  for (EventSpec& e : s.events) {
    add(text, described(e));
    for (const Assignment& a : e.set) text += a.path + " = " + toml_text(a.value) + "\n";
  }
  for (KeyframeSpec& k : s.keyframes) {
    add(text, described(k));
    text += toml_text(ParameterValue(k.values)) + "\n";
  }
  return text +
         toml_text(ParameterValue(std::vector<double>{s.origin[0], s.origin[1], s.origin[2]}));
}

}  // namespace

TEST_CASE("every_bundled_scene_survives_its_text") {
  const std::vector<BundledScene> scenes = bundled_scenes();
  REQUIRE(scenes.size() > 20);
  for (const BundledScene& bundled : scenes) {
    CAPTURE(bundled.name);
    for (const std::vector<Override>& set :
         {std::vector<Override>{}, {{"seed", "7"}, {"world.gravity", "[0, -1.62, 0]"}}}) {
      const Scene scene = read_scene(bundled.file, set);
      const std::string text = to_toml(scene);
      const Scene copy = parse_scene(text, "copy.toml", "/nowhere");
      CHECK(all_values(copy) == all_values(scene));
      CHECK(copy.world.positions == Positions::world);
      CHECK(to_toml(copy) == text);
      // Values that the file has are in the copy too, except what has been worked in.
      for (const auto& [path, place] : scene.places) {
        const bool worked_in = path == "resolution" || path.ends_with(".mesh") ||
                               path.ends_with(".particles") || path.starts_with("keyframe") ||
                               path.starts_with("event") || path.ends_with(".motion");
        if (!worked_in) CHECK_MESSAGE(copy.places.contains(path), path);
      }
    }
  }
}

TEST_CASE("copies_of_small_scenes_run_to_the_same_bits") {
  for (const char* name : {"square_elastic", "snapping_bar", "merging_drops", "gel_thread"}) {
    CAPTURE(name);
    const Scene scene = read_scene(find_scene(name), {{"time.settle", "0.01"}});
    World one = build(scene), other = build(parse_scene(to_toml(scene), "copy.toml", "/nowhere"));
    for (World* world : {&one, &other}) advance(*world, 10);
    const Frame a = take_frame(one), b = take_frame(other);
    REQUIRE(a.columns.size() == b.columns.size());
    for (std::size_t k = 0; k < a.columns.size(); ++k)
      CHECK_MESSAGE(a.columns[k].data == b.columns[k].data, a.columns[k].name);
  }
}

}  // namespace phyxel
