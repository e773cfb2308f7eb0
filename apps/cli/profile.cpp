#include "profile.h"

#include <fmt/format.h>

#include "phyxel/io/file.h"

namespace phyxel::cli {

namespace {

void write_trace(const Arguments& a, const Timers& timers) {
  write_atomically(a.trace, [&](FileWriter& writer) { writer.write(to_trace(timers)); });
}

void report(const Arguments& a, const Timers& timers) {
  if (a.timings) fmt::print("{}", to_text(timers));
  if (a.trace.empty()) return;
  write_trace(a, timers);
  if (!a.quiet) fmt::print("  trace     {} (opens in https://ui.perfetto.dev)\n", a.trace);
  if (timers.events_left_out() > 0)
    fmt::print(stderr, "phyxel: the trace holds the first {} scopes; {} later ones are left out\n",
               timers.events().size(), timers.events_left_out());
}

}  // namespace

int profiled(const Arguments& a, const std::function<int(Timers*)>& work) {
  if (!a.timings && a.trace.empty()) return work(nullptr);
  Timers timers;
  if (!a.trace.empty()) {
    write_trace(a, timers);  // a file that cannot be written is found before the work
    timers.keep_events();
  }
  int status = 0;
  try {
    status = work(&timers);
  } catch (...) {
    report(a, timers);
    throw;
  }
  report(a, timers);
  return status;
}

}  // namespace phyxel::cli
