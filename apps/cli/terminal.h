#pragma once

#include <atomic>
#include <cstdio>
#include <fmt/core.h>
#include <string>

#include "phyxel/app/progress.h"

namespace phyxel::cli {

/// Prints what it can. A disk that is full for what is printed must not cost the work:
/// finish_output() tells at the end.
inline void write_text(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_text(stdout, fmt::format(format, std::forward<Values>(values)...));
}
template <class... Values>
void warn(fmt::format_string<Values...> format, Values&&... values) {
  write_text(stderr, fmt::format(format, std::forward<Values>(values)...));
}

/// Descriptors 0 to 2 exist: what is opened later must not get the place of a closed output and be
/// printed into.
void open_standard_streams();

/// `status`, or 1 with a message where not all that was printed has arrived.
int finish_output(int status);

/// Shows frames as they come: a bar on a terminal, a line each otherwise.
class Display {
 public:
  explicit Display(bool quiet);
  void show(const FrameReport& report);
  void end();

 private:
  bool quiet_;
  bool terminal_;
};

/// True from the first Ctrl-C (or SIGTERM, or SIGHUP) on; the second one ends the program at once.
const std::atomic<bool>& stop_requested();
void watch_for_interrupts();

/// From now on the first one ends the program, without unfinished files.
void end_on_interrupts();

}  // namespace phyxel::cli
