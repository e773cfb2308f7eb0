#pragma once

#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "scene/base_scene.h"

namespace phyxel {

/// A scene that must be refused; the message begins with the first of `expected`, the place.
struct BadScene {
  std::string name;
  std::string text;
  std::vector<std::string> expected;
  std::vector<std::string> set = {};
};

inline std::string message_of(const BadScene& bad, const std::filesystem::path& folder = ".") {
  try {
    std::vector<Override> overrides;
    for (const std::string& text : bad.set) overrides.push_back(parse_override(text));
    build(parse_scene(bad.text, "scene.toml", folder, overrides));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline void check_all(const std::vector<BadScene>& table,
                      const std::filesystem::path& folder = ".") {
  for (const BadScene& bad : table) {
    const std::string message = message_of(bad, folder);
    CHECK_MESSAGE(message.starts_with(bad.expected.front() + ": "), bad.name, ": ", message);
    for (const std::string& part : bad.expected)
      CHECK_MESSAGE(message.find(part) != message.npos, bad.name, ": '", message, "' lacks '", part,
                    "'");
  }
}

/// The base scene with one more line in [material.wax], which becomes line 6.
inline std::string wax_with(const std::string& line) {
  return with_line(5, "youngs_modulus = 1e5\n" + line);
}
/// The same in [body.ball], line 10.
inline std::string ball_with(const std::string& line) {
  return with_line(9, "spacing = 0.1\n" + line);
}
inline std::string ball_shaped(const std::string& shape) {
  return with_line(8, "shape = { " + shape + " }");
}
inline std::string ground_shaped(const std::string& shape) {
  return with_line(11, "shape = { " + shape + " }");
}
/// An event at 1 s; what it sets begins at line 14, column 9.
inline std::string event_with(const std::string& set) {
  return and_then("[[event]]\ntime = 1\nset = { " + set + " }");
}
/// Keys of the damping; path, times and values are lines 13 to 15.
inline std::string keys_with(const std::string& times, const std::string& values) {
  return and_then("[[keyframe]]\npath = \"material.wax.damping\"\ntimes = " + times +
                  "\nvalues = " + values);
}
/// A second body of spacing 0.1; it is line 12, its shape line 15.
inline std::string second_body(const std::string& shape) {
  return and_then("[body.two]\nmaterial = \"wax\"\nspacing = 0.1\nshape = { " + shape + " }");
}
/// All lines move down by one.
inline std::string flat(const std::string& text) {
  return "dimensions = 2\n" + text;
}

}  // namespace phyxel
