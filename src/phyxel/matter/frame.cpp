#include "phyxel/matter/frame.h"

#include <cstring>

namespace phyxel {

namespace {

template <class T>
double load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

double FrameColumn::number(std::size_t i, int c) const {
  const std::byte* p = data.data() + i * element_size() + c * size_of(type);
  switch (type) {
    case NumberType::float32:
      return load<float>(p);
    case NumberType::float64:
      return load<double>(p);
    case NumberType::int32:
      return load<std::int32_t>(p);
    case NumberType::uint32:
      return load<std::uint32_t>(p);
    case NumberType::uint8:
      return load<std::uint8_t>(p);
  }
  return 0;
}

const FrameColumn* Frame::find(const std::string& name) const {
  for (const FrameColumn& column : columns)
    if (column.name == name) return &column;
  return nullptr;
}

Vec3 Frame::position(std::size_t i) const {
  const FrameColumn& x = columns.front();
  return {static_cast<Real>(x.number(i, 0)), static_cast<Real>(x.number(i, 1)),
          static_cast<Real>(x.number(i, 2))};
}

Column<Vec3> positions_of(const Frame& frame) {
  Column<Vec3> x(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i) x[i] = frame.position(i);
  return x;
}

}  // namespace phyxel
