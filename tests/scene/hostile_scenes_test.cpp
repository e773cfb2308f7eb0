#include <chrono>

#include "scene/bad_scene.h"

// Scenes that are not written by hand: they must be refused with a message all the same.

namespace phyxel {

namespace {

std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

}  // namespace

TEST_CASE("a_key_of_very_many_parts_is_refused_before_it_fills_the_stack") {
  const std::string key = repeated(100'000, "a.") + "a";
  check_all({
      {"in a table", "\n[" + key + "]", {"scene.toml:2:65", "more than 32 parts"}},
      {"of a value", key + " = 1", {"scene.toml:1:64", "more than 32 parts"}},
      {"in quotes",
       repeated(100, "'a'.\"a\".") + "a = 1",
       {"scene.toml:1:128", "more than 32 parts"}},
      {"in an override",
       base_scene,
       {"--set " + repeated(32, "a.") + "a", "more than 32 parts"},
       {repeated(32, "a.") + "a=1"}},
      {"in the value of an override",
       base_scene,
       {"--set name", "more than 32 parts"},
       {"name={" + repeated(40, "a.") + "a = 1}"}},
  });
  const std::string message = message_of({"", base_scene, {}, {key + "=1"}});
  CHECK(message.starts_with("--set a.a."));
  CHECK(message.ends_with("no table is that deep"));
  CHECK(message.size() < 1000);
}

TEST_CASE("dots_in_texts_comments_and_lists_are_not_parts_of_a_key") {
  const std::string dots(100, '.');
  const Scene scene =
      parse_scene("description = \"\\\"" + dots + "\" # " + dots + "\n" + base_scene + "# '" + dots,
                  "scene.toml");
  CHECK(scene.description == "\"" + dots);
  CHECK_NOTHROW(parse_scene("description = '''\n" + dots + "'" + dots + "\n'''\n" + base_scene,
                            "scene.toml"));
  const std::string times = "[" + repeated(100, "1.5, ") + "1.5]";
  CHECK_THROWS_WITH(parse_scene(keys_with(times, times), "scene.toml"),
                    doctest::Contains("must rise"));
}

TEST_CASE("names_of_files_that_the_system_refuses_are_refused") {
  const std::string name(300, 'a');
  check_all({
      {"a long name",
       ball_shaped("mesh = \"" + name + ".obj\""),
       {"scene.toml:8:9", "does not exist"}},
      {"a long name in a sequence",
       ground_shaped("type = \"mesh_sequence\", file = \"" + name + "{}.obj\""),
       {"scene.toml:11:9", "no mesh 0 or 1 of this sequence"}},
      // The system stops at the zero: every mesh of this sequence would be the folder, without end.
      {"a zero in a sequence",
       ground_shaped("type = \"mesh_sequence\", file = \".\\u0000{}.obj\""),
       {"scene.toml:11:9", "must not contain \\u0000"}},
      {"a folder",
       ground_shaped("type = \"heightfield\", file = \".\", size = [1, 1, 1]"),
       {"scene.toml:11:9", "it is a folder"}},
  });
  CHECK_THROWS_AS(read_scene(name + ".toml"), InputError);
}

TEST_CASE("thousands_of_events_are_read_in_reasonable_time") {
  const auto start = std::chrono::steady_clock::now();
  const std::string event = "[[event]]\ntime = 1\nset = { \"world.gravity\" = [0, 0, 0] }\n";
  const Scene scene = parse_scene(and_then(repeated(4000, event)), "scene.toml");
  CHECK(scene.events.size() == 4000);
  // A tenth of a second where no event copies the others; sanitizers cost a factor of ten.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("a_word_of_megabytes_gets_no_suggestion_and_takes_no_gigabytes") {
  const std::string word(20'000'000, 'a');
  CHECK(suggestion(word, std::vector<std::string>{"friction", "restitution"}).empty());
}

}  // namespace phyxel
