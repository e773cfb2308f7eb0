#include "phyxel/core/timer.h"

#include <cstdio>
#include <doctest/doctest.h>

#include "scene/json_check.h"

using namespace phyxel;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// A clock of our own.
struct Recorder {
  Timers timers;
  double time = 100;
  void record(const char* name, double seconds) {
    timers.open(name, time);
    timers.close(time += seconds);
  }
};

/// A step of 8 s with two loops in it, 1 s and twice 1.5 s, and a file of 2 s.
void record_step_and_file(Recorder& r) {
  r.timers.open("step", r.time);
  r.record("quick", 1);
  r.record("slow", 1.5);
  r.record("slow", 1.5);
  r.timers.close(r.time += 4);
  r.record("file", 2);
}

struct Span {
  double start, end;  // microseconds
};

/// Times of the complete events of a trace.
std::vector<Span> spans_of(const std::string& trace) {
  std::vector<Span> spans;
  for (std::size_t at = 0; (at = trace.find("\"ts\":", at)) != std::string::npos; ++at) {
    double start = 0, duration = 0;
    if (std::sscanf(trace.c_str() + at, "\"ts\":%lf,\"dur\":%lf", &start, &duration) == 2)
      spans.push_back({start, start + duration});
  }
  return spans;
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

TEST_CASE("the_text_shows_seconds_both_shares_calls_and_depth_with_the_slowest_first") {
  Recorder r;
  record_step_and_file(r);
  const std::vector<std::string> lines = lines_of(to_text(r.timers));
  REQUIRE(lines.size() == 6);
  CHECK(lines[1] == "     8.000 s  80.0 %  80.0 %         1  step");
  CHECK(lines[2] == "     3.000 s  30.0 %  37.5 %         2    slow");
  CHECK(lines[3] == "     1.000 s  10.0 %  12.5 %         1    quick");
  CHECK(lines[4] == "     2.000 s  20.0 %  20.0 %         1  file");
}

TEST_CASE("stages_that_take_next_to_nothing_have_no_line") {
  Recorder r;
  r.record("long", 1);
  r.record("short", 0.002);
  r.record("shortest", 0.0009);
  const std::vector<std::string> lines = lines_of(to_text(r.timers));
  REQUIRE(lines.size() == 4);
  CHECK(lines[2].ends_with("short"));
  CHECK(lines[3] == "stages below 0.1 % are not shown");
}

TEST_CASE("without_a_request_no_events_are_kept") {
  Recorder r;
  record_step_and_file(r);
  CHECK(r.timers.events().empty());
  CHECK(r.timers.events_left_out() == 0);
  CHECK(is_json(to_trace(r.timers)));
}

TEST_CASE("a_trace_has_every_scope_with_its_times_in_microseconds") {
  Recorder r;
  r.timers.keep_events();
  record_step_and_file(r);
  const std::string trace = to_trace(r.timers);
  CHECK(is_json(trace));
  const std::vector<std::string> lines = lines_of(trace);
  REQUIRE(lines.size() == 7);  // five scopes between the brackets
  CHECK(lines[1] == R"({"name":"step","ph":"X","ts":0.000,"dur":8000000.000,"pid":1,"tid":1},)");
  CHECK(lines[4] ==
        R"({"name":"slow","ph":"X","ts":2500000.000,"dur":1500000.000,"pid":1,"tid":1},)");
  CHECK(lines[5] ==
        R"({"name":"file","ph":"X","ts":8000000.000,"dur":2000000.000,"pid":1,"tid":1})");
}

TEST_CASE("events_of_a_trace_nest") {
  Timers timers;
  timers.keep_events();
  for (int k = 0; k < 20; ++k) {
    const TimerScope step(&timers, "step");
    { const TimerScope sort(&timers, "sort"); }
    const TimerScope forces(&timers, "forces \"odd\\name\"");
    const TimerScope pairs(&timers, "pairs");
  }
  const std::string trace = to_trace(timers);
  CHECK(is_json(trace));
  const std::vector<Span> spans = spans_of(trace);
  REQUIRE(spans.size() == 80);
  const double digit = 0.0011;  // start and duration are each rounded to a thousandth
  std::vector<Span> open;
  for (const Span& s : spans) {
    CHECK(s.end >= s.start);
    while (!open.empty() && open.back().end <= s.start + digit) open.pop_back();
    if (!open.empty()) CHECK(s.end <= open.back().end + digit);
    if (!open.empty()) CHECK(s.start >= open.back().start - digit);
    open.push_back(s);
  }
}

TEST_CASE("a_full_trace_keeps_the_scopes_around_and_says_what_is_missing") {
  Recorder r;
  r.timers.keep_events(2);
  record_step_and_file(r);
  CHECK(r.timers.events().size() == 2);
  CHECK(r.timers.events()[0].name == std::string("step"));
  CHECK(r.timers.events()[0].seconds == doctest::Approx(8));
  CHECK(r.timers.events_left_out() == 3);
  CHECK(r.timers.root().children[0]->children[1]->calls == 2);  // the tree goes on
  const std::string trace = to_trace(r.timers);
  CHECK(is_json(trace));
  CHECK(trace.find("the trace is full: 3 later scopes") != std::string::npos);
}

TEST_CASE("scopes_that_an_error_leaves_are_closed") {
  Timers timers;
  timers.keep_events();
  try {
    const TimerScope step(&timers, "step");
    const TimerScope forces(&timers, "forces");
    throw 1;
  } catch (int) {
  }
  CHECK(timers.root().children[0]->calls == 1);
  const TimerScope next(&timers, "next");
  CHECK(timers.root().children.size() == 2);
}

TEST_CASE("the_clock_goes_forward") {
  const double start = now_seconds();
  while (now_seconds() == start) {
  }
  CHECK(now_seconds() > start);
}
