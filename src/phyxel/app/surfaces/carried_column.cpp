#include "phyxel/app/surfaces/carried_column.h"

#include <algorithm>

#include "phyxel/matter/colour.h"

namespace phyxel {

namespace {

/// Component `c` of thing `k`.
double mean(const FrameColumn& column, const Carriers& by, std::size_t k, int c) {
  double sum = 0;
  const std::size_t first = k * by.most;
  for (Index j = 0; j < by.most && by.weight[first + j] > 0; ++j)
    sum += by.weight[first + j] * column.number(by.particle[first + j], c);
  return sum;
}

}  // namespace

FrameColumn carried(const FrameColumn& particles, const Carriers& by) {
  const FrameColumn column = is_colour(particles) ? code_values(particles) : particles;
  const bool real = column.type == NumberType::float32 || column.type == NumberType::float64;
  const std::size_t size = column.element_size();
  FrameColumn out{column.name, column.unit, column.type, column.components,
                  std::vector<std::byte>(by.count * size)};
  for (std::size_t k = 0; k < by.count; ++k) {
    std::byte* to = out.data.data() + k * size;
    const std::byte* heaviest = column.data.data() + by.particle[k * by.most] * size;
    std::copy_n(heaviest, size, to);
    for (int c = 0; real && c < column.components; ++c)
      if (column.type == NumberType::float32)
        reinterpret_cast<float*>(to)[c] = static_cast<float>(mean(column, by, k, c));
      else
        reinterpret_cast<double*>(to)[c] = mean(column, by, k, c);
  }
  return out;
}

}  // namespace phyxel
