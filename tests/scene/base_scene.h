#pragma once

#include <sstream>
#include <string>

namespace phyxel {

/// A small scene whose lines can be named by their numbers.
inline const char* const base_scene = R"([world]
gravity = [0, -9.81, 0]
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e5
[body.ball]
material = "wax"
shape = { type = "sphere", centre = [0, 1, 0], radius = 0.2 }
spacing = 0.1
[collider.ground]
shape = { type = "plane" }
)";
constexpr int base_lines = 11;

/// The base scene with line `number` replaced by `text`, which may be several lines or none.
inline std::string with_line(int number, const std::string& text) {
  std::istringstream lines(base_scene);
  std::string result, line;
  for (int k = 1; std::getline(lines, line); ++k)
    if (k != number)
      result += line + "\n";
    else if (!text.empty())
      result += text + "\n";
  return result;
}

/// The base scene and more; the first line of `text` is line 12.
inline std::string and_then(const std::string& text) {
  return base_scene + text;
}

/// `text` and the base scene below it.
inline std::string begins_with(const std::string& text) {
  return text + "\n" + base_scene;
}

}  // namespace phyxel
