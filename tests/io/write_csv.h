#pragma once

#include <cstring>
#include <fmt/format.h>
#include <iterator>

#include "phyxel/core/file.h"
#include "phyxel/core/number_types.h"
#include "phyxel/io/columns.h"

namespace phyxel {

inline std::string csv_field(const std::string& name) {
  if (name.find_first_of(",;\t\"\n# ") == name.npos) return name;
  std::string field(1, '"');
  for (const char c : name) {
    if (c == '"') field += c;
    if (c != '\n') field += c;
  }
  return field + '"';
}

template <class T>
void append_number(fmt::memory_buffer& line, T value) {
  // '#' keeps the point of whole numbers, by which a reader tells them from integers.
  if constexpr (std::is_floating_point_v<T>)
    fmt::format_to(std::back_inserter(line), "{:#}", value);
  else
    fmt::format_to(std::back_inserter(line), "{}", value);
}

inline void append_component(fmt::memory_buffer& line, const FrameColumn& column, std::size_t k) {
  with_number_type(column.type, [&](auto value) {
    std::memcpy(&value, column.data.data() + k * sizeof(value), sizeof(value));
    append_number(line, value);
  });
}

inline void append_row(fmt::memory_buffer& line, const FrameColumn& places, const Frame& frame,
                       std::size_t i) {
  for (std::size_t k = 0; k < frame.columns.size(); ++k) {
    const FrameColumn& column = k == 0 ? places : frame.columns[k];
    for (int c = 0; c < column.components; ++c) {
      append_component(line, column, i * static_cast<std::size_t>(column.components) + c);
      line.push_back(',');
    }
  }
  line[line.size() - 1] = '\n';
}

/// Comma-separated values: a line of names (component_names), then a row per particle with as many
/// digits as give the same bits back. Time, index and units are not kept.
inline void write_csv(const std::filesystem::path& path, const Frame& frame) {
  check_frame(frame, path.string());
  std::string header;
  for (const FrameColumn& column : frame.columns)
    for (const std::string& name : component_names(column)) header += csv_field(name) + ',';
  header.back() = '\n';
  const FrameColumn places = world_positions(frame);
  write_atomically(path, [&](FileWriter& file) {
    file.write(header);
    fmt::memory_buffer line;
    for (std::size_t i = 0; i < frame.count; ++i) {
      line.clear();
      append_row(line, places, frame, i);
      file.write(line.data(), line.size());
    }
  });
}

}  // namespace phyxel
