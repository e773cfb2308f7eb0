#include "phyxel/scene/reference.h"

#include <doctest/doctest.h>
#include <set>

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "scene/json_check.h"

namespace phyxel {
namespace {

template <class Spec>
void add_names(std::set<std::string>& names, Spec spec) {
  Fields fields;
  describe(fields, spec);
  for (const std::string& name : fields.names()) names.insert(name);
}

/// The names of all parameters of scenes.
std::set<std::string> all_names() {
  std::set<std::string> names;
  add_names(names, Scene{});
  add_names(names, WorldSpec{});
  add_names(names, TimeSpec{});
  add_names(names, Material{});
  add_names(names, BodySpec{});
  add_names(names, ColliderSpec{});
  add_names(names, PinSpec{});
  add_names(names, Motion{});
  add_names(names, RenderSpec{});
  add_names(names, OutputSpec{});
  for (const std::string& type : shape_types()) {
    ShapeSpec shape;
    shape.type = type;
    add_names(names, shape);
    names.insert(type);
  }
  for (const MethodInfo& method : method_registry()) {
    std::any parameters = method.default_parameters();
    Fields fields;
    method.describe(fields, parameters);
    for (const std::string& name : fields.names()) names.insert(name);
    names.insert(method.name);
  }
  return names;
}

}  // namespace

TEST_CASE("the_checker_of_these_tests_tells_json_from_what_is_not") {
  for (const char* good : {"{}", "[1, -2.5e3, \"a\\\"b\", true, null, {\"k\": []}]", " 3 "})
    CHECK(is_json(good));
  for (const char* bad : {"", "{", "[1,]", "{\"a\" 1}", "\"a", "{} {}", "nan", "[1 2]", "+1"})
    CHECK_FALSE(is_json(bad));
}

TEST_CASE("the_schema_is_json_and_knows_every_parameter") {
  const std::string schema = scene_schema();
  CHECK(is_json(schema));
  for (const std::string& name : all_names())
    CHECK_MESSAGE(schema.find("\"" + name + "\"") != schema.npos, name);
}

TEST_CASE("the_reference_knows_every_parameter_with_its_meaning") {
  const std::string reference = scene_reference();
  for (const std::string& name : all_names())
    CHECK_MESSAGE((reference.find("`" + name + "`") != reference.npos ||
                   reference.find("\"" + name + "\"") != reference.npos),
                  name);
  CHECK(reference.find("| `spacing` | a number | m |  | above 0 | distance between") !=
        reference.npos);
}

TEST_CASE("the_template_of_every_method_reads_and_runs") {
  for (const MethodInfo& method : method_registry()) {
    const std::string text = scene_template("fresh", method.name);
    World world = build(parse_scene(text, "fresh.toml"));
    CHECK(advance(world).substeps > 0);
    std::any parameters = method.default_parameters();
    Fields fields;
    method.describe(fields, parameters);
    for (const std::string& name : fields.names())
      CHECK_MESSAGE(text.find("# " + name + " = ") != text.npos, name);
  }
}

TEST_CASE("a_template_of_no_method_or_no_name_is_refused") {
  CHECK_THROWS_WITH_AS(scene_template("x", "lennard_jnes"),
                       doctest::Contains("did you mean 'lennard_jones'?"), InputError);
  CHECK_THROWS_WITH_AS(scene_template("my scene", "lennard_jones"),
                       doctest::Contains("\"my scene\": a name has letters"), InputError);
}

}  // namespace phyxel
