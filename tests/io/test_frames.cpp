#include "io/test_frames.h"

#include <algorithm>
#include <cmath>

namespace phyxel {

namespace {

template <class T>
FrameColumn random_column(const std::string& name, const std::string& unit, std::size_t count,
                          std::uint32_t stream) {
  const Random random{7, stream};
  using Number = typename ElementOf<T>::Number;
  std::vector<T> values(count);
  auto* numbers = reinterpret_cast<Number*>(values.data());
  for (std::size_t k = 0; k < count * ElementOf<T>::components; ++k) {
    const Random::Four four = random.words(k);
    if constexpr (std::is_integral_v<Number>)
      numbers[k] = static_cast<Number>(four.word[0]);
    else
      numbers[k] = std::ldexp(static_cast<Number>(four.word[0]) / Number(3) - Number(7e8),
                              static_cast<int>(four.word[1] % 60) - 60);
  }
  return make_frame_column(name, unit, values.data(), count);
}

}  // namespace

Frame make_test_frame(std::size_t count) {
  Frame frame{12, 0.1 + 0.2, count, {}};
  frame.columns = {random_column<Vec3>("position", "m", count, 1),
                   random_column<Vec3>("velocity", "m/s", count, 2),
                   random_column<Real>("temperature", "degC", count, 3),
                   random_column<Vec<Real, 9>>("deformation", "", count, 4),
                   random_column<Vec<Real, 2>>("texture", "", count, 5),
                   random_column<Vec<Real, 6>>("stress", "Pa", count, 6),
                   random_column<std::uint32_t>("id", "", count, 7),
                   random_column<std::int32_t>("body", "", count, 8)};
  return frame;
}

SurfaceMesh make_test_surface(std::size_t count) {
  const Frame frame = make_test_frame(count);
  SurfaceMesh surface;
  std::vector<Vec3> colours;
  const Random random{9, 1};
  for (std::size_t i = 0; i < count; ++i) {
    surface.mesh.vertices.push_back(frame.position(i));
    const auto a = static_cast<Real>(i);
    surface.normals.push_back({std::cos(a), std::sin(a), 0});
    surface.texture.push_back({a / Real(7), 1 - a / Real(9)});
    const Random::Four four = random.words(i);
    Vec3 colour;
    for (int c = 0; c < 3; ++c) colour[c] = static_cast<Real>(four.word[c] % 1001) / Real(1000);
    colours.push_back(colour);
  }
  for (std::size_t i = 0; i + 2 < count; ++i) {
    const auto a = static_cast<Index>(i);
    surface.mesh.triangles.push_back({a, a + 1, a + 2});
  }
  surface.attributes = {make_frame_column("colour", "", colours.data(), count),
                        *frame.find("velocity"), *frame.find("temperature"), *frame.find("body")};
  return surface;
}

std::size_t differences(const TriangleMesh& a, const TriangleMesh& b) {
  if (a.vertices.size() != b.vertices.size() || a.triangles.size() != b.triangles.size())
    return std::max<std::size_t>(1, a.vertices.size() + a.triangles.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < a.vertices.size(); ++i) n += !(a.vertices[i] == b.vertices[i]);
  for (std::size_t i = 0; i < a.triangles.size(); ++i) n += !(a.triangles[i] == b.triangles[i]);
  return n;
}

bool is_balanced(const std::string& text) {
  const std::string open = "([{", close = ")]}";
  std::string stack;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (open.find(c) != open.npos) stack.push_back(close[open.find(c)]);
    if (close.find(c) == close.npos) continue;
    if (stack.empty() || stack.back() != c) return false;
    stack.pop_back();
  }
  return stack.empty() && !quoted;
}

std::string difference(const FrameColumn& a, const FrameColumn& b) {
  if (a.name != b.name) return "name " + a.name + " / " + b.name;
  if (a.unit != b.unit) return a.name + ": unit " + a.unit + " / " + b.unit;
  if (a.type != b.type) return a.name + ": type";
  if (a.components != b.components) return a.name + ": components";
  return a.data == b.data ? "" : a.name + ": data";
}

std::string difference(const Frame& a, const Frame& b) {
  if (a.index != b.index) return "index";
  if (a.time != b.time) return "time";
  if (a.count != b.count) return "count";
  if (a.columns.size() != b.columns.size()) return "number of columns";
  for (std::size_t k = 0; k < a.columns.size(); ++k)
    if (const std::string d = difference(a.columns[k], b.columns[k]); !d.empty()) return d;
  return "";
}

}  // namespace phyxel
