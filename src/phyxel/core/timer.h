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

/// A tree of named wall-clock timers. One thread opens and closes scopes; loops inside may run on
/// many.
class Timers {
 public:
  struct Node {
    const char* name = "";
    double seconds = 0;
    std::int64_t calls = 0;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;
  };

  Timers() : current_(&root_) {}
  void open(const char* name);
  void close(double seconds);
  const Node& root() const { return root_; }

 private:
  Node root_;
  Node* current_;
};

/// Times its own lifetime under `name`; `timers` may be null. `name` must outlive the timers (a
/// literal).
class TimerScope {
 public:
  TimerScope(Timers* timers, const char* name)
      : timers_(timers), start_(timers ? now_seconds() : 0) {
    if (timers_) timers_->open(name);
  }
  ~TimerScope() {
    if (timers_) timers_->close(now_seconds() - start_);
  }
  TimerScope(const TimerScope&) = delete;
  TimerScope& operator=(const TimerScope&) = delete;

 private:
  Timers* timers_;
  double start_;
};

/// The tree as text: seconds, percentage of the parent, calls, one line a name.
std::string to_text(const Timers& timers);

}  // namespace phyxel
