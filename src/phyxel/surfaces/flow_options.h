#pragma once

#include <string>
#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel {

/// What the length of an average close vector is compared with.
enum class BorderRule {
  frame,  // the largest of all points
  local,  // the largest of the point and its neighbours in the graph
};
/// Their names, in the order of the enumeration.
const std::vector<std::string>& border_rule_names();

struct FlowOptions {
  Real alpha = Real(0.1);   // L_alpha = alpha L_m
  Real longest_edge = 0;    // m, L_alpha itself; 0: from alpha
  Real border = Real(0.8);  // share of the largest average close vector that makes a border
  BorderRule relative_to = BorderRule::local;
};
/// Throws InputError where an option makes no sense.
void check(const FlowOptions& options);

}  // namespace phyxel
