#include "phyxel/surfaces/surfels/surfel_set.h"

#include <algorithm>
#include <cmath>

#include "phyxel/matter/colour.h"

namespace phyxel {

namespace {

using Bytes3 = Vec<std::uint8_t, 3>;

const FrameColumn* find(const std::vector<FrameColumn>& columns, const std::string& name,
                        int components) {
  for (const FrameColumn& column : columns)
    if (column.name == name && column.components == components) return &column;
  return nullptr;
}

const FrameColumn* colours_in(const std::vector<FrameColumn>& columns) {
  const auto found = std::find_if(columns.begin(), columns.end(), is_colour);
  return found == columns.end() ? nullptr : &*found;
}

Vec3 vector_at(const FrameColumn& column, std::size_t i) {
  Vec3 v;
  for (int c = 0; c < 3; ++c) v[c] = static_cast<Real>(column.number(i, c));
  return v;
}

Column<Vec3> vectors_of(const FrameColumn& column, std::size_t n) {
  Column<Vec3> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = vector_at(column, i);
  return values;
}

Bytes3 bytes_of(const Vec3& light) {
  Bytes3 bytes;
  for (int c = 0; c < 3; ++c)
    bytes[c] =
        static_cast<std::uint8_t>(std::lround(code_of_light(static_cast<float>(light[c])) * 255));
  return bytes;
}

/// Half axes of round discs.
void add_axes(const FrameColumn& normal, const FrameColumn& radius, Surfels& s) {
  s.u.resize(s.x.size(), Vec3::zero());
  s.v.resize(s.x.size(), Vec3::zero());
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const Vec3 n = vector_at(normal, i);
    const auto r = static_cast<Real>(radius.number(i));
    if (!is_finite(n) || !(length(n) > 0) || !std::isfinite(r)) continue;
    const Vec3 across = std::abs(n[0]) < Real(0.6) * length(n) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    s.u[i] = normalized(cross(n, across)) * r;
    s.v[i] = normalized(cross(n, s.u[i])) * r;
  }
}

}  // namespace

FrameSet surfel_set(std::string name, const Surfels& s) {
  const std::size_t n = s.x.size();
  std::vector<Vec3> normal(n);
  std::vector<Real> radius(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 across = cross(s.u[i], s.v[i]);
    normal[i] = length(across) > 0 ? normalized(across) : Vec3::zero();
    radius[i] = std::max(length(s.u[i]), length(s.v[i]));
  }
  FrameSet set{std::move(name), SetKind::surfels, n};
  set.columns = {make_frame_column("position", "m", s.x.data(), n),
                 make_frame_column("normal", "", normal.data(), n),
                 make_frame_column("radius", "m", radius.data(), n),
                 make_frame_column("axis_u", "m", s.u.data(), n),
                 make_frame_column("axis_v", "m", s.v.data(), n)};
  if (s.colour.size() == n && n > 0) {
    std::vector<Bytes3> bytes(n);
    std::transform(s.colour.begin(), s.colour.end(), bytes.begin(), bytes_of);
    set.columns.push_back(make_frame_column("colour", "", bytes.data(), n));
  }
  set.columns.push_back(make_frame_column("id", "", s.id.data(), n));
  return set;
}

bool has_surfels(const std::vector<FrameColumn>& columns) {
  if (!find(columns, "normal", 3)) return false;
  return find(columns, "radius", 1) || (find(columns, "axis_u", 3) && find(columns, "axis_v", 3));
}

Surfels surfels_of(const std::vector<FrameColumn>& columns) {
  const FrameColumn& position = columns.front();
  const std::size_t n = position.data.size() / position.element_size();
  Surfels s;
  s.x = vectors_of(position, n);
  const FrameColumn *u = find(columns, "axis_u", 3), *v = find(columns, "axis_v", 3);
  if (u && v)
    s.u = vectors_of(*u, n), s.v = vectors_of(*v, n);
  else
    add_axes(*find(columns, "normal", 3), *find(columns, "radius", 1), s);
  if (const FrameColumn* colour = colours_in(columns)) {
    s.colour.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) s.colour[i][c] = light_of_code(colour_code(*colour, i, c));
  }
  const FrameColumn* id = find(columns, "id", 1);
  s.id.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    s.id[i] = id ? static_cast<ParticleId>(id->number(i)) : static_cast<ParticleId>(i);
  return s;
}

}  // namespace phyxel
