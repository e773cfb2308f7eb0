#include "profile.h"

#include <fmt/format.h>

#include "phyxel/app/folder/file_pattern.h"
#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "terminal.h"

namespace phyxel::cli {

namespace fs = std::filesystem;

namespace {

void write_trace(const Arguments& a, const Timers& timers) {
  write_atomically(a.trace, [&](FileWriter& writer) { writer.write(to_trace(timers)); });
}

/// A trace must not take the place of a file, or of one in a folder, that the command reads.
void refuse_inputs(const Arguments& a) {
  std::vector<fs::path> inputs;
  for (const std::string& name : a.files) {
    std::error_code none;
    if (!fs::is_directory(name, none)) {
      for (const fs::path& file : expand_pattern(name)) inputs.push_back(file);
    } else {
      for (const auto& entry : fs::recursive_directory_iterator(name, none))
        if (entry.path().filename() == fs::path(a.trace).filename()) inputs.push_back(entry.path());
    }
  }
  refuse_overwriting(inputs, {a.trace}, "--trace");
}

/// In the output folder of a run, which is not there yet.
bool is_made_later(const Arguments& a) {
  std::error_code none;
  const fs::path folder = fs::absolute(a.trace).parent_path();
  return !a.out.empty() && !fs::exists(folder, none) &&
         fs::weakly_canonical(folder) == fs::weakly_canonical(fs::absolute(a.out));
}

void report(const Arguments& a, const Timers& timers) {
  if (a.timings) say("{}", to_text(timers));
  if (a.trace.empty()) return;
  write_trace(a, timers);
  if (!a.quiet) say("  trace     {} (opens in https://ui.perfetto.dev)\n", a.trace);
  if (timers.events_left_out() > 0)
    warn("phyxel: the trace holds the first {} scopes; {} later ones are left out\n",
         timers.events().size(), timers.events_left_out());
}

}  // namespace

int profiled(const Arguments& a, const std::function<int(Timers*)>& work) {
  if (!a.timings && a.trace.empty()) return work(nullptr);
  Timers timers;
  if (!a.trace.empty()) {
    refuse_inputs(a);
    if (!is_made_later(a)) check_writable(a.trace);  // found before the work
    timers.keep_events();
  }
  int status = 0;
  try {
    status = work(&timers);
  } catch (...) {
    try {
      report(a, timers);
    } catch (const Error& error) {  // what ended the work matters more
      warn("{}\n", error.what());
    }
    throw;
  }
  report(a, timers);
  return status;
}

}  // namespace phyxel::cli
