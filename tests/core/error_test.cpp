#include "phyxel/core/error.h"

#include <doctest/doctest.h>
#include <vector>

#include "phyxel/core/problems.h"

using namespace phyxel;

TEST_CASE("a_place_reads_file_line_column") {
  CHECK(to_string(Place{"scenes/bunny.toml", 14, 9}) == "scenes/bunny.toml:14:9");
  CHECK(to_string(Place{"scenes/bunny.toml"}) == "scenes/bunny.toml");
  CHECK(to_string(Place{}) == "");
}

TEST_CASE("an_error_begins_with_its_place") {
  const InputError error(Place{"a.toml", 3, 1}, "fps = 0 must be positive");
  CHECK(error.what() == std::string("a.toml:3:1: fps = 0 must be positive"));
  CHECK(InputError(Place{}, "no place").what() == std::string("no place"));
  CHECK(Error("plain").what() == std::string("plain"));
  CHECK(dynamic_cast<const Error*>(&error) != nullptr);
}

TEST_CASE("messages_show_control_characters_and_shorten_pages") {
  CHECK(std::string(Error(std::string("a\0b\x1b[2J", 7)).what()) == "a\\x00b\\x1b[2J");
  CHECK(std::string(Error({"s.toml", 3, 1}, std::string("x\0y", 3)).what()) ==
        "s.toml:3:1: x\\x00y");
  CHECK(legible("one\ntwo") == "one\ntwo");
  CHECK(legible(std::string(1000, 'x')) == std::string(1000, 'x'));
  const std::string page = legible("file = " + std::string(5000, 'x') + "; the remedy\nnext");
  CHECK(page.size() < 1000);
  CHECK(page.starts_with("file = xx"));
  CHECK(page.ends_with("xx; the remedy\nnext"));
  std::string umlauts;
  for (int k = 0; k < 1000; ++k) umlauts += "\u00e4";
  for (const char* odd : {"", "x"}) {  // no letter is cut in two, wherever the cut falls
    const std::string cut = legible(odd + umlauts);
    const std::size_t gap = cut.find(" ... ");
    CHECK(cut.substr(gap - 2, 2) == "\u00e4");
    CHECK(cut.substr(gap + 5, 2) == "\u00e4");
  }
}

TEST_CASE("edit_distance_counts_typing_mistakes") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("friction", "friction") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("friction", "frction") == 1);
  CHECK(edit_distance("friction", "frictioon") == 1);
  CHECK(edit_distance("friction", "fricsion") == 1);
  CHECK(edit_distance("friction", "firction") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("sitting", "kitten") == 3);
}

TEST_CASE("the_nearest_word_is_suggested_and_none_when_all_are_far") {
  const std::vector<std::string> keys{"friction", "fraction", "restitution", "temperature"};
  CHECK(suggestion("frction", keys) == "; did you mean 'friction'?");
  CHECK(suggestion("temprature", keys) == "; did you mean 'temperature'?");
  CHECK(suggestion("colour", keys) == "");
  CHECK(suggestion("", keys) == "");
  CHECK(suggestion("friction", std::vector<std::string>{}) == "");
}

TEST_CASE("places_are_taken_from_the_front_of_messages") {
  const auto parted = [](const char* text) {
    const std::vector<Problem> problems = problems_of(InputError(text));
    REQUIRE(problems.size() == 1);
    return problems[0];
  };
  const Problem there = parted("a: b.toml:12:3: spacing = 1:2:3: too large");
  CHECK(there.place.file == "a: b.toml");
  CHECK(there.place.line == 12);
  CHECK(there.place.column == 3);
  CHECK(there.message == "spacing = 1:2:3: too large");
  for (const char* text : {"no place", ":", ": ", "a:: ", "a:1: x", "a:1:-2: x", "a:1:b: x",
                           "a\nb:1:2: x", "a:99999999999:1: x"}) {
    CAPTURE(text);
    CHECK(parted(text).place.line == 0);
    CHECK(parted(text).message == text);
  }
}

TEST_CASE("a_thousand_problems_are_enough") {
  Problems problems;
  std::size_t count = 0;
  try {
    for (;; ++count) problems.add({"scene.toml", int(count) + 1, 1}, "wrong");
  } catch (const InputErrors& errors) {
    CHECK(errors.problems().size() == Problems::most);
    CHECK(std::string(errors.what()).find("1000 mistakes and more") != std::string::npos);
  }
  CHECK(count == Problems::most - 1);
}
