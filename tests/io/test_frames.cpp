#include "io/test_frames.h"

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
