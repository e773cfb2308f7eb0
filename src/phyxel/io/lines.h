#pragma once

#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "phyxel/io/file.h"

namespace phyxel {

/// Formatted text on its way to a file; flush() at the end.
struct Lines {
  FileWriter& file;
  fmt::memory_buffer text{};

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
    if (text.size() > 4096) flush();
  }
  void flush() {
    file.write(text.data(), text.size());
    text.clear();
  }
};

}  // namespace phyxel
