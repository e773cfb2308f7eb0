#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace phyxel {

/// Seconds of a steady clock, for wall times.
inline double now_seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// A tree of named wall-clock timers, and on request every scope as an event. One thread opens and
/// closes scopes; loops inside may run on many.
class Timers {
 public:
  struct Node {
    const char* name = "";
    double seconds = 0;
    std::int64_t calls = 0;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;
    double opened = 0;       // while open: when, s
    std::int64_t event = 0;  // while open: its place in events()
  };
  struct Event {
    const char* name;
    double start;    // s of now_seconds()
    double seconds;  // 0 while open
  };

  Timers() : current_(&root_) {}
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  /// From now on every scope is an event too, until there are `most` of them (24 bytes each, taken
  /// at once: no allocation while running). Later scopes are counted only.
  void keep_events(std::size_t most = 1'000'000);

  void open(const char* name, double start);  // s of now_seconds()
  void close(double end);

  const Node& root() const { return root_; }
  /// In the order in which the scopes were opened: an outer scope comes before its inner ones.
  const std::vector<Event>& events() const { return events_; }
  std::int64_t events_left_out() const { return events_left_out_; }

 private:
  void keep_event(Node& node);

  Node root_;
  Node* current_;
  std::vector<Event> events_;
  std::size_t most_events_ = 0;
  std::int64_t events_left_out_ = 0;
};

/// Times its own lifetime under `name`; `timers` may be null. `name` must outlive the timers (a
/// literal).
class TimerScope {
 public:
  TimerScope(Timers* timers, const char* name) : timers_(timers) {
    if (timers_) timers_->open(name, now_seconds());
  }
  ~TimerScope() {
    if (timers_) timers_->close(now_seconds());
  }
  TimerScope(const TimerScope&) = delete;
  TimerScope& operator=(const TimerScope&) = delete;

 private:
  Timers* timers_;
};

/// The tree as text, slowest first: seconds, percentage of everything and of the scope around it,
/// calls, one line a name. What takes less than a thousandth is left out.
std::string to_text(const Timers& timers);

/// The events in the Chrome trace format, which Perfetto and chrome://tracing open: a JSON array of
/// complete events ("ph": "X"), times in microseconds from the first one.
std::string to_trace(const Timers& timers);

}  // namespace phyxel
