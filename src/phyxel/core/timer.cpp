#include "phyxel/core/timer.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace phyxel {

void Timers::open(const char* name) {
  for (auto& child : current_->children)
    if (std::strcmp(child->name, name) == 0) {
      current_ = child.get();
      return;
    }
  auto node = std::make_unique<Node>();
  node->name = name;
  node->parent = current_;
  current_->children.push_back(std::move(node));
  current_ = current_->children.back().get();
}

void Timers::close(double seconds) {
  current_->seconds += seconds;
  current_->calls += 1;
  if (current_->parent) current_ = current_->parent;
}

namespace {

void append(const Timers::Node& node, double parent_seconds, int depth, std::string& text) {
  const double share = parent_seconds > 0 ? 100 * node.seconds / parent_seconds : 100;
  text += fmt::format("{:>10.3f} s {:>5.1f} % {:>9}  {:{}}{}\n", node.seconds, share, node.calls,
                      "", 2 * depth, node.name);
  std::vector<const Timers::Node*> children;
  for (const auto& child : node.children) children.push_back(child.get());
  std::stable_sort(children.begin(), children.end(),
                   [](auto* a, auto* b) { return a->seconds > b->seconds; });
  for (const auto* child : children) append(*child, node.seconds, depth + 1, text);
}

}  // namespace

std::string to_text(const Timers& timers) {
  double total = 0;
  for (const auto& child : timers.root().children) total += child->seconds;
  std::string text = "      time  share     calls  stage\n";
  for (const auto& child : timers.root().children) append(*child, total, 0, text);
  return text;
}

}  // namespace phyxel
