#include "phyxel/matter/parameters.h"

#include <doctest/doctest.h>
#include <limits>

namespace phyxel {
namespace {

enum class Colour { red, green, blue };

/// One parameter of every kind.
struct Everything {
  float single = 1;
  double number = 1;
  int whole = 1;
  bool flag = false;
  std::string text = "old";
  Vec3 vector = {1, 2, 3};
  Bool3 flags = {false, false, false};
  std::vector<double> numbers;
  std::vector<Vec3> vectors;
  std::vector<std::string> texts;
  Colour colour = Colour::red;
};

Fields fields_of(Everything& e) {
  Fields field;
#ifndef PHYXEL_DOUBLE
  field("single", e.single, "m", positive, "a float");
#else
  field("single", e.number, "m", positive, "the same in double");
#endif
  field("number", e.number, "m", positive, "a double");
  field("whole", e.whole, "", {1, 9, true, true, ""}, "an int");
  field("flag", e.flag, "a bool");
  field("text", e.text, "a string");
  field("vector", e.vector, "m/s", any_number, "three numbers");
  field("flags", e.flags, "three switches");
  field("numbers", e.numbers, "s", not_negative, "a list");
  field("vectors", e.vectors, "m", any_number, "a list of vectors");
  field("texts", e.texts, "a list of words");
  field.choice("colour", e.colour, {"red", "green", "blue"}, "one of three");
  return field;
}

/// What assign() answers, and the value afterwards.
struct Outcome {
  std::string wrong, value;
};

Outcome assigned(const std::string& name, const ParameterValue& value) {
  Everything e;
  Fields fields = fields_of(e);
  Parameter& p = *fields.find(name);
  const std::string wrong = assign(p, value);
  return {wrong, value_text(p)};
}

void check_accepts(const std::string& name, const ParameterValue& value, const std::string& text) {
  const Outcome outcome = assigned(name, value);
  CHECK_MESSAGE(outcome.wrong == "", name);
  CHECK_MESSAGE(outcome.value == text, name);
}

/// Refused with these words, and nothing is changed.
void check_refuses(const std::string& name, const ParameterValue& value, const std::string& words) {
  const Outcome outcome = assigned(name, value);
  CHECK_MESSAGE(outcome.wrong == words, name);
  Everything e;
  Fields fields = fields_of(e);
  CHECK_MESSAGE(outcome.value == value_text(*fields.find(name)), name);
}

using Numbers = std::vector<double>;
using Rows = std::vector<std::vector<double>>;
using Words = std::vector<std::string>;
using Flags = std::vector<bool>;

}  // namespace

TEST_CASE("every_kind_of_parameter_takes_its_kind_of_value") {
  check_accepts("single", 2.5, "2.5");
  check_accepts("number", 1e-9, "1e-09");
  check_accepts("whole", 9.0, "9");
  check_accepts("flag", true, "true");
  check_accepts("text", std::string("new"), "\"new\"");
  check_accepts("vector", Numbers{4, 5, 6.5}, "[4.0, 5.0, 6.5]");
  check_accepts("flags", Flags{true, false, true}, "[true, false, true]");
  check_accepts("numbers", Numbers{0, 1.5}, "[0.0, 1.5]");
  check_accepts("texts", Words{"a", "b"}, "[\"a\", \"b\"]");
  check_accepts("colour", std::string("blue"), "\"blue\"");
  Everything e;
  Fields fields = fields_of(e);
  CHECK(assign(*fields.find("vectors"), Rows{{1, 2, 3}, {4, 5, 6}}) == "");
  CHECK(e.vectors.at(1) == Vec3{4, 5, 6});
}

TEST_CASE("every_other_kind_is_refused_by_name") {
  check_refuses("number", true, "must be a number in m");
  check_refuses("number", Numbers{1}, "must be a number in m");
  check_refuses("whole", 1.5, "must be a whole number");
  check_refuses("whole", std::string("2"), "must be a whole number");
  check_refuses("flag", 1.0, "must be true or false");
  check_refuses("text", 1.0, "must be text");
  check_refuses("vector", Numbers{1, 2}, "must be 3 numbers in m/s");
  check_refuses("vector", Numbers{1, 2, 3, 4}, "must be 3 numbers in m/s");
  check_refuses("vector", 1.0, "must be 3 numbers in m/s; write [1.0, 0, 0] for that along x");
  check_refuses("flags", Flags{true}, "must be 3 times true or false");
  check_refuses("numbers", 1.0, "must be a list of numbers in s");
  check_refuses("vectors", Numbers{1, 2, 3}, "must be a list of 3 numbers each in m");
  check_refuses("vectors", Rows{{1, 2, 3}, {1, 2}}, "must be a list of 3 numbers each in m");
  check_refuses("texts", 1.0, "must be a text or a list of them");
  check_refuses("colour", 1.0, "must be one of \"red\", \"green\", \"blue\"");
  check_refuses("colour", std::string("gren"),
                "must be one of \"red\", \"green\", \"blue\"; did you mean 'green'?");
}

TEST_CASE("numbers_out_of_range_are_refused_with_the_limit") {
  check_refuses("number", 0.0, "must be above 0 m");
  check_refuses("whole", 10.0, "must be at least 1 and at most 9");
  check_refuses("numbers", Numbers{1, -1}, "must be at least 0 s");
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    check_refuses("number", bad, "is not a finite number; it must be a number in m");
    check_refuses("vector", Numbers{0, bad, 0},
                  "is not a finite number; it must be 3 numbers in m/s");
  }
}

TEST_CASE("units_are_turned_into_what_to_write") {
  check_refuses("number", std::string("2 cm"),
                "must be a number in m; write 0.02 (m is understood)");
  check_refuses("number", std::string("3km"),
                "must be a number in m; write 3000.0 (m is understood)");
  check_refuses("number", std::string("2 kg"), "must be a number in m");  // not a length
  check_refuses("number", std::string("cm"), "must be a number in m");    // no number
  check_refuses("number", std::string("long"), "must be a number in m");
}

#ifndef PHYXEL_DOUBLE
TEST_CASE("numbers_that_float_cannot_hold_are_refused") {
  check_refuses("single", 1e300,
                "is too large: this program holds numbers up to 3.4e+38; write a smaller one");
  check_refuses("single", 1e-300,
                "is too near to 0: the smallest number this program holds is 1.4e-45; write 0 or a "
                "larger one");
  check_refuses("vector", Numbers{0, 1e39, 0},
                "is too large: this program holds numbers up to 3.4e+38; write a smaller one");
  check_accepts("number", 1e8, "1e+08");
  check_refuses("number", 1e300, "is too large: 1e+09 m is the most here; units are m");
}
#endif

TEST_CASE("ranges_are_said_in_words") {
  CHECK(to_string(positive) == "must be above 0");
  CHECK(to_string(not_negative) == "must be at least 0");
  CHECK(to_string(fraction) == "must be at least 0 and at most 1");
  CHECK(to_string(Range{-infinity, 5, true, false, ""}) == "must be below 5");
  CHECK(to_string(Range{-infinity, 5, true, true, ""}) == "must be at most 5");
  CHECK(to_string(any_number) == "may be any number");
  CHECK(to_string(Range{0, 2147483647, true, true, ""}) ==
        "must be at least 0 and at most 2147483647");
}

TEST_CASE("open_ends_are_not_part_of_a_range") {
  const Range open{0, 1, false, false, ""}, closed{0, 1, true, true, ""};
  for (double end : {0.0, 1.0}) {
    CHECK_FALSE(open.contains(end));
    CHECK(closed.contains(end));
  }
  CHECK(open.contains(0.5));
  CHECK_FALSE(closed.contains(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("values_in_messages_read_as_they_were_written") {
  CHECK(to_string(ParameterValue(2.5)) == "2.5");
  CHECK(to_string(ParameterValue(true)) == "true");
  CHECK(to_string(ParameterValue(std::string("a"))) == "\"a\"");
  CHECK(to_string(ParameterValue(Numbers{1, 2.5})) == "[1, 2.5]");
  CHECK(to_string(ParameterValue(Flags{true, false})) == "[true, false]");
  CHECK(to_string(ParameterValue(Words{"a", "b"})) == "[\"a\", \"b\"]");
  CHECK(to_string(ParameterValue(Rows{{1, 2}, {3}})) == "[[1, 2], [3]]");
}

TEST_CASE("what_was_not_given_has_no_text") {
  Real number = not_given;
  Vec3 vector = Vec3::filled(not_given);
  std::string text;
  Fields field;
  field("number", number, "", any_number, "");
  field("vector", vector, "", any_number, "");
  field("text", text, "");
  for (const Parameter& p : field.list) CHECK(value_text(p) == "");
  CHECK(field.names() == Words{"number", "vector", "text"});
  CHECK(field.find("nothing") == nullptr);
}

}  // namespace phyxel
