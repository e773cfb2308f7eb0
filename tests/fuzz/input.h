#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "phyxel/core/error.h"
#include "phyxel/geometry/mesh.h"
#include "phyxel/matter/frame.h"

// What the fuzz targets share. A reader may answer an input with a value or with an Error; any
// other exception, a crash, a hang or a report of the sanitizers is a mistake in it.

namespace phyxel::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// libFuzzer wants 0 from every input that is worth keeping.
template <class Read>
int answers(Read&& read) {
  try {
    read();
  } catch (const Error&) {
  }
  return 0;
}

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Touches every number: a column shorter than its count is found by the address sanitizer.
inline void check(const Frame& frame) {
  require(!frame.columns.empty() && frame.columns[0].name == "position");
  for (const FrameColumn& column : frame.columns)
    for (std::size_t i = 0; i < frame.count; ++i)
      for (int c = 0; c < column.components; ++c) column.number(i, c);
  for (std::size_t i = 0; i < frame.count; ++i) require(is_finite(frame.position(i)));
}

inline void check(const TriangleMesh& mesh) {
  require(!mesh.triangles.empty());
  const auto count = static_cast<Index>(mesh.vertices.size());
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) require(t[k] >= 0 && t[k] < count);
  for (const Vec3& v : mesh.vertices) require(is_finite(v));
}

}  // namespace phyxel::fuzz
