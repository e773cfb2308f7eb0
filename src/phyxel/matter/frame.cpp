#include "phyxel/matter/frame.h"

#include <cstring>

#include "phyxel/core/number_types.h"
#include "phyxel/matter/frame_rows.h"

namespace phyxel {

double FrameColumn::number(std::size_t i, int c) const {
  return number_at(type, data, i * components + c);
}

FrameColumn rows_of(const FrameColumn& column, const std::vector<std::size_t>& rows) {
  const std::size_t size = column.element_size();
  FrameColumn result{column.name, column.unit, column.type, column.components,
                     std::vector<std::byte>(size * rows.size())};
  for (std::size_t k = 0; k < rows.size(); ++k)
    std::memcpy(result.data.data() + k * size, column.data.data() + rows[k] * size, size);
  return result;
}

namespace {

template <class Named>
const Named* named(const std::vector<Named>& list, const std::string& name) {
  for (const Named& one : list)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace

const FrameColumn* Frame::find(const std::string& name) const {
  return named(columns, name);
}

const FrameSet* Frame::find_set(const std::string& name) const {
  return named(sets, name);
}

const FrameColumn* FrameSet::find(const std::string& name_of_column) const {
  return named(columns, name_of_column);
}

Vec3 Frame::position(std::size_t i) const {
  const FrameColumn& x = columns.front();
  return {static_cast<Real>(x.number(i, 0)), static_cast<Real>(x.number(i, 1)),
          static_cast<Real>(x.number(i, 2))};
}

Vec3d Frame::world_position(std::size_t i) const {
  const FrameColumn& x = columns.front();
  return origin + Vec3d{x.number(i, 0), x.number(i, 1), x.number(i, 2)};
}

namespace {

/// Positions of a frame, moved by a vector.
FrameColumn moved_positions(const Frame& frame, const Vec3d& by) {
  const FrameColumn& x = frame.columns.front();
  std::vector<Vec3d> moved(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i)
    moved[i] = by + Vec3d{x.number(i, 0), x.number(i, 1), x.number(i, 2)};
  return make_frame_column(x.name, x.unit, moved.data(), moved.size());
}

}  // namespace

FrameColumn world_positions(const Frame& frame) {
  if (frame.origin == Vec3d::zero()) return frame.columns.front();
  return moved_positions(frame, frame.origin);
}

Frame rebased(Frame frame, const Vec3d& origin) {
  if (frame.origin == origin || frame.columns.empty()) return frame;
  frame.columns.front() = moved_positions(frame, frame.origin - origin);
  frame.origin = origin;
  return frame;
}

Column<Vec3> positions_of(const Frame& frame) {
  Column<Vec3> x(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i) x[i] = frame.position(i);
  return x;
}

}  // namespace phyxel
