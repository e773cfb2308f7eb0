#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

#include "phyxel/core/file.h"

namespace phyxel {

/// Formatted text on its way to a file; flush() at the end.
struct Lines {
  FileWriter& file;
  fmt::memory_buffer text{};

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
    flush_when_long();
  }
  /// As add("{}", value), without reading a format: arrays are long.
  template <class Number>
  void number(Number value) {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), value);
  }
  void plain(std::string_view words) { text.append(words); }
  void flush_when_long() {
    if (text.size() > 4096) flush();
  }
  void flush() {
    file.write(text.data(), text.size());
    text.clear();
  }
};

}  // namespace phyxel
