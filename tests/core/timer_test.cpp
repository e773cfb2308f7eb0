#include "phyxel/core/timer.h"

#include <doctest/doctest.h>

using namespace phyxel;

namespace {

/// Lines of the text after the heading.
std::vector<std::string> lines_of(const Timers& timers) {
  std::vector<std::string> lines;
  const std::string text = to_text(timers);
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void record(Timers& timers, const char* name, double seconds) {
  timers.open(name);
  timers.close(seconds);
}

}  // namespace

TEST_CASE("scopes_nest_into_a_tree_and_count_their_calls") {
  Timers timers;
  for (int k = 0; k < 3; ++k) {
    const TimerScope step(&timers, "step");
    { const TimerScope sort(&timers, "sort"); }
    const TimerScope forces(&timers, "forces");
    const TimerScope pairs(&timers, "pairs");
  }
  const Timers::Node& root = timers.root();
  REQUIRE(root.children.size() == 1);
  const Timers::Node& step = *root.children[0];
  CHECK(step.calls == 3);
  REQUIRE(step.children.size() == 2);
  CHECK(step.children[0]->name == std::string("sort"));
  CHECK(step.children[1]->children[0]->calls == 3);
  CHECK(step.seconds >= step.children[0]->seconds + step.children[1]->seconds);
}

TEST_CASE("a_scope_without_timers_does_nothing") {
  const TimerScope scope(nullptr, "step");
}

TEST_CASE("the_text_shows_seconds_share_calls_and_depth_with_the_slowest_first") {
  Timers timers;
  timers.open("step");
  record(timers, "quick", 1);
  record(timers, "slow", 1.5);
  record(timers, "slow", 1.5);
  timers.close(8);
  const std::vector<std::string> lines = lines_of(timers);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "     8.000 s 100.0 %         1  step");
  CHECK(lines[1] == "     3.000 s  37.5 %         2    slow");
  CHECK(lines[2] == "     1.000 s  12.5 %         1    quick");
}

TEST_CASE("the_clock_goes_forward") {
  const double start = now_seconds();
  while (now_seconds() == start) {
  }
  CHECK(now_seconds() > start);
}
