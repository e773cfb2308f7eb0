#include "phyxel/core/timer.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iterator>

namespace phyxel {

namespace {

constexpr std::int64_t no_event = -1;

Timers::Node& child_of(Timers::Node& parent, const char* name) {
  for (auto& child : parent.children)
    if (std::strcmp(child->name, name) == 0) return *child;
  auto node = std::make_unique<Timers::Node>();
  node->name = name;
  node->parent = &parent;
  parent.children.push_back(std::move(node));
  return *parent.children.back();
}

}  // namespace

void Timers::keep_events(std::size_t most) {
  events_.reserve(most);
  most_events_ = most;
}

void Timers::keep_event(Node& node) {
  node.event = no_event;
  if (most_events_ == 0) return;
  if (events_.size() < most_events_) {
    node.event = static_cast<std::int64_t>(events_.size());
    events_.push_back({node.name, node.opened, 0});
  } else {
    ++events_left_out_;
  }
}

void Timers::open(const char* name, double start) {
  current_ = &child_of(*current_, name);
  current_->opened = start;
  keep_event(*current_);
}

void Timers::close(double end) {
  if (!current_->parent) return;
  const double seconds = end - current_->opened;
  current_->seconds += seconds;
  current_->calls += 1;
  if (current_->event != no_event) events_[current_->event].seconds = seconds;
  current_ = current_->parent;
}

namespace {

constexpr double smallest_share = 0.001;  // of everything, below which a stage is not worth a line

double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 100;
}

void append_children(const Timers::Node& node, double seconds, double total, int depth,
                     std::string& text) {
  std::vector<const Timers::Node*> children;
  for (const auto& child : node.children) children.push_back(child.get());
  std::stable_sort(children.begin(), children.end(),
                   [](auto* a, auto* b) { return a->seconds > b->seconds; });
  for (const Timers::Node* child : children) {
    if (child->seconds < smallest_share * total) return;
    fmt::format_to(std::back_inserter(text), "{:>10.3f} s {:>5.1f} % {:>5.1f} % {:>9}  {:{}}{}\n",
                   child->seconds, percent(child->seconds, total), percent(child->seconds, seconds),
                   child->calls, "", 2 * depth, child->name);
    append_children(*child, child->seconds, total, depth + 1, text);
  }
}

}  // namespace

std::string to_text(const Timers& timers) {
  double total = 0;
  for (const auto& child : timers.root().children) total += child->seconds;
  std::string text = "        time   total  parent     calls  stage\n";
  append_children(timers.root(), total, total, 0, text);
  return text + fmt::format("stages below {} % are not shown\n", 100 * smallest_share);
}

namespace {

std::string json_string(const char* text) {
  std::string quoted = "\"";
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') quoted += '\\';
    quoted += *text;
  }
  return quoted + '"';
}

/// A mark for the whole process, so that the end of the trace is not taken for that of the work.
std::string end_mark(const Timers::Event& last, double origin, std::int64_t left_out) {
  return fmt::format(
      ",\n{{\"name\":\"the trace is full: {} later scopes are not in "
      "it\",\"ph\":\"i\",\"s\":\"p\",\"ts\":{:.3f},\"pid\":1,\"tid\":1}}",
      left_out, 1e6 * (last.start + last.seconds - origin));
}

}  // namespace

std::string to_trace(const Timers& timers) {
  const auto& events = timers.events();
  const double origin = events.empty() ? 0 : events.front().start;
  std::string text = "[\n";
  for (const Timers::Event& e : events)
    fmt::format_to(
        std::back_inserter(text),
        "{}{{\"name\":{},\"ph\":\"X\",\"ts\":{:.3f},\"dur\":{:.3f},\"pid\":1,\"tid\":1}}",
        &e == &events.front() ? "" : ",\n", json_string(e.name), 1e6 * (e.start - origin),
        1e6 * e.seconds);
  if (timers.events_left_out() > 0 && !events.empty())
    text += end_mark(events.back(), origin, timers.events_left_out());
  return text + "\n]\n";
}

}  // namespace phyxel
